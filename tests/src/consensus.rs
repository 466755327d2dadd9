//! What Tenderdash does to an application, without one: handshake and replay, rounds, decisions.
//!
//! A [`Network`] is what all nodes agree on: the genesis, the decided blocks, the set that signs next. Its
//! methods make the calls of the reference's sections 4 and 5 to one application at a time, and check every
//! answer as a node would. Invariant: nothing here knows a rule of the application.

use dpp::primitives::hash::sha256;
use dpp::primitives::{Identifier, TimestampMillis};
use drive_abci::genesis::Genesis;
use drive_abci::validators::{Member, Quorum};
use tenderdash_abci::proto::abci::response_process_proposal::ProposalStatus;
use tenderdash_abci::proto::abci::tx_record::TxAction;
use tenderdash_abci::proto::abci::*;
use tenderdash_abci::proto::google::protobuf::Timestamp;
use tenderdash_abci::proto::types::{
    Block as WireBlock, BlockId, ConsensusParams, Data, Header, PartSetHeader, VersionParams,
};
use tenderdash_abci::proto::version::Consensus;

use crate::served::App;

/// What a block of these tests may hold, in bytes.
pub const MAX_TX_BYTES: i64 = 2_000_000;

/// Block protocol of the node.
const BLOCK_PROTOCOL: u64 = 14;

/// What the nodes of a chain agree on.
#[derive(Clone)]
pub struct Network {
    /// What the application's genesis holds.
    pub genesis: Genesis,
    /// Whether the node's own genesis names the first quorum; else the application has to.
    pub names_validators: bool,
    /// The decided blocks.
    pub blocks: Vec<Block>,
    /// The set that signs the next block.
    pub signing: Option<ValidatorSetUpdate>,
    /// Height after which that set began to sign.
    pub since: u64,
    /// App version of the consensus parameters.
    pub app_version: u64,
    /// What proposers vote for; what `Info` answered when `None`.
    pub votes_for: Option<u64>,
}

/// A proposed block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Its height.
    pub height: u64,
    /// The round it was made in.
    pub round: i32,
    /// Its time.
    pub time: TimestampMillis,
    /// Who made it.
    pub proposer: Identifier,
    /// What is in it.
    pub txs: Vec<Vec<u8>>,
    /// App version of its header.
    pub app_version: u64,
    /// What its proposer votes for.
    pub proposed_version: u64,
    /// App hash of its header.
    pub app_hash: Vec<u8>,
    /// What is agreed on of its results.
    pub results: Vec<(u32, Vec<u8>, i64)>,
    /// The set that follows it, if another.
    pub validators: Option<ValidatorSetUpdate>,
    /// The parameters it changes.
    pub params: Option<ConsensusParams>,
    /// Quorum that signs it.
    pub quorum_hash: Vec<u8>,
    /// Agreed core height.
    pub core_height: u32,
}

/// Why a node does not prevote a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nil {
    /// The application said so.
    Rejected,
    /// What it answered is not what the header says: this part.
    Mismatch(&'static str),
}

/// A quorum of these members, with keys nobody holds.
pub fn quorum(number: u8, members: &[u8]) -> Quorum {
    let members = members.iter().map(|member| Member {
        pro_tx_hash: Identifier([*member; 32]),
        public_key: vec![*member; 48],
        node_address: String::new(),
    });
    Quorum { quorum_hash: [number; 32], threshold_public_key: vec![number; 48], members: members.collect() }
}

impl Network {
    /// A chain without blocks.
    pub fn new(genesis: Genesis) -> Self {
        let app_version = genesis.protocol_version.0.into();
        let since = genesis.initial_height.0 - 1;
        let (blocks, names_validators) = (Vec::new(), false);
        Self { genesis, names_validators, blocks, signing: None, since, app_version, votes_for: None }
    }

    /// Height of the last decided block.
    pub fn height(&self) -> u64 {
        self.blocks.last().map_or(self.genesis.initial_height.0 - 1, |block| block.height)
    }

    /// What a node asks first.
    pub fn info(&self, app: &App) -> ResponseInfo {
        app.call(RequestInfo {
            version: "1.5.4".to_owned(),
            block_version: BLOCK_PROTOCOL,
            p2p_version: 10,
            abci_version: "1.3.0".to_owned(),
        })
    }

    /// The genesis, as the node asks for it.
    pub fn init_request(&self) -> RequestInitChain {
        let first = self.genesis.quorums.first().filter(|_| self.names_validators);
        RequestInitChain {
            time: Some(timestamp(TimestampMillis(1_700_000_000_000))),
            chain_id: self.genesis.chain_id.clone(),
            consensus_params: Some(ConsensusParams {
                version: Some(VersionParams { app_version: self.app_version, consensus_version: 0 }),
                ..ConsensusParams::default()
            }),
            validator_set: first.map(as_update),
            app_state_bytes: serde_json::to_vec(&self.genesis).unwrap(),
            initial_height: self.genesis.initial_height.0.try_into().unwrap(),
            initial_core_height: self.genesis.initial_core_height.0,
        }
    }

