//! Paths and keys of the pots of action fees (node rules, section 8.5).

use dpp::contract::FeePot;

use super::{Path, root};

/// `[40]`: balances set aside, a sum tree.
pub fn prefunded_balances() -> Path {
    Path::root(root::PREFUNDED_BALANCES)
}

/// Key of a pot's tree.
pub fn pot_key(pot: FeePot) -> &'static [u8] {
    match pot {
        FeePot::Owner => &[64],
        FeePot::Moderators => &[192],
    }
}

/// `[40, 64]` or `[40, 192]`: contract id -> credits.
pub fn pot(pot: FeePot) -> Path {
    prefunded_balances().child(pot_key(pot))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_do_not_change() {
        assert_eq!(pot(FeePot::Owner).parts(), [[40], [64]]);
        assert_eq!(pot(FeePot::Moderators).parts(), [[40], [192]]);
    }
}
