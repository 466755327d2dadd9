//! Documents put into state below the transitions, for stories about many of them, and read back.
//!
//! Planted documents were not paid for; the books stay balanced because nothing is charged.

use dpp::block::BlockInfo;
use dpp::document::{BlockTimes, Document};
use dpp::primitives::hash::sha256;
use dpp::primitives::{Identifier, TimestampMillis};
use drive::contract;
use drive::operation::{ApplyContext, DocumentOperation, DriveOperation, apply_operations};

use crate::{Chain, invariants, wallet};

/// Documents planted by one batch.
const CHUNK: usize = 64;

/// Documents to plant.
pub struct Planting<'p> {
    /// Their contract.
    pub contract: Identifier,
    /// Their type.
    pub document_type: &'p str,
    /// Their owner.
    pub owner: Identifier,
    /// Their `$createdAt`.
    pub created_at: TimestampMillis,
}

impl Planting<'_> {
    /// Plants a document for each value of `data`; their ids, in order. An id follows from owner,
    /// type, creation time and place.
    pub fn plant(&self, chain: &mut Chain<'_>, data: &[serde_json::Value]) -> Vec<Identifier> {
        let drive = chain.drive();
        let rules = invariants::rules(chain);
        let last = chain.platform.chain_state().last_block_info();
        let block = BlockInfo { time: self.created_at, ..last };
        let context = ApplyContext { rules, block, schedule: drive.schedule() };
        let contract = contract::fetch(&drive.reader(), drive.contracts(), self.contract, rules).unwrap().unwrap();
        let documents: Vec<Document> =
            data.iter().enumerate().map(|(n, data)| self.document(&contract, n, data, block)).collect();
        let ids = documents.iter().map(|document| document.id).collect();
        chain.plant(|transaction| {
            for chunk in documents.chunks(CHUNK) {
                let insert = |document: &Document| {
                    let (contract, document_type) = (contract.clone(), self.document_type.to_owned());
                    DriveOperation::InsertDocument(Box::new(DocumentOperation {
                        contract,
                        document_type,
                        document: document.clone(),
                    }))
                };
                let operations: Vec<_> = chunk.iter().map(insert).collect();
                apply_operations(transaction, &operations, &context).unwrap();
            }
        });
        ids
    }

    /// Plants so many documents without data but a number.
    pub fn plant_many(&self, chain: &mut Chain<'_>, count: usize, data: &serde_json::Value) -> Vec<Identifier> {
        self.plant(chain, &vec![data.clone(); count])
    }

    fn document(
        &self,
        contract: &dpp::document_type::ParsedContract,
        place: usize,
        data: &serde_json::Value,
        block: BlockInfo,
    ) -> Document {
        let document_type = contract.types().get(self.document_type).unwrap();
        let seed = format!("{} {} {} {place}", self.owner, self.document_type, self.created_at);
        let id = Identifier(sha256(seed.as_bytes()));
        let times = BlockTimes { time: self.created_at, height: block.height, core_height: block.core_height };
        let rules = platform_version::PlatformVersion::ALL[1];
        let data = document_type.validate_data(&wallet::values(data), rules).unwrap();
        Document::create(document_type, &contract.contract().config, (id, self.owner), data, times)
    }
}

/// A document of the committed state.
pub fn find(chain: &Chain<'_>, contract_id: Identifier, document_type: &str, id: Identifier) -> Option<Document> {
    let drive = chain.drive();
    let contract = contract::fetch(&drive.reader(), drive.contracts(), contract_id, invariants::rules(chain));
    drive::document::fetch(&drive.reader(), contract.unwrap()?.as_ref(), document_type, id).unwrap()
}

/// Ids of all documents of a type, ascending.
pub fn ids(chain: &Chain<'_>, contract_id: Identifier, document_type: &str) -> Vec<Identifier> {
    let primary = drive::tree::contracts::primary(contract_id, document_type);
    let entries = invariants::entries(&chain.drive().reader(), &primary);
    entries.iter().map(|entry| Identifier::from_slice(&entry.key).unwrap()).collect()
}