    /// Start of a node: Info, InitChain while there is no block, then the blocks the application lacks. A node
    /// refuses an application that differs.
    pub fn handshake(&mut self, app: &App) -> u64 {
        let info = self.info(app);
        assert!(info.app_version > 0);
        let stands = u64::try_from(info.last_block_height).unwrap();
        if stands == 0 {
            let init = app.call(self.init_request());
            assert_eq!(init.app_hash.len(), 32);
            assert_eq!(init.initial_core_height, self.genesis.initial_core_height.0);
            if self.blocks.is_empty() {
                self.signing = init.validator_set_update.or(self.init_request().validator_set);
            }
        } else {
            assert!(stands <= self.height(), "the application is ahead of the node");
            let known = self.blocks.iter().find(|block| block.height == stands).unwrap();
            assert_eq!(info.last_block_app_hash, known.app_hash, "the application's state differs");
        }
        let latest = self.signing_hash();
        for block in self.blocks.iter().filter(|block| block.height > stands) {
            // in a replay the quorum hash is the latest one
            let replayed =
                RequestProcessProposal { quorum_hash: latest.clone(), ..self.process_request(block, block.round) };
            assert_eq!(self.vote(block, &app.call(replayed)), Ok(()), "replay of {}", block.height);
            self.finalize(app, block);
        }
        stands
    }

    fn signing_hash(&self) -> Vec<u8> {
        self.signing.as_ref().map(|set| set.quorum_hash.clone()).unwrap_or_default()
    }

    /// What a proposer asks for.
    pub fn prepare_request(&self, round: i32, time: TimestampMillis, txs: Vec<Vec<u8>>) -> RequestPrepareProposal {
        let members = self.signing.as_ref().map(|set| set.validator_updates.clone()).unwrap_or_default();
        // a new set begins at its first member; a lost round moves on
        let turn = usize::try_from(self.height() - self.since).unwrap() + usize::try_from(round).unwrap();
        let proposer = members.get(turn % members.len().max(1)).map(|member| member.pro_tx_hash.clone());
        RequestPrepareProposal {
            max_tx_bytes: MAX_TX_BYTES,
            txs,
            height: (self.height() + 1).try_into().unwrap(),
            round,
            time: Some(timestamp(time)),
            core_chain_locked_height: self.genesis.initial_core_height.0,
            proposer_pro_tx_hash: proposer.unwrap_or_default(),
            proposed_app_version: self.votes_for.unwrap_or(self.app_version),
            version: Some(Consensus { block: BLOCK_PROTOCOL, app: self.app_version }),
            quorum_hash: self.signing_hash(),
            ..RequestPrepareProposal::default()
        }
    }

    /// Has a block proposed.
    pub fn propose(&self, app: &App, round: i32, time: TimestampMillis, txs: Vec<Vec<u8>>) -> Block {
        self.propose_as(app, self.prepare_request(round, time, txs)).0
    }

    /// The same by a request of one's own; the block and what the application answered.
    pub fn propose_as(&self, app: &App, request: RequestPrepareProposal) -> (Block, ResponsePrepareProposal) {
        let answer = app.call(request.clone());
        let in_block = |record: &&TxRecord| [TxAction::Unmodified, TxAction::Added].contains(&record.action());
        let block = Block {
            height: request.height.try_into().unwrap(),
            round: request.round,
            time: TimestampMillis(request.time.unwrap().to_millis().unwrap()),
            proposer: Identifier::from_slice(&request.proposer_pro_tx_hash).unwrap(),
            txs: answer.tx_records.iter().filter(in_block).map(|record| record.tx.clone()).collect(),
            app_version: answer.app_version,
            proposed_version: request.proposed_app_version,
            app_hash: answer.app_hash.clone(),
            results: agreed(&answer.tx_results),
            validators: answer.validator_set_update.clone(),
            params: answer.consensus_param_updates.clone(),
            quorum_hash: request.quorum_hash,
            core_height: request.core_chain_locked_height,
        };
        (block, answer)
    }

    /// What a node asks about a proposal it got.
    pub fn process_request(&self, block: &Block, round: i32) -> RequestProcessProposal {
        RequestProcessProposal {
            txs: block.txs.clone(),
            hash: block.hash(),
            height: block.height.try_into().unwrap(),
            round,
            time: Some(timestamp(block.time)),
            core_chain_locked_height: block.core_height,
            proposer_pro_tx_hash: block.proposer.to_vec(),
            proposed_app_version: block.proposed_version,
            version: Some(Consensus { block: BLOCK_PROTOCOL, app: block.app_version }),
            quorum_hash: block.quorum_hash.clone(),
            ..RequestProcessProposal::default()
        }
    }

    /// Has a proposal judged, as a node does that got it.
    pub fn process(&self, app: &App, block: &Block, round: i32) -> Result<(), Nil> {
        let answer = app.call(self.process_request(block, round));
        self.vote(block, &answer)
    }

