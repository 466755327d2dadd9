//! A path: the keys of the trees on the way from the root.

use core::cmp::Ordering;
use core::fmt;
use std::sync::Arc;

/// Keys from the root tree down to a tree. A copy and the trees above share them: every element of
/// a document names several, and a block many thousands.
#[derive(Clone, Default)]
pub struct Path {
    keys: Arc<Vec<Vec<u8>>>,
    /// How many of the keys are the path's.
    depth: usize,
}

impl Path {
    /// The path of a root tree.
    pub fn root(key: u8) -> Self {
        Self::from_parts(vec![vec![key]])
    }

    /// A path from its parts.
    pub fn from_parts(parts: Vec<Vec<u8>>) -> Self {
        let depth = parts.len();
        Self { keys: Arc::new(parts), depth }
    }

    /// The path of the tree under `key`.
    #[must_use]
    pub fn child(&self, key: impl Into<Vec<u8>>) -> Self {
        let mut parts = Vec::with_capacity(self.depth.saturating_add(1));
        parts.extend_from_slice(self.parts());
        parts.push(key.into());
        Self::from_parts(parts)
    }

    /// The tree above and this tree's key in it; `None` for the root.
    pub fn split(&self) -> Option<(Self, &[u8])> {
        let (key, above) = self.parts().split_last()?;
        Some((self.above(above.len()), key))
    }

    /// The tree on the way at a depth; the path itself when it is not that deep.
    #[must_use]
    pub fn above(&self, depth: usize) -> Self {
        Self { keys: Arc::clone(&self.keys), depth: self.depth.min(depth) }
    }

    /// Number of parts.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The parts, root tree first.
    pub fn parts(&self) -> &[Vec<u8>] {
        self.keys.get(..self.depth).unwrap_or(&self.keys)
    }

    /// The parts, root tree first.
    pub fn into_parts(self) -> Vec<Vec<u8>> {
        if self.depth < self.keys.len() {
            return self.parts().to_vec();
        }
        Arc::unwrap_or_clone(self.keys)
    }

    /// The parts as the store's calls borrow them.
    pub fn as_slices(&self) -> Vec<&[u8]> {
        self.parts().iter().map(Vec::as_slice).collect()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> =
            self.parts().iter().map(|part| part.iter().map(|byte| format!("{byte:02x}")).collect()).collect();
        write!(f, "[{}]", parts.join(", "))
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Path").field(&self.parts()).finish()
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Path {}

impl Ord for Path {
    fn cmp(&self, other: &Self) -> Ordering {
        self.parts().cmp(other.parts())
    }
}

impl PartialOrd for Path {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_on_the_way_are_as_if_made_alone() {
        let path = Path::root(64).child([1, 2]).child([3]);
        let (above, key) = path.split().unwrap();
        assert_eq!((above.clone(), key), (Path::root(64).child([1, 2]), [3].as_slice()));
        assert_eq!((above.depth(), above.parts().len(), above.to_string()), (2, 2, "[40, 0102]".to_owned()));
        assert_eq!(above.child([9]), Path::from_parts(vec![vec![64], vec![1, 2], vec![9]]));
        assert_eq!((path.above(0), path.above(7)), (Path::default(), path.clone()));
        assert!(above < path && above.clone().into_parts() == [vec![64], vec![1, 2]]);
        assert_eq!(path.into_parts().len(), 3);
        assert!(Path::default().split().is_none());
    }
}
