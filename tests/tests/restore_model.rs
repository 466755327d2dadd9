//! No action can keep an expired document alive or bring it back: random acts of owners, buyers and
//! moderators on documents of one type, over random jumps in time, beside the one thing that must hold.
//!
//! The invariants of the state run after every block.

use std::collections::BTreeMap;

use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use platform_tests::chain::code;
use platform_tests::documents::find;
use platform_tests::moderation::{both_lists, delete, restore, stored};
use platform_tests::wallet::values;
use platform_tests::{Chain, Wallet, types, with_chain};
use proptest::prelude::*;
use serde_json::json;

/// One thing somebody tries on one of the documents that ever were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Try {
    Create,
    Replace,
    Transfer,
    Price,
    Purchase,
    OwnerDelete,
    ModeratorDelete,
    Restore,
}

const TRIES: [Try; 8] = [
    Try::Create,
    Try::Replace,
    Try::Transfer,
    Try::Price,
    Try::Purchase,
    Try::OwnerDelete,
    Try::ModeratorDelete,
    Try::Restore,
];

/// What is tried, on which document, which of the bytes it had, and how many seconds after the last block.
type Step = (Try, prop::sample::Index, prop::sample::Index, u64);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let what = prop_oneof![3 => Just(Try::Create), 2 => Just(Try::ModeratorDelete), 3 => Just(Try::Restore),
        4 => prop::sample::select(TRIES.to_vec())];
    let wait = prop_oneof![3 => Just(0), 3 => 1_u64..600, 1 => Just(1_800), 1 => Just(3_599), 1 => Just(3_600)];
    prop::collection::vec((what, any::<prop::sample::Index>(), any::<prop::sample::Index>(), wait), 12..32)
}

/// A document that was written once.
struct Life {
    created_at: TimestampMillis,
    /// Every form it was stored in.
    forms: Vec<Vec<u8>>,
}

struct World {
    contract: Identifier,
    alice: Wallet,
    owners: [Wallet; 2],
    lives: BTreeMap<Identifier, Life>,
}

impl World {
    /// The transition of a step, and the document it is about.
    fn transition(&mut self, chain: &Chain<'_>, step: Step) -> Option<(Vec<u8>, Identifier)> {
        let (what, document, form, _) = step;
        let contract = self.contract;
        if what == Try::Create {
            let slug = format!("s{}", self.lives.len());
            return Some(self.owners[0].create(contract, "post", &json!({ "slug": slug, "topic": "t" })));
        }
        let ids: Vec<Identifier> = self.lives.keys().copied().collect();
        let id = *ids.get(document.index(ids.len().max(1)))?;
        let now = find(chain, contract, "post", id);
        let revision = Revision(now.as_ref().and_then(|now| now.revision).unwrap_or_default().0 + 1);
        let owner = now.as_ref().map_or(self.owners[0].id, |now| now.owner_id);
        let price = now.and_then(|now| now.price).unwrap_or(Credits(1));
        let owned = usize::from(self.owners[1].id == owner);
        let other = self.owners[1 - owned].id;
        let data = || values(&json!({ "slug": id.to_string()[..20], "topic": "u" }));
        let action = match what {
            Try::Create => return None,
            Try::ModeratorDelete => return Some((self.alice.moderate(contract, delete("post", id)), id)),
            Try::Restore => {
                let forms = &self.lives[&id].forms;
                let bytes = forms[form.index(forms.len())].clone();
                return Some((self.alice.moderate(contract, restore("post", &bytes)), id));
            }
            Try::Replace => DocumentAction::Replace { revision, data: data() },
            Try::Transfer => DocumentAction::Transfer { revision, recipient_id: other },
            Try::Price => DocumentAction::UpdatePrice { revision, price: Credits(5) },
            Try::OwnerDelete => DocumentAction::Delete,
            Try::Purchase => {
                let buy = DocumentAction::Purchase { revision, price };
                return Some((self.owners[1 - owned].document(contract, "post", (id, buy)), id));
            }
        };
        Some((self.owners[owned].document(contract, "post", (id, action)), id))
    }

    /// Nobody's end moved, and nobody lives past it.
    fn holds(&mut self, chain: &Chain<'_>) {
        for (id, life) in &mut self.lives {
            let Some(bytes) = stored(chain, self.contract, "post", *id) else { continue };
            let document = find(chain, self.contract, "post", *id).unwrap();
            assert_eq!(document.times.created_at, Some(life.created_at), "its creation moved");
            assert!(chain.time.0 < life.created_at.0 + 3_600_000, "{id} lives past its end");
            if !life.forms.contains(&bytes) {
                life.forms.push(bytes);
            }
        }
    }
}

fn run(steps: Vec<Step>) {
    let [mut alice, bob, carol] = ["alice", "bob", "carol"].map(Wallet::new);
    with_chain(14, &["alice", "bob", "carol"], |chain| {
        let (register, contract) =
            alice.register_moderated(&json!({ "post": types::post(types::HOUR) }), both_lists(&[]));
        chain.accept(vec![register]);
        let mut world = World { contract, alice, owners: [bob, carol], lives: BTreeMap::new() };
        for step in steps {
            let Some((bytes, id)) = world.transition(chain, step) else { continue };
            let time = TimestampMillis(chain.time.0 + step.3 * 1_000);
            let code = code(&chain.block_at(time, vec![bytes]).outcomes[0]);
            if step.0 == Try::Create {
                assert_eq!(code, 0);
                world.lives.insert(id, Life { created_at: time, forms: Vec::new() });
            } else if time.0 >= world.lives[&id].created_at.0 + 3_600_000 {
                let only_removes = matches!(step.0, Try::OwnerDelete | Try::ModeratorDelete);
                assert!(code != 0 || only_removes, "{:?} of an expired document is accepted", step.0);
                if step.0 == Try::Restore {
                    assert!([40140, 41119, 41121].contains(&code), "a restore of the dead: {code}");
                }
            }
            world.holds(chain);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5, max_shrink_iters: 40, ..ProptestConfig::default() })]

    // # Rule TTL-17
    // # Rule TTL-24
    #[test]
    fn no_action_keeps_an_expired_document_or_brings_it_back(steps in steps()) {
        run(steps);
    }
}
