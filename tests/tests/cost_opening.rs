//! Opening a state counts no queue: its figures are kept with each block, and equal a walk.

use dpp::primitives::TimestampMillis;
use drive::expiry::QueueFigures;
use platform_tests::{Chain, Node, Wallet, types};
use serde_json::json;

fn kept_figures_equal_a_walk(chain: &Chain<'_>) {
    let drive = chain.drive();
    assert_eq!(*drive.queue_figures(), QueueFigures::walk(&drive.reader()).unwrap());
}

/// Creates, owners' deletions and cleanups, with a restart after every block.
#[test]
fn figures_are_kept_with_every_block() {
    let node = Node::new(14, &["alice"]);
    let mut alice = Wallet::new("alice");
    let contract = node.run(|chain| {
        assert!(chain.drive().queue_was_walked(), "an empty folder has no figures");
        let (register, contract) = alice.register(&json!({ "flash": types::flash(), "claim": types::claim() }));
        chain.accept(vec![register]);
        contract
    });
    for round in 0_u64..6 {
        node.run(|chain| {
            assert!(!chain.drive().queue_was_walked(), "restart {round}");
            kept_figures_equal_a_walk(chain);
            let flash = |alice: &mut Wallet| alice.create(contract, "flash", &json!({ "tag": "a" }));
            let (kept, _) = flash(&mut alice);
            let (deleted, id) = flash(&mut alice);
            let delete = alice.delete(contract, "flash", id);
            let claim = alice.create(contract, "claim", &json!({ "name": format!("name {round}") })).0;
            // what was created two rounds ago is removed
            let time = TimestampMillis(chain.time.0 + types::HOUR * 500);
            chain.accept_at(time, vec![kept, deleted, delete, claim]);
            assert_eq!(chain.drive().queue_figures().entries(), 2 * (round + 1).min(2));
            kept_figures_equal_a_walk(chain);
        });
    }
}

/// Whoever writes to the state otherwise is noticed by its root hash.
#[test]
fn figures_of_another_state_are_walked_anew() {
    let node = Node::new(14, &["alice"]);
    node.run(|chain| {
        let time = TimestampMillis(chain.time.0);
        chain.plant(|transaction| {
            let at = drive::tree::expiry::time_key(time);
            let path = drive::tree::expiry::queue();
            let (tree, item) = (drive::store::TreeKind::Normal, b"entry".to_vec());
            let tree = drive::store::Element::Tree(tree, None);
            transaction.apply(vec![drive::store::StoreOp::put(path.clone(), at.clone(), tree)]).unwrap();
            let item = drive::store::Element::Item(item, None);
            transaction.apply(vec![drive::store::StoreOp::put(path.child(at), [1; 32], item)]).unwrap();
        });
        assert_eq!(chain.drive().queue_figures().entries(), 1);
    });
    // the chain would not go on from this state; its drive opens
    let drive = drive::Drive::open(node.folder(), schedule()).unwrap();
    assert!(drive.queue_was_walked());
    assert_eq!((drive.queue_figures().entries(), *drive.queue_figures() == walk(&drive)), (1, true));
}

fn schedule() -> dpp::fee::EpochSchedule {
    let parameters = dpp::block::ChainParameters::default();
    dpp::fee::EpochSchedule::new(parameters.epoch_length_seconds, parameters.epochs_per_era).unwrap()
}

fn walk(drive: &drive::Drive) -> QueueFigures {
    QueueFigures::walk(&drive.reader()).unwrap()
}
