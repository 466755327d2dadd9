//! What operations see of the state while they are lowered: the state itself, or the worst of all
//! states for a dry run, which reads nothing (fees and epochs, section 18).

use std::collections::{BTreeMap, BTreeSet};

use dpp::document_type::DocumentType;
use dpp::primitives::Identifier;

use crate::document;
use crate::error::DriveError;
use crate::estimate::ReadBounds;
use crate::store::{Element, StateReader, TreeTotal};
use crate::tree::{Path, contracts};

/// Elements by tree and key.
pub(crate) type KnownElements = BTreeMap<(Path, Vec<u8>), Element>;

/// The state as a lowering sees it.
pub enum View<'a, 's> {
    /// The state the operations will be applied to; what reads cost is part of the fee.
    State(&'a StateReader<'s>),
    /// No state: whatever is asked for is answered by what costs most.
    Worst(WorstCase<'a>),
}

/// The state that costs most: trees that are to be written lie new, those that lose a key go.
pub struct WorstCase<'a> {
    /// What the reads of the execution can cost.
    reads: &'a ReadBounds,
    /// What is known to stand in every state the operations can meet, and so is written over.
    known: KnownElements,
}

impl<'a> WorstCase<'a> {
    pub(super) fn new(reads: &'a ReadBounds) -> Self {
        Self { reads, known: BTreeMap::new() }
    }
}

impl<'s> View<'_, 's> {
    /// Whether there is anything under a key.
    pub fn contains(&self, path: &Path, key: &[u8]) -> Result<bool, DriveError> {
        match self {
            Self::State(reader) => Ok(reader.contains(path, key)?),
            Self::Worst(worst) => {
                worst.reads.element(path);
                Ok(worst.known.contains_key(&(path.clone(), key.to_vec())))
            }
        }
    }

    /// The number of a sum item, 0 where there is none; a dry run does not know it and takes 0, since all
    /// numbers are billed alike.
    pub fn sum_item(&self, path: &Path, key: &[u8]) -> Result<i64, DriveError> {
        match self {
            Self::State(reader) => Ok(reader.sum_item(path, key)?.unwrap_or(0)),
            Self::Worst(worst) => {
                worst.reads.element(path);
                Ok(0)
            }
        }
    }

    /// What is in a tree; `None` if it is not there, and in a dry run.
    pub fn tree_total(&self, path: &Path, key: &[u8]) -> Result<Option<TreeTotal>, DriveError> {
        match self {
            Self::State(reader) => Ok(reader.tree_total(path, key)?),
            Self::Worst(worst) => {
                worst.reads.element(path);
                Ok(None)
            }
        }
    }

    /// A reader of the state for what nobody is billed for; a dry run has none, and does without such work.
    pub fn unbilled(&self) -> Option<StateReader<'s>> {
        match self {
            Self::State(reader) => Some(reader.apart()),
            Self::Worst(_) => None,
        }
    }

    /// Counts a read that is spared here and not in a state that has the tree already.
    pub fn may_be_read(&self, path: &Path) {
        if let Self::Worst(worst) = self {
            worst.reads.element(path);
        }
    }

    /// Whether a tree has no other keys than those that go.
    pub fn is_emptied(&self, tree: &Path, going: &BTreeSet<Vec<u8>>) -> Result<bool, DriveError> {
        let limit = u16::try_from(going.len().saturating_add(1))
            .map_err(|_| DriveError::corrupted(format!("a block removes {} keys of the tree {tree}", going.len())))?;
        match self {
            Self::State(reader) => {
                let there = reader.first_keys(tree, limit)?;
                Ok(there.len() == going.len() && there.iter().all(|key| going.contains(key)))
            }
            Self::Worst(worst) => {
                worst.reads.elements(tree, limit.into());
                Ok(true)
            }
        }
    }

    /// Length of a document as it is stored; a dry run does not know it and takes 0.
    pub fn stored_length(&self, document_type: &DocumentType, id: Identifier) -> Result<u64, DriveError> {
        match self {
            Self::State(reader) => {
                let stored = document::fetch_stored(reader, document_type, id)?;
                Ok(stored.map_or(0, |bytes| bytes.len() as u64))
            }
            Self::Worst(worst) => {
                worst.reads.element(&contracts::primary(document_type.contract_id(), document_type.name()));
                Ok(0)
            }
        }
    }

    /// Tells a dry run what every state it can meet holds.
    pub fn know(&mut self, path: Path, key: Vec<u8>, element: Element) {
        if let Self::Worst(worst) = self {
            worst.known.insert((path, key), element);
        }
    }

    /// What a dry run knows; nothing of the state itself.
    pub(crate) fn into_known(self) -> KnownElements {
        match self {
            Self::State(_) => BTreeMap::new(),
            Self::Worst(worst) => worst.known,
        }
    }
}
