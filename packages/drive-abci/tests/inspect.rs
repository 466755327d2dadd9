//! Looking into data directories: beside a running chain, and what is no data directory.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

mod command;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::SystemTime;

use command::{json, run, test_file};
use dpp::block::ChainParameters;
use drive::Drive;
use drive_abci::chain::folder::open_state;
use drive_abci::chain::generator::Generator;
use drive_abci::chain::local::LocalChain;
use drive_abci::chain::strategy::LoadedStrategy;
use drive_abci::inspect::{InspectError, Snapshot, Summary};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde_json::json;
use tempfile::TempDir;

/// A data directory of the notes strategy: a document type of two weeks, five notes an hour from
/// the first hour on, one block an hour.
fn notes(blocks: u64) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    extend(&data, blocks);
    (folder, data)
}

fn extend(data: &Path, blocks: u64) {
    let strategy = test_file("strategies/notes.yaml");
    let (code, _, stderr) =
        run(&["simulate", &strategy, "--blocks", &blocks.to_string(), "--data-dir", data.to_str().unwrap()]);
    assert_eq!((code, stderr.as_str()), (0, ""));
}

fn state(data: &Path) -> Drive {
    open_state(&data.join("state"), ChainParameters::default()).unwrap()
}

fn contents(folder: &Path) -> BTreeMap<PathBuf, (SystemTime, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| match path.is_dir() {
        true => contents(&path),
        false => {
            BTreeMap::from([(path.clone(), (path.metadata().unwrap().modified().unwrap(), fs::read(path).unwrap()))])
        }
    });
    files.collect()
}

#[test]
fn help_is_what_it_was() {
    for what in [&[][..], &["summary"], &["expirations"], &["documents"], &["pools"], &["tree"]] {
        let (code, stdout, stderr) = run(&[&["inspect", "data"], what, &["--help"]].concat());
        assert_eq!((code, stderr.as_str()), (0, ""));
        insta::assert_snapshot!(
            ["inspect", "help"].into_iter().chain(what.iter().copied()).collect::<Vec<_>>().join("-"),
            stdout
        );
    }
}

#[test]
fn a_directory_in_use_is_read_and_left_as_it_is() {
    let (_folder, data) = notes(3);
    let directory = data.to_str().unwrap();
    let loaded = LoadedStrategy::read(Path::new(&test_file("strategies/notes.yaml")), None).unwrap();
    let drive = state(&data);
    let mut chain = LocalChain::open(&drive, Generator::new(loaded).unwrap()).unwrap();
    chain.next_block().unwrap();

    // the engine that has the directory open tidies up behind itself at times of its own; what a look
    // wrote would be written by every look
    let app_hash = chain.platform().app_hash();
    let left_alone = (0..20).any(|_| {
        let before = contents(&data);
        let (code, summary) = json(&["inspect", directory, "summary"]);
        assert_eq!((code, &summary["height"], &summary["app_hash"]), (0, &json!(4), &json!(hex::encode(app_hash))));
        for what in [&["expirations"][..], &["pools"], &["tree", "/"]] {
            assert_eq!(run(&[&["inspect", directory], what].concat()).0, 0);
        }
        contents(&data) == before
    });
    assert!(left_alone, "every look changed the directory");

    // and while blocks are committed, each look shows one of them, whole
    let (done, looked) = (AtomicBool::new(false), AtomicUsize::new(0));
    let mut hashes = BTreeMap::from([(4, app_hash)]);
    let seen = std::thread::scope(|scope| {
        let looks = scope.spawn(|| {
            let mut seen = Vec::new();
            while !done.load(Ordering::SeqCst) {
                let summary = Summary::read(&Snapshot::take(&data).unwrap()).unwrap();
                assert!(summary.credits.balanced);
                seen.push((summary.height.unwrap().0, summary.app_hash, summary.queue.entries));
                looked.fetch_add(1, Ordering::SeqCst);
            }
            seen
        });
        // as many blocks as four looks take, however slow this machine is; the notes are written for ten days
        for height in 5..=240 {
            if looked.load(Ordering::SeqCst) >= 4 || looks.is_finished() {
                break;
            }
            chain.next_block().unwrap();
            hashes.insert(height, chain.platform().app_hash());
        }
        done.store(true, Ordering::SeqCst);
        looks.join().unwrap()
    });
    assert!(!seen.is_empty() && seen.is_sorted_by_key(|(height, ..)| *height), "{seen:?}");
    for (height, app_hash, entries) in seen {
        assert_eq!(app_hash, hex::encode(hashes[&height]), "height {height}");
        // block 1 registers the contract, each later one writes five notes
        assert_eq!(entries, (height - 1) * 5);
    }
}

