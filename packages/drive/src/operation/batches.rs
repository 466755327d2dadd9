//! Store operations grouped by the rule that prices them, in the order the groups are applied.

use dpp::fee::PricingRule;

use crate::store::{Change, Element, StoreOp};

/// Operations by pricing rule. Groups apply in the order ordinary, document, `timeRange` ttl: the
/// last may sit under a tree the document creates (fees and epochs, D14).
#[derive(Debug, Default)]
pub struct RuleBatches {
    groups: Vec<(PricingRule, Vec<StoreOp>)>,
}

impl RuleBatches {
    /// Adds an operation. What is not priced as permanent storage carries no flags: nothing of it
    /// is ever refunded (design, "Storage": the re-tagging strips any left).
    pub fn push(&mut self, rule: PricingRule, mut operation: StoreOp) {
        if rule != PricingRule::Ordinary {
            strip_flags(&mut operation);
        }
        match self.groups.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, operations)) => operations.push(operation),
            None => self.groups.push((rule, vec![operation])),
        }
    }

    /// The groups in the order they are applied.
    pub fn in_order(mut self) -> Vec<(PricingRule, Vec<StoreOp>)> {
        // # Rule TTL-40: ordinary, document, `timeRange` ttl
        self.groups.sort_by_key(|(rule, _)| *rule);
        self.groups
    }
}

fn strip_flags(operation: &mut StoreOp) {
    if let Change::Put(
        Element::Item(_, flags) | Element::SumItem(_, flags) | Element::Reference(_, flags) | Element::Tree(_, flags),
    ) = &mut operation.change
    {
        *flags = None;
    }
}

#[cfg(test)]
mod tests {
    use dpp::fee::LifetimeEpochs;
    use dpp::primitives::{Credits, EpochIndex, Identifier};

    use super::*;
    use crate::store::Flags;
    use crate::tree::Path;

    fn flagged(key: u8) -> StoreOp {
        let flags = Flags::owned(Identifier([1; 32]), EpochIndex(3));
        StoreOp::put(Path::root(64), [key], Element::Item(vec![key], Some(flags)))
    }

    fn flags_of(operation: &StoreOp) -> Option<&Flags> {
        match &operation.change {
            Change::Put(Element::Item(_, flags)) => flags.as_ref(),
            other => panic!("unexpected {other:?}"),
        }
    }

    // # Rule TTL-25
    // # Rule TTL-40
    #[test]
    fn groups_are_applied_ordinary_first_and_only_it_keeps_flags() {
        let document = PricingRule::DocumentTtl { per_byte: Credits(68), lifetime: LifetimeEpochs::new(2).unwrap() };
        let mut batches = RuleBatches::default();
        for (key, rule) in [(1, PricingRule::TimeRangeTtl), (2, document), (3, PricingRule::Ordinary), (4, document)] {
            batches.push(rule, flagged(key));
        }
        let groups = batches.in_order();
        let order: Vec<_> = groups.iter().map(|(rule, operations)| (*rule, operations.len())).collect();
        assert_eq!(order, [(PricingRule::Ordinary, 1), (document, 2), (PricingRule::TimeRangeTtl, 1)]);
        for (rule, operations) in &groups {
            for operation in operations {
                assert_eq!(flags_of(operation).is_some(), *rule == PricingRule::Ordinary);
            }
        }
    }
}
