//! Full dumps of the version tables: nothing changes by inheritance unseen.
//!
//! A dump of 13 never changes once it is there. To record a deliberate change of 14 run with
//! `UPDATE_GOLDEN=14`.

use std::{fs, path::PathBuf};

use platform_version::{PlatformVersion, ProtocolVersion};

/// Frozen versions: no environment variable rewrites them.
const FROZEN: [u32; 1] = [13];

fn golden_file(version: ProtocolVersion) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/golden/v{version}/rules.txt"))
}

#[test]
fn every_table_equals_its_recorded_dump() {
    for table in PlatformVersion::ALL {
        let version = table.protocol_version;
        let dump = format!("{table:#?}\n");
        let file = golden_file(version);
        let may_record = !FROZEN.contains(&version.0) || !file.exists();
        if may_record && std::env::var("UPDATE_GOLDEN").as_deref() == Ok(&version.to_string()) {
            fs::write(&file, &dump).unwrap();
        }
        let recorded = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(dump, recorded, "rules of protocol version {version} differ from {}", file.display());
    }
}