    /// A node's own comparison of an answer with the header.
    fn vote(&self, block: &Block, answer: &ResponseProcessProposal) -> Result<(), Nil> {
        if answer.status() != ProposalStatus::Accept {
            return Err(Nil::Rejected);
        }
        let same = [
            (answer.app_hash == block.app_hash, "app hash"),
            (agreed(&answer.tx_results) == block.results, "results"),
            (answer.validator_set_update == block.validators, "validators"),
            (answer.consensus_param_updates == block.params, "parameters"),
        ];
        match same.iter().find(|(same, _)| !same) {
            Some((_, what)) => Err(Nil::Mismatch(what)),
            None => Ok(()),
        }
    }

    /// Votes, with the empty extensions of everybody.
    pub fn precommit(&self, app: &App, block: &Block, round: i32) {
        let (hash, height) = (block.hash(), i64::try_from(block.height).unwrap());
        let extended = app.call(RequestExtendVote { hash: hash.clone(), height, round });
        assert!(extended.vote_extensions.is_empty());
        let other = RequestVerifyVoteExtension {
            hash,
            validator_pro_tx_hash: vec![7; 32],
            height,
            round,
            vote_extensions: extended.vote_extensions,
        };
        assert_eq!(app.call(other).status, 1, "an equal extension is accepted");
    }

    /// What a node asks once a block is decided.
    pub fn finalize_request(&self, block: &Block) -> RequestFinalizeBlock {
        let header = Header {
            version: Some(Consensus { block: BLOCK_PROTOCOL, app: block.app_version }),
            chain_id: self.genesis.chain_id.clone(),
            height: block.height.try_into().unwrap(),
            time: Some(timestamp(block.time)),
            app_hash: block.app_hash.clone(),
            proposed_app_version: block.proposed_version,
            proposer_pro_tx_hash: block.proposer.to_vec(),
            core_chain_locked_height: block.core_height,
            ..Header::default()
        };
        let part_set_header = Some(PartSetHeader { total: 1, hash: block.hash() });
        RequestFinalizeBlock {
            commit: Some(CommitInfo {
                round: block.round,
                quorum_hash: block.quorum_hash.clone(),
                block_signature: vec![0; 96],
                ..CommitInfo::default()
            }),
            hash: block.hash(),
            height: block.height.try_into().unwrap(),
            round: block.round,
            block: Some(WireBlock {
                header: Some(header),
                data: Some(Data { txs: block.txs.clone() }),
                ..WireBlock::default()
            }),
            block_id: Some(BlockId { hash: block.hash(), part_set_header, state_id: vec![3; 32] }),
            ..RequestFinalizeBlock::default()
        }
    }

    /// Has a decided block committed, and the mempool flushed.
    pub fn finalize(&self, app: &App, block: &Block) {
        let done = app.call(self.finalize_request(block));
        assert_eq!(done.retain_height, 0);
        app.call(RequestFlush {});
    }

    /// The network has decided a block.
    pub fn decide(&mut self, block: Block) {
        if let Some(set) = &block.validators {
            self.signing = Some(set.clone());
            self.since = block.height;
        }
        if let Some(version) = block.params.as_ref().and_then(|params| params.version.as_ref()) {
            self.app_version = version.app_version;
        }
        self.blocks.push(block);
    }

    /// A whole height on one node: proposed, processed, voted for, decided, committed.
    pub fn height_on(&mut self, app: &App, time: TimestampMillis, txs: Vec<Vec<u8>>) -> Block {
        let block = self.propose(app, 0, time, txs);
        assert_eq!(self.process(app, &block, 0), Ok(()));
        self.precommit(app, &block, 0);
        self.finalize(app, &block);
        self.decide(block.clone());
        block
    }
}

impl Block {
    /// Its hash: of everything in it, but not of the round.
    pub fn hash(&self) -> Vec<u8> {
        let unhashed = Self { round: 0, ..self.clone() };
        sha256(format!("{unhashed:?}").as_bytes()).to_vec()
    }
}

/// What of results is agreed on.
fn agreed(results: &[ExecTxResult]) -> Vec<(u32, Vec<u8>, i64)> {
    results.iter().map(|result| (result.code, result.data.clone(), result.gas_used)).collect()
}

fn as_update(quorum: &Quorum) -> ValidatorSetUpdate {
    use tenderdash_abci::proto::crypto::{PublicKey, public_key::Sum};
    let key = |bytes: &[u8]| Some(PublicKey { sum: Some(Sum::Bls12381(bytes.to_vec())) });
    let member = |member: &Member| ValidatorUpdate {
        pub_key: key(&member.public_key),
        power: 100,
        pro_tx_hash: member.pro_tx_hash.to_vec(),
        node_address: member.node_address.clone(),
    };
    ValidatorSetUpdate {
        validator_updates: quorum.members.iter().map(member).collect(),
        threshold_public_key: key(&quorum.threshold_public_key),
        quorum_hash: quorum.quorum_hash.to_vec(),
    }
}

/// A block time on the wire.
pub fn timestamp(time: TimestampMillis) -> Timestamp {
    Timestamp::from_millis(time.0).unwrap()
}