#[test]
fn a_summary_says_where_the_chain_stands() {
    let (_folder, data) = notes(4);
    // the second start makes tables of the log
    drop(state(&data));
    let (code, summary) = json(&["inspect", data.to_str().unwrap(), "summary"]);
    assert_eq!(code, 0);
    assert_eq!((&summary["chain_id"], &summary["protocol_version"]), (&json!("notes"), &json!(14)));
    assert_eq!((&summary["height"], &summary["epoch"]), (&json!(4), &json!(0)));
    // 2025-01-01T03:00:00Z, and two weeks after the first note
    assert_eq!(summary["time_ms"], json!(1_735_700_400_000_u64));
    let queue = json!({"entries": 15, "due": 0, "oldest_ms": 1_735_693_200_000_u64 + 1_209_600_000, "lag_ms": 0});
    assert_eq!(summary["queue"], queue);
    assert_eq!(summary["credits"]["balanced"], json!(true));
    let types = &summary["contracts"][0]["document_types"];
    assert_eq!(*types, json!([{"name": "note", "documents": 15, "ttl_seconds": 1_209_600}]));
    let (code, text, _) = run(&["inspect", data.join("state").to_str().unwrap(), "summary"]);
    assert!(code == 0 && text.contains("15 entries, 0 due") && text.contains("14 days"), "{text}");
}

#[test]
fn the_queue_is_listed_in_order_and_forecast_by_the_hour() {
    // block 338 is two weeks and one hour after the first: the notes of the first hour are gone
    let (_folder, data) = notes(338);
    let directory = data.to_str().unwrap();
    let (code, found) = json(&["inspect", directory, "expirations", "--limit", "7", "--hours", "3"]);
    assert_eq!(code, 0);
    let now = 1_735_689_600_000_u64 + 337 * 3_600_000;
    let hour = |hours: u64, entries: u64| json!({"until_ms": now + hours * 3_600_000, "entries": entries});
    // 240 hours have notes; those of the first are removed, those of the next three fall due
    let forecast = json!({"due": 0, "hours": [hour(1, 5), hour(2, 5), hour(3, 5)], "later": 239 * 5 - 15});
    assert_eq!((&found["entries"], &found["forecast"]), (&json!(239 * 5), &forecast));
    let listed = found["expirations"].as_array().unwrap();
    let left: Vec<_> = listed.iter().map(|entry| entry["left_ms"].as_u64().unwrap() / 3_600_000).collect();
    assert_eq!(left, [1, 1, 1, 1, 1, 2, 2]);
    let contract = listed[0]["contract_id"].as_str().unwrap();
    let of_contract = json(&["inspect", directory, "expirations", "--contract", contract]).1;
    assert_eq!(of_contract["entries"], json!(239 * 5));
    let nobody = "11111111111111111111111111111111";
    let of_nobody = json(&["inspect", directory, "expirations", "--contract", nobody]).1;
    assert_eq!((&of_nobody["entries"], &of_nobody["expirations"]), (&json!(0), &json!([])));

    let tree = json(&["inspect", directory, "tree", "104/E", "--limit", "1"]).1;
    let first = listed[0]["expires_at_ms"].as_u64().unwrap();
    assert_eq!((&tree["elements"][0]["key"], &tree["more"]), (&json!(format!("u64:{first}")), &json!(true)));
    let times = json(&["inspect", directory, "tree", &format!("104/E/u64:{first}")]).1;
    assert_eq!(times["elements"].as_array().unwrap().len(), 5);
    assert_eq!(times["elements"][0]["key"], listed[0]["document_id"]);
    let value = times["elements"][0]["value"].as_str().unwrap();
    assert!(value.ends_with(&hex::encode("note")) && value.len() == 72, "{value}");
    assert_eq!(times["elements"][0]["flags"], json!(null), "entries carry no flags");
}

#[test]
fn documents_are_decoded_with_their_expiry() {
    let (_folder, data) = notes(2);
    let directory = data.to_str().unwrap();
    let summary = json(&["inspect", directory, "summary"]).1;
    let contract = summary["contracts"][0]["id"].as_str().unwrap();
    let (code, found) = json(&["inspect", directory, "documents", contract, "note", "--limit", "2"]);
    assert_eq!((code, &found["total"], &found["ttl_seconds"]), (0, &json!(5), &json!(1_209_600)));
    let documents = found["documents"].as_array().unwrap();
    assert_eq!(documents.len(), 2);
    for document in documents {
        let properties = &document["properties"];
        assert_eq!(properties["$id"], document["id"]);
        assert_eq!(properties["$createdAt"], json!(1_735_693_200_000_u64));
        assert_eq!(document["expires_at_ms"], json!(1_735_693_200_000_u64 + 1_209_600_000));
        assert_eq!(document["left_ms"], json!(1_209_600_000));
        assert!(properties["text"].is_string() && properties["$ownerId"].is_string(), "{properties}");
    }
    // the item itself stands in the primary tree
    let path = format!("64/{contract}/1/note/0/{}", documents[0]["id"].as_str().unwrap());
    let item = json(&["inspect", directory, "tree", &path]).1;
    assert_eq!(item["elements"][0]["kind"], json!("item"));
    let contract_path = format!("64/{contract}/0");
    let flags = &json(&["inspect", directory, "tree", &contract_path]).1["elements"][0]["flags"];
    assert_eq!((&flags["owner_id"], &flags["base_epoch"]), (&summary["contracts"][0]["owner_id"], &json!(0)));
    let (code, text, _) = run(&["inspect", directory, "documents", contract, "note"]);
    assert!(code == 0 && text.contains("5 documents") && text.contains("left"), "{text}");
}

