//! Events of a block: what expired, what led nowhere, what waits.
//!
//! Order: each removal in removal order, then the orphans' count, then the backlog. Events are outside
//! consensus.

use tenderdash_abci::proto::abci::{Event, EventAttribute};

use crate::platform::{ExpirationReport, RemovedDocument};

/// The events of a block's cleanup.
pub(super) fn of_cleanup(report: &ExpirationReport) -> Vec<Event> {
    let mut events: Vec<Event> = report.removed.iter().map(expired).collect();
    if report.orphans > 0 {
        events.push(event("document_expiration_orphan", &[("count", report.orphans.to_string())]));
    }
    if let Some(oldest) = report.oldest_due {
        let attributes = [("entries", report.backlog.to_string()), ("oldest_due", oldest.to_string())];
        events.push(event("document_expiration_backlog", &attributes));
    }
    events
}

fn expired(removed: &RemovedDocument) -> Event {
    let attributes = [
        ("contract_id", removed.contract_id.to_string()),
        ("document_type", removed.document_type.clone()),
        ("document_id", removed.document_id.to_string()),
        ("expires_at", removed.expires_at.to_string()),
        ("cause", "ttl".to_owned()),
    ];
    event("document_expired", &attributes)
}

fn event(name: &str, attributes: &[(&str, String)]) -> Event {
    let attribute =
        |(key, value): &(&str, String)| EventAttribute { key: (*key).to_owned(), value: value.clone(), index: true };
    Event { r#type: name.to_owned(), attributes: attributes.iter().map(attribute).collect() }
}
