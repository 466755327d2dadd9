//! Transitions for nodes under consensus: what a shipped strategy's local chain put into its blocks.

use std::collections::VecDeque;

use dpp::block::ChainParameters;
use dpp::primitives::TimestampMillis;
use drive_abci::chain::accounts::Accounts;
use drive_abci::chain::strategy::LoadedStrategy;
use drive_abci::genesis::Genesis;
use drive_abci::validators::Quorum;

use crate::consensus::{Network, quorum};
use crate::served::{App, Home};
use crate::strategies::{State, shipped, start};

/// A chain's genesis, and what its blocks hold.
pub struct Recorded {
    /// The genesis, with quorums that take turns.
    pub genesis: Genesis,
    /// Time and transitions of each block.
    pub blocks: VecDeque<(TimestampMillis, Vec<Vec<u8>>)>,
    /// What its proposers vote for, if not for what runs.
    pub votes_for: Option<u64>,
}

/// Three quorums of four, two and one.
pub fn quorums() -> Vec<Quorum> {
    vec![quorum(1, &[1, 2, 3, 4]), quorum(2, &[5, 6]), quorum(3, &[7])]
}

impl Recorded {
    /// The first so many blocks of a shipped strategy.
    pub fn of(strategy: &str, blocks: usize) -> Self {
        Self::seeded(strategy, blocks, None)
    }

    /// The same with another seed.
    pub fn seeded(strategy: &str, blocks: usize, seed: Option<u64>) -> Self {
        let loaded = LoadedStrategy::read(&shipped(strategy), seed).unwrap_or_else(|error| panic!("{error}"));
        let votes_for = loaded.strategy.proposed_version.map(u64::from);
        let accounts =
            Accounts::derive(loaded.strategy.seed, loaded.strategy.identities.count, 0).expect("a usable seed");
        let genesis = Genesis { quorums: quorums(), ..accounts.genesis(&loaded.strategy) };
        let state = State::for_strategy(&loaded);
        let mut chain = start(loaded, &state);
        let blocks = blocks.min(usize::try_from(chain.planned_blocks()).unwrap());
        let made = (0..blocks).map(|_| chain.next_block().unwrap_or_else(|error| panic!("{error}")).block);
        Self { genesis, blocks: made.map(|block| (block.time, block.transitions)).collect(), votes_for }
    }

    /// A network without blocks.
    pub fn network(&self) -> Network {
        Network { votes_for: self.votes_for, ..Network::new(self.genesis.clone()) }
    }

    /// Its epochs.
    pub fn parameters(&self) -> ChainParameters {
        self.genesis.parameters
    }

    /// A network that decided all of it, on one node that nothing disturbed.
    pub fn decided(&self) -> Network {
        let home = Home::new(self.parameters());
        let mut network = self.network();
        let decide = |app: &App| {
            network.handshake(app);
            for (time, txs) in &self.blocks {
                let block = network.propose(app, 0, *time, txs.clone());
                network.finalize(app, &block);
                network.decide(block);
            }
        };
        home.serve(decide);
        network
    }
}
