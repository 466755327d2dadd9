//! What moderators and claimants sign, and what the state says of it.

use dpp::contract::{ContractConfig, DataContract, FeePot, Moderation, Moderators};
use dpp::primitives::{Credits, Identifier, Nonce};
use dpp::transition::{
    ActionFeeAgreement, ContractFeeClaim, ContractUserModeration, DocumentAction, KnownFeeMultiplier, ModerationAction,
    ModerationReason, Signing, StateTransition,
};
use drive::moderation::RemovalRecord;
use drive::tree::{contracts, pools, pots};

use crate::{Chain, Wallet};

/// Both lists, and these identities beside the owner; none: the owner alone.
pub fn both_lists(appointed: &[Identifier]) -> Moderation {
    let moderators = match appointed {
        [] => Moderators::ContractOwner,
        _ => Moderators::AppointedModerators { identities: appointed.iter().copied().collect() },
    };
    Moderation { banlist: true, suspensions: true, moderators, warnings: false }
}

/// A reason in words.
pub fn because(text: &str) -> ModerationReason {
    ModerationReason { text: text.to_owned(), ..ModerationReason::default() }
}

/// An agreement to fixed amounts.
pub fn agreed(owner: u64, moderators: u64) -> ActionFeeAgreement {
    ActionFeeAgreement { owner, moderators, multiplier: None }
}

/// An agreement to amounts that follow the fee multiplier.
pub fn agreed_at(owner: u64, moderators: u64, (permille, tolerance_percent): (u64, u16)) -> ActionFeeAgreement {
    let multiplier = Some(KnownFeeMultiplier { permille, tolerance_percent });
    ActionFeeAgreement { multiplier, ..agreed(owner, moderators) }
}

impl Wallet {
    /// A moderated contract of document types given as JSON, under the wallet's next nonce.
    pub fn moderated_contract(&self, types: &serde_json::Value, moderation: Moderation) -> DataContract {
        let config = ContractConfig { version: 2, moderation: Some(moderation), ..ContractConfig::default() };
        DataContract { config, ..self.contract(types) }
    }

    /// A signed registration of a moderated contract, and its id.
    pub fn register_moderated(&mut self, types: &serde_json::Value, moderation: Moderation) -> (Vec<u8>, Identifier) {
        let contract = self.moderated_contract(types, moderation);
        let id = contract.id;
        (self.register_contract(contract), id)
    }

    /// A signed act of a moderator with the next nonce.
    pub fn moderate(&mut self, contract_id: Identifier, action: ModerationAction) -> Vec<u8> {
        let act = self.moderation(contract_id, action);
        self.signed(act)
    }

    /// The same, unsigned.
    pub fn moderation(&mut self, contract_id: Identifier, action: ModerationAction) -> StateTransition {
        let identity_contract_nonce = self.take_contract_nonce(contract_id);
        let (owner_id, signing) = (self.id, Signing::default());
        let act = ContractUserModeration { owner_id, contract_id, identity_contract_nonce, action, signing };
        StateTransition::ContractUserModeration(act)
    }

    /// A signed claim of a pot with the next nonce.
    pub fn claim(&mut self, contract_id: Identifier, pot: FeePot) -> Vec<u8> {
        let identity_contract_nonce = self.take_contract_nonce(contract_id);
        let (owner_id, signing) = (self.id, Signing::default());
        let claim = ContractFeeClaim { owner_id, contract_id, identity_contract_nonce, pot, signing };
        self.signed(StateTransition::ContractFeeClaim(claim))
    }

    /// A signed document transition that agrees to a fee, with the next nonce.
    pub fn paying(
        &mut self,
        contract_id: Identifier,
        document_type: &str,
        (id, action): (Identifier, DocumentAction),
        fee: ActionFeeAgreement,
    ) -> Vec<u8> {
        let mut batch = self.batch(contract_id, document_type, (id, action));
        let base = &mut batch.transitions[0].base;
        (base.version, base.action_fee) = (2, Some(fee));
        self.signed(StateTransition::Batch(batch))
    }

    /// A signed create that agrees to a fee, and the document's id.
    pub fn create_with_fee(
        &mut self,
        contract_id: Identifier,
        document_type: &str,
        data: &serde_json::Value,
        fee: ActionFeeAgreement,
    ) -> (Vec<u8>, Identifier) {
        let nonce = self.contract_nonce(contract_id) + 1;
        let entropy = dpp::primitives::hash::sha256(format!("{} {document_type} {nonce}", self.id).as_bytes());
        let id = dpp::transition::document_id_for(contract_id, self.id, document_type, &entropy);
        let data = crate::wallet::values(data);
        let action = DocumentAction::Create { entropy, data, prefunded_voting_balance: None };
        (self.paying(contract_id, document_type, (id, action), fee), id)
    }

    fn take_contract_nonce(&mut self, contract_id: Identifier) -> Nonce {
        let nonce = self.contract_nonce(contract_id) + 1;
        self.set_contract_nonce(contract_id, nonce);
        Nonce(nonce)
    }
}

/// A moderator's deletion.
pub fn delete(document_type: &str, document_id: Identifier) -> ModerationAction {
    ModerationAction::Delete { document_type: document_type.to_owned(), document_id, reason: because("spam") }
}

/// A moderator's restore.
pub fn restore(document_type: &str, document: &[u8]) -> ModerationAction {
    ModerationAction::Restore { document_type: document_type.to_owned(), document: document.to_vec() }
}

/// The stored bytes of a document.
pub fn stored(chain: &Chain<'_>, contract_id: Identifier, document_type: &str, id: Identifier) -> Option<Vec<u8>> {
    let primary = contracts::primary(contract_id, document_type);
    chain.drive().reader().item(&primary, id.as_bytes()).unwrap()
}

/// The removal record of a document.
pub fn record(
    chain: &Chain<'_>,
    contract_id: Identifier,
    document_type: &str,
    id: Identifier,
) -> Option<RemovalRecord> {
    drive::moderation::removal_record(&chain.drive().reader(), (contract_id, document_type), id).unwrap()
}

/// Credits of an identity.
pub fn balance(chain: &Chain<'_>, id: Identifier) -> u64 {
    drive::identity::balance(&chain.drive().reader(), id).unwrap().unwrap().0
}

/// Credits in a contract's pots: of its owner, of its moderators.
pub fn pots_of(chain: &Chain<'_>, contract_id: Identifier) -> (u64, u64) {
    let of = |pot| {
        let stored = chain.drive().reader().sum_item(&pots::pot(pot), contract_id.as_bytes()).unwrap();
        u64::try_from(stored.unwrap_or(0)).unwrap()
    };
    (of(FeePot::Owner), of(FeePot::Moderators))
}

/// Refunds waiting to be taken from the epoch pools, over all epochs.
pub fn waiting_refunds(chain: &Chain<'_>) -> Credits {
    let total = chain.drive().reader().sum_tree_total(&pools::pools(), pools::PENDING_REFUNDS_KEY).unwrap();
    Credits(total.unsigned_abs())
}
