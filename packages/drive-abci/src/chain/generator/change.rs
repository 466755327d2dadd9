//! Changes of documents the strategy made: which ones, by whom, and to what.
//!
//! Deletions take the oldest; everything else draws at random among those the operation's ages
//! allow. Revisions and prices are those the memory holds, so only the chain's rules refuse.

use dpp::primitives::Revision;
use dpp::transition::DocumentAction;

use super::plan::{BlockPlan, Change};
use super::schema_data::SchemaData;
use crate::chain::memory::LiveDocument;
use crate::chain::strategy::{Action, Choice, Purchase, Replace, Reprice, Transfer};

impl BlockPlan<'_> {
    /// Changes up to `times` documents the action chooses; `data` makes up what a replace writes.
    pub(super) fn change_documents(&mut self, action: &Action, data: Option<&SchemaData>, times: u32) {
        let Some(choice) = action.choice() else { return };
        for document in self.selected(action, choice, times) {
            match action {
                Action::Delete(delete) => {
                    let signer = self.signer(delete.by, &document);
                    self.sign(choice, &document, signer, (DocumentAction::Delete, Change::Delete));
                }
                Action::Replace(replace) => self.replace(replace, data, choice, &document),
                Action::Transfer(transfer) => self.transfer(transfer, choice, &document),
                Action::Reprice(reprice) => self.reprice(reprice, choice, &document),
                Action::Purchase(purchase) => self.purchase(purchase, choice, &document),
                Action::Register(_) | Action::Create(_) | Action::Junk(_) | Action::CreditTransfer(_) => {}
            }
        }
    }

    fn selected(&mut self, action: &Action, choice: Choice<'_>, times: u32) -> Vec<LiveDocument> {
        let mut documents = self.chosen(choice);
        let times = usize::try_from(times).unwrap_or(usize::MAX);
        match action {
            Action::Delete(_) => {
                documents.truncate(times);
                return documents;
            }
            Action::Purchase(_) => documents.retain(|document| document.price.is_some()),
            _ => {}
        }
        let mut drawn = Vec::new();
        while drawn.len() < times && !documents.is_empty() {
            let count = u64::try_from(documents.len()).unwrap_or(u64::MAX);
            let index = usize::try_from(self.random.below(count)).unwrap_or_default();
            drawn.push(documents.remove(index));
        }
        drawn
    }

    fn replace(&mut self, replace: &Replace, data: Option<&SchemaData>, choice: Choice<'_>, document: &LiveDocument) {
        let Some(data) = data.map(|data| data.draw(&mut self.random)) else { return };
        let signer = self.signer(replace.by, document);
        let action = DocumentAction::Replace { revision: document.next_revision(), data };
        self.sign(choice, document, signer, (action, Change::Replace));
    }

    fn transfer(&mut self, transfer: &Transfer, choice: Choice<'_>, document: &LiveDocument) {
        let to = self.author(transfer.to, choice.contract);
        let Some(recipient_id) = self.identity(to) else { return };
        let signer = self.signer(transfer.by, document);
        let action = DocumentAction::Transfer { revision: document.next_revision(), recipient_id };
        self.sign(choice, document, signer, (action, Change::Transfer { to }));
    }

    fn reprice(&mut self, reprice: &Reprice, choice: Choice<'_>, document: &LiveDocument) {
        let price = reprice.price.0;
        let signer = self.signer(reprice.by, document);
        let action = DocumentAction::UpdatePrice { revision: document.next_revision(), price };
        self.sign(choice, document, signer, (action, Change::Reprice { price }));
    }

    fn purchase(&mut self, purchase: &Purchase, choice: Choice<'_>, document: &LiveDocument) {
        let Some(price) = document.price else { return };
        let buyer = self.author(purchase.by, choice.contract);
        let action = DocumentAction::Purchase { revision: document.next_revision(), price };
        self.sign(choice, document, buyer, (action, Change::Purchase));
    }

    fn sign(
        &mut self,
        choice: Choice<'_>,
        document: &LiveDocument,
        signer: u16,
        (action, change): (DocumentAction, Change),
    ) {
        if let Some(place) = self.place(choice.contract, choice.document_type) {
            self.change(&place, (document.id, signer), action, change);
        }
    }
}

impl LiveDocument {
    /// The revision a change must name.
    fn next_revision(&self) -> Revision {
        Revision(self.revision.0.saturating_add(1))
    }
}
