//! What the checks of a transition cost at most before it is executed: fixed prices, and reads.

use dpp::identity::KeyType;
use dpp::primitives::Credits;
use drive::DriveError;
use drive::action::{Action, NonceUse};
use drive::operation::ApplyContext;

use super::document::Planned;
use super::request::QuoteAction;
use crate::error::NodeError;
use crate::transition::{Work, most_reads};

/// The work of all checks. The key is taken to be one that is held whole, as wallets have them; the
/// check of a hashed one costs a little more.
pub(super) fn checks(
    planned: &Planned,
    (action, nonce): (QuoteAction, NonceUse),
    context: &ApplyContext,
) -> Result<Credits, NodeError> {
    let mut work = Work::new(&context.rules.fee);
    work.read_signer(false)?;
    work.signature(KeyType::EcdsaSecp256k1)?;
    match action {
        QuoteAction::Create => work.document_id_hash()?,
        QuoteAction::Transfer => work.read_revision()?,
        _ => {}
    }
    let reads = most_reads(&Action::Document(Box::new(planned.action.clone())), nonce, context);
    work.reads(&reads.map_err(DriveError::from)?)?;
    Ok(work.credits())
}