#[test]
fn pools_add_up_to_their_tree() {
    let (_folder, data) = notes(260);
    let directory = data.to_str().unwrap();
    let (code, pools) = json(&["inspect", directory, "pools"]);
    assert_eq!(code, 0);
    let sum = |list: &serde_json::Value, name: &str| -> i64 {
        list.as_array().unwrap().iter().map(|pool| pool[name].as_i64().unwrap()).sum()
    };
    let lifetime = sum(&pools["lifetime_pools"], "credits");
    let epochs = sum(&pools["epochs"], "storage") + sum(&pools["epochs"], "processing");
    let refunds = sum(&pools["pending_refunds"], "credits");
    let total = pools["storage_pool"].as_i64().unwrap() + lifetime + epochs - refunds;
    assert!(lifetime > 0 && epochs > 0);
    assert_eq!(pools["total"], json!(total));
    let root = json(&["inspect", directory, "tree", "/"]).1;
    let of_root = root["elements"].as_array().unwrap().iter().find(|element| element["key"] == "48").unwrap();
    assert_eq!((&of_root["kind"], &of_root["total"]), (&json!("sum_tree"), &json!(total)));
    // the sums, the books, and what the running epoch's proposers would get: block 260 is of epoch 1,
    // which began with the 220th block, 219 hours after the first
    assert_eq!((&pools["lifetime_total"], &pools["refunds_total"]), (&json!(lifetime), &json!(refunds)));
    let sums = pools["epochs_storage"].as_i64().unwrap() + pools["epochs_processing"].as_i64().unwrap();
    assert_eq!(sums, epochs);
    let credits = |name: &str| pools["credits"][name].as_i64().unwrap();
    assert_eq!((credits("pools"), pools["credits"]["balanced"].as_bool()), (total, Some(true)));
    assert_eq!(credits("issued"), credits("identities") + total + credits("prefunded"));
    let running = &pools["running"];
    assert_eq!((&running["epoch"], &running["start_height"], &running["blocks"]), (&json!(1), &json!(220), &json!(41)));
    assert_eq!(pools["unpaid_epoch"], json!(1));
    assert_eq!(sum(&running["proposers"], "blocks"), 41);
    assert_eq!(json!(sum(&running["proposers"], "due")), running["due"]);
    let (code, text, _) = run(&["inspect", directory, "pools"]);
    assert!(code == 0 && text.lines().count() < 80 && text.contains("epochs "), "{text}");
    assert!(text.contains("Epoch 1 runs since height 220: 41 blocks so far") && text.contains(" issued = "), "{text}");
}

#[test]
fn what_is_no_data_directory_says_why_and_what_next() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (empty, foreign, file, missing, begun) =
        (path("empty"), path("foreign"), path("file"), path("missing"), path("begun"));
    fs::create_dir(&empty).unwrap();
    fs::create_dir_all(Path::new(&foreign).join("state")).unwrap();
    fs::write(Path::new(&foreign).join("state/CURRENT"), "a fast river\n").unwrap();
    fs::write(&file, "x").unwrap();
    // a store in which no chain was started
    fs::create_dir(&begun).unwrap();
    drop(open_state(Path::new(&begun), ChainParameters::default()).unwrap());
    for (directory, named) in [
        (&missing, "there is no directory"),
        (&file, "there is no directory"),
        (&empty, "holds no chain"),
        (&foreign, "holds no chain"),
        (&begun, "no chain was started"),
    ] {
        let before = if Path::new(directory).is_dir() { contents(Path::new(directory)) } else { BTreeMap::new() };
        let (code, stdout, stderr) = run(&["inspect", directory, "summary"]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{directory}");
        assert!(stderr.starts_with("error:") && stderr.contains(named) && stderr.contains("next:"), "{stderr}");
        assert!(before.is_empty() || contents(Path::new(directory)) == before);
    }
    assert!(!Path::new(&missing).exists());
}

