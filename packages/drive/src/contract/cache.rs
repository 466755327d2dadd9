//! Parsed contracts by the bytes they were parsed from.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use dpp::document_type::ParsedContract;
use dpp::primitives::Identifier;
use platform_version::ProtocolVersion;

/// Contracts kept; the cache is emptied when it is full, so its memory is bounded.
const CAPACITY: usize = 1_024;

/// Parsed contracts. A hit needs equal bytes and equal rules.
#[derive(Default)]
pub struct ContractCache {
    entries: Mutex<BTreeMap<Identifier, CachedContract>>,
}

struct CachedContract {
    rules: ProtocolVersion,
    bytes: Vec<u8>,
    parsed: Arc<ParsedContract>,
}

impl ContractCache {
    /// The contract these bytes parse to under these rules, if it is known.
    pub(super) fn get(&self, id: Identifier, rules: ProtocolVersion, bytes: &[u8]) -> Option<Arc<ParsedContract>> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = entries.get(&id)?;
        (entry.rules == rules && entry.bytes == bytes).then(|| Arc::clone(&entry.parsed))
    }

    /// Remembers a contract.
    pub(super) fn put(&self, rules: ProtocolVersion, bytes: Vec<u8>, parsed: Arc<ParsedContract>) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= CAPACITY {
            entries.clear();
        }
        entries.insert(parsed.contract().id, CachedContract { rules, bytes, parsed });
    }
}
