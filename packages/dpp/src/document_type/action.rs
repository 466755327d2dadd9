//! The actions a contract may put a price on.

/// A document action, without what it carries. Order is that of the protocol's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each is the action of its name")]
pub enum ActionKind {
    Create,
    Replace,
    Delete,
    Transfer,
    UpdatePrice,
    Purchase,
}

impl ActionKind {
    /// Every action.
    pub const ALL: [ActionKind; 6] =
        [Self::Create, Self::Replace, Self::Delete, Self::Transfer, Self::UpdatePrice, Self::Purchase];

    /// The name keywords and messages call it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Replace => "replace",
            Self::Delete => "delete",
            Self::Transfer => "transfer",
            Self::UpdatePrice => "update_price",
            Self::Purchase => "purchase",
        }
    }
}