#[test]
fn a_state_of_another_version_or_block_is_refused() {
    let (_folder, data) = notes(2);
    let saved = {
        let drive = state(&data);
        String::from_utf8(drive.aux(b"saved_state").unwrap().unwrap()).unwrap()
    };
    let cases = [
        (r#""protocolVersion":14"#, r#""protocolVersion":99"#, "protocol version 99"),
        (r#""protocolVersion":14"#, r#""colour":1,"protocolVersion":14"#, "not one of this release"),
        (r#""appHash":""#, r#""appHash":"00"#, "not one of this release"),
        (r#""chainId""#, r#""chainId":"#, "not one of this release"),
    ];
    let put = |text: &str| {
        let drive = state(&data);
        let transaction = drive.begin();
        transaction.put_aux(b"saved_state", text.as_bytes()).unwrap();
        drive.commit(transaction).unwrap();
    };
    let directory = data.to_str().unwrap();
    for (from, to, named) in cases {
        assert!(saved.contains(from), "{saved}");
        put(&saved.replacen(from, to, 1));
        let (code, stdout, stderr) = run(&["inspect", directory, "summary"]);
        assert_eq!((code, stdout.as_str()), (2, ""));
        assert!(stderr.contains(named) && stderr.contains("release"), "{stderr}");
    }
    let hash = saved.split(r#""appHash":""#).nth(1).unwrap().split('"').next().unwrap();
    put(&saved.replace(hash, &"ab".repeat(32)));
    let (code, _, stderr) = run(&["inspect", directory, "summary"]);
    assert!(code == 2 && stderr.contains(hash) && stderr.contains("next:"), "{stderr}");
    put(&saved);
    assert_eq!(run(&["inspect", directory, "summary"]).0, 0);
}

#[test]
fn what_is_not_in_the_chain_is_said() {
    let (_folder, data) = notes(1);
    let directory = data.to_str().unwrap();
    let contract = json(&["inspect", directory, "summary"]).1["contracts"][0]["id"].as_str().unwrap().to_owned();
    let nobody = "11111111111111111111111111111111";
    let cases: [(&[&str], &str); 5] = [
        (&["documents", nobody, "note"], "no contract"),
        (&["documents", &contract, "nota"], "it has: note"),
        (&["tree", "64/E"], "nothing at '/64/E'"),
        (&["tree", "300"], "0 to 255"),
        (&["tree", "64//E"], "0x for the empty key"),
    ];
    for (arguments, named) in cases {
        let (code, stdout, stderr) = run(&[&["inspect", directory], arguments].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.contains(named) && stderr.contains("next:"), "{stderr}");
    }
    for usage in [&["documents", "nobody", "note"][..], &["expirations", "--hours", "9000"], &["fly"], &[]] {
        assert_eq!(run(&[&["inspect", directory], usage].concat()).0, 2, "{usage:?}");
    }
}

/// One damaged byte, or a file cut off: an error, or one of the chain's own blocks.
#[test]
fn a_damaged_directory_is_never_shown_as_something_else() {
    let (_folder, data) = notes(3);
    let mut hashes = Vec::new();
    for blocks in 4..=6 {
        extend(&data, blocks);
        hashes.push(Summary::read(&Snapshot::take(&data).unwrap()).unwrap().app_hash);
    }
    let files = contents(&data.join("state"));
    let files: Vec<_> = files.into_iter().filter(|(path, _)| !path.to_str().unwrap().contains("LOG")).collect();
    let mut refused = 0;
    for seed in 0..24 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut below = |bound: usize| usize::try_from(random.next_u64() % u64::try_from(bound).unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        files.iter().for_each(|(path, (_, bytes))| {
            fs::write(folder.path().join(path.file_name().unwrap()), bytes).unwrap();
        });
        let (path, (_, bytes)) = &files[below(files.len())];
        let mut bytes = bytes.clone();
        if bytes.is_empty() {
            continue;
        }
        let place = below(bytes.len());
        if below(3) == 0 {
            bytes.truncate(place)
        } else {
            bytes[place] ^= 1 << below(8)
        }
        let name = path.file_name().unwrap();
        fs::write(folder.path().join(name), bytes).unwrap();
        match Snapshot::take(folder.path()).and_then(|snapshot| Summary::read(&snapshot)) {
            Ok(summary) => assert!(hashes.contains(&summary.app_hash), "seed {seed}: {name:?} at {place}"),
            Err(InspectError::NoChain { .. } | InspectError::Unreadable { .. }) => refused += 1,
            Err(other) => panic!("seed {seed}: {name:?} at {place}: {other}"),
        }
    }
    assert!(refused > 5, "{refused}");
}
