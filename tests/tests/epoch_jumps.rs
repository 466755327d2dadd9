//! Clocks that jump: blocks right on a border, epochs without blocks, and times no epoch has.

use dpp::block::ChainParameters;
use dpp::primitives::{Credits, EpochIndex, Identifier, TimestampMillis};
use drive::pool;
use drive_abci::error::NodeError;
use drive_abci::platform::Outcome;
use platform_tests::chain::{GENESIS_TIME, PROPOSER};
use platform_tests::ledger::Ledger;
use platform_tests::{Chain, Node, Wallet, types};
use serde_json::json;

const EPOCH_MS: u64 = 3_600_000;
const PARAMETERS: ChainParameters = ChainParameters { epoch_length_seconds: 3_600, epochs_per_era: 40 };

/// A chain with a writer, and the ledger it must agree with after every block.
struct Story<'c, 'd> {
    chain: &'c mut Chain<'d>,
    ledger: Ledger,
    alice: Wallet,
    contract: Identifier,
    /// A permanent document, deleted in the next block.
    refundable: Option<Identifier>,
}

fn tell(story: impl FnOnce(&mut Story<'_, '_>)) {
    let mut alice = Wallet::new("alice");
    let day = types::levelled(86_400, &[]);
    let twin = types::permanent(types::flash());
    let (register, contract) = alice.register(&json!({ "note": types::note(), "day": day, "twin": twin }));
    Node::with_epochs(14, &["alice"], PARAMETERS).run(|chain| {
        let ledger = Ledger { epoch: Some(0), ..Ledger::default() };
        let mut told = Story { chain, ledger, alice, contract, refundable: None };
        told.block(1, vec![register]);
        story(&mut told);
    });
}

impl Story<'_, '_> {
    /// A block so many milliseconds after the first, with transitions.
    fn block(&mut self, after: u64, transitions: Vec<Vec<u8>>) {
        let result = self.chain.block_at(TimestampMillis(GENESIS_TIME.0 + after), transitions);
        assert!(result.outcomes.iter().all(|outcome| matches!(outcome, Outcome::Accepted { .. })), "{result:?}");
        self.ledger.follow(self.chain.drive(), &result);
        self.ledger.agrees(self.chain.drive(), self.chain.platform.chain_state());
    }

    /// A block with documents of two lifetimes, and a permanent one more and one less.
    fn busy_block(&mut self, after: u64) {
        let mut transitions = vec![
            self.alice.create(self.contract, "note", &json!({ "text": "a" })).0,
            self.alice.create(self.contract, "day", &json!({ "n": 1 })).0,
        ];
        transitions.extend(self.refundable.take().map(|id| self.alice.delete(self.contract, "twin", id)));
        let (twin, id) = self.alice.create(self.contract, "twin", &json!({ "tag": "a" }));
        self.refundable = Some(id);
        transitions.push(twin);
        self.block(after, transitions);
    }

    fn epoch(&self) -> u64 {
        self.ledger.epoch.unwrap()
    }

    fn balance_of_proposer(&self) -> u64 {
        drive::identity::balance(&self.chain.drive().reader(), PROPOSER).unwrap().unwrap().0
    }
}

/// A border belongs to the epoch it begins; the millisecond before belongs to the one before.
#[test]
fn a_block_on_the_border_is_the_first_of_its_epoch() {
    tell(|story| {
        for (after, epoch) in [
            (EPOCH_MS - 1, 0),
            (EPOCH_MS, 1),
            (EPOCH_MS, 1),
            (2 * EPOCH_MS - 1, 1),
            (2 * EPOCH_MS, 2),
            (3 * EPOCH_MS, 3),
            (3 * EPOCH_MS + 1, 3),
        ] {
            let paid = story.balance_of_proposer();
            let changes = story.epoch() != epoch;
            story.busy_block(after);
            assert_eq!(story.epoch(), epoch, "{after} ms");
            assert_eq!(story.balance_of_proposer() > paid, changes, "{after} ms: paid at the change and only then");
        }
    });
}

/// What a spread gave to an epoch in which no block falls stays in its pool for ever; the next epoch
/// with a block is the oldest unpaid one.
#[test]
fn an_epoch_without_blocks_keeps_its_pools() {
    tell(|story| {
        story.busy_block(EPOCH_MS / 2);
        story.busy_block(EPOCH_MS);
        story.busy_block(EPOCH_MS + 1);
        let of = |story: &Story<'_, '_>, epoch| {
            pool::epoch_pools(&story.chain.drive().reader(), EpochIndex(epoch)).unwrap().0
        };
        // epoch 1 spread notes over 40 epochs and days over 24, so 2 to 4 hold the same
        let given = [2, 3, 4].map(|epoch| of(story, epoch));
        assert!(given[0] > Credits(0) && given == [given[0]; 3]);
        // from 1 to 5: what epoch 1 collected is spread from 5 on
        story.block(5 * EPOCH_MS, Vec::new());
        assert_eq!([2, 3, 4].map(|epoch| of(story, epoch)), given);
        assert_eq!(pool::unpaid_epoch(&story.chain.drive().reader()).unwrap(), EpochIndex(5));
        for epoch in [6, 7, 60] {
            story.busy_block(epoch * EPOCH_MS + 7);
            assert_eq!([2, 3, 4].map(|epoch| of(story, epoch)), given, "epoch {epoch}");
        }
        assert_eq!(of(story, 5), Credits(0), "paid");
        assert_eq!(story.ledger.paid.keys().copied().collect::<Vec<_>>(), [0, 1, 5, 6, 7]);
    });
}

/// Jumps beyond every lifetime, beyond an era, and beyond all that is spread, with refunds waiting.
#[test]
fn long_jumps_lose_nothing() {
    tell(|story| {
        for epoch in [0, 1, 42, 43, 200, 2_300, 2_301] {
            story.busy_block(epoch * EPOCH_MS + 10);
            story.busy_block(epoch * EPOCH_MS + 20);
        }
        assert_eq!(story.ledger.charged, story.ledger.spread + story.ledger.lifetime.values().sum::<u64>());
    });
}

/// Past the last epoch that has 50 eras of trees to come there is no block; the chain goes on before it.
#[test]
fn a_time_without_an_epoch_is_rejected() {
    tell(|story| {
        for epoch in [63_280, 65_279, 65_280, 70_000] {
            let time = TimestampMillis(GENESIS_TIME.0 + epoch * EPOCH_MS);
            let request = story.chain.request_at(time, Vec::new());
            for result in [
                story.chain.platform.prepare_proposal(&request).map(|_| ()),
                story.chain.platform.process_proposal(&request).map(|_| ()),
            ] {
                assert!(matches!(result, Err(NodeError::Rejected(_))), "epoch {epoch}: {result:?}");
            }
        }
        story.busy_block(EPOCH_MS);
    });
}
