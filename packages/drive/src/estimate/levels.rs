//! How high a tree can be.

/// Levels of the highest balanced tree of at most `elements` elements. The sparsest balanced tree of
/// h levels has one element more than the sparsest of h - 1 and of h - 2 levels together.
pub(super) fn highest_tree(elements: u64) -> u64 {
    let (mut levels, mut sparsest, mut next) = (0u64, 0u64, 1u64);
    while next <= elements {
        levels = levels.saturating_add(1);
        (sparsest, next) = (next, next.saturating_add(sparsest).saturating_add(1));
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sparsest_balanced_trees_decide() {
        // the least elements of a balanced tree of 1, 2, 3, 4, 5 levels: 1, 2, 4, 7, 12
        let levels = [0, 1, 2, 3, 4, 6, 7, 11, 12, 14, 9_227_463, 9_227_464].map(highest_tree);
        assert_eq!(levels, [0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 32, 33]);
    }
}
