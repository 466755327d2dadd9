//! A path: the keys of the trees on the way from the root.

use core::fmt;
use std::sync::Arc;

/// Keys from the root tree down to a tree. A copy shares them: every element of a document names
/// several, and a block many thousands.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path(Arc<Vec<Vec<u8>>>);

impl Path {
    /// The path of a root tree.
    pub fn root(key: u8) -> Self {
        Self::from_parts(vec![vec![key]])
    }

    /// A path from its parts.
    pub fn from_parts(parts: Vec<Vec<u8>>) -> Self {
        Self(Arc::new(parts))
    }

    /// The path of the tree under `key`.
    #[must_use]
    pub fn child(&self, key: impl Into<Vec<u8>>) -> Self {
        let mut parts = Vec::with_capacity(self.depth().saturating_add(1));
        parts.extend_from_slice(&self.0);
        parts.push(key.into());
        Self::from_parts(parts)
    }

    /// The tree above and this tree's key in it; `None` for the root.
    pub fn split(&self) -> Option<(Self, &[u8])> {
        let (key, above) = self.0.split_last()?;
        Some((Self::from_parts(above.to_vec()), key))
    }

    /// Number of parts.
    pub fn depth(&self) -> usize {
        self.0.len()
    }

    /// The parts, root tree first.
    pub fn parts(&self) -> &[Vec<u8>] {
        &self.0
    }

    /// The parts, root tree first.
    pub fn into_parts(self) -> Vec<Vec<u8>> {
        Arc::unwrap_or_clone(self.0)
    }

    /// The parts as the store's calls borrow them.
    pub fn as_slices(&self) -> Vec<&[u8]> {
        self.0.iter().map(Vec::as_slice).collect()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> =
            self.0.iter().map(|part| part.iter().map(|byte| format!("{byte:02x}")).collect()).collect();
        write!(f, "[{}]", parts.join(", "))
    }
}
