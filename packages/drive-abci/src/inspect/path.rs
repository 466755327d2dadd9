//! Paths of the state as people write them: keys from the root tree down, with `/` between.
//!
//! A key is one byte as a number, an identifier in base58, bytes in hex, a number of fixed width, or
//! text. Invariant: the text this module makes of a key reads back as that key.

use dpp::primitives::Identifier;
use drive::tree::{MAX_KEY_LENGTH, Path};

/// What `/` in front of everything stands for.
const ROOT: &str = "/";

/// A path that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{part}' in the path is not a key: {reason}")]
pub struct InvalidPath {
    /// The part.
    pub part: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// Reads a path; `/` is the root, and slashes around a path do not matter.
pub fn parse_path(text: &str) -> Result<Path, InvalidPath> {
    match text.trim_matches('/') {
        "" => Ok(Path::default()),
        inner => inner.split('/').map(parse_key).collect::<Result<_, _>>().map(Path::from_parts),
    }
}

/// A path as people write it.
pub fn path_text(path: &Path) -> String {
    let parts: Vec<String> = path
        .parts()
        .iter()
        .enumerate()
        .map(|(depth, key)| if depth == 0 { root_key_text(key) } else { key_text(key) })
        .collect();
    format!("{ROOT}{}", parts.join("/"))
}

/// A key below the root as people write it.
pub fn key_text(key: &[u8]) -> String {
    let reads_back = |text: &String| parse_key(text).is_ok_and(|read| read == key);
    candidates(key).into_iter().flatten().find(reads_back).unwrap_or_else(|| format!("0x{}", hex::encode(key)))
}

/// A root tree is known by its number.
pub(super) fn root_key_text(key: &[u8]) -> String {
    match key {
        [number] => number.to_string(),
        _ => key_text(key),
    }
}

/// Forms a key may be shown in, the best first.
fn candidates(key: &[u8]) -> [Option<String>; 6] {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$.-".contains(byte);
    let name = core::str::from_utf8(key).ok().filter(|text| !text.is_empty() && text.bytes().all(|b| is_name(&b)));
    let byte = <[u8; 1]>::try_from(key).ok().map(|[byte]| byte.to_string());
    let identifier = Identifier::from_slice(key).ok().map(|id| id.to_string());
    let short = <[u8; 2]>::try_from(key).ok().map(|bytes| format!("u16:{}", u16::from_be_bytes(bytes)));
    // times of the expiry queue; larger ones are index values with a bit flipped
    let long = <[u8; 8]>::try_from(key).ok().map(u64::from_be_bytes).filter(|number| *number < 1 << 48);
    let long = long.map(|number| format!("u64:{number}"));
    [name.map(str::to_owned), byte, identifier, short, long, name.map(|name| format!("text:{name}"))]
}

fn parse_key(part: &str) -> Result<Vec<u8>, InvalidPath> {
    let refuse = |reason| InvalidPath { part: part.to_owned(), reason };
    let key = key_bytes(part).map_err(refuse)?;
    if key.len() > MAX_KEY_LENGTH {
        return Err(refuse("keys have at most 255 bytes"));
    }
    Ok(key)
}

fn key_bytes(part: &str) -> Result<Vec<u8>, &'static str> {
    if part.is_empty() {
        return Err("write 0x for the empty key");
    }
    if let Some(digits) = part.strip_prefix("0x") {
        return hex::decode(digits).map_err(|_| "after 0x comes an even number of hex digits");
    }
    if let Some((kind, rest)) = part.split_once(':') {
        return of_kind(kind, rest);
    }
    if part.bytes().all(|byte| byte.is_ascii_digit()) {
        let byte = part.parse::<u8>().map(|byte| vec![byte]);
        return byte
            .map_err(|_| "a plain number is one byte, 0 to 255; write u16:, u32:, u64: or text: in front of it");
    }
    Ok(part.parse::<Identifier>().map_or_else(|_| part.as_bytes().to_vec(), Identifier::to_vec))
}

fn of_kind(kind: &str, rest: &str) -> Result<Vec<u8>, &'static str> {
    const NO_NUMBER: &str = "the number does not fit";
    match kind {
        "text" => Ok(rest.as_bytes().to_vec()),
        "u16" => rest.parse::<u16>().map(|number| number.to_be_bytes().to_vec()).map_err(|_| NO_NUMBER),
        "u32" => rest.parse::<u32>().map(|number| number.to_be_bytes().to_vec()).map_err(|_| NO_NUMBER),
        "u64" => rest.parse::<u64>().map(|number| number.to_be_bytes().to_vec()).map_err(|_| NO_NUMBER),
        _ => Err("before a colon comes text, u16, u32 or u64"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(text: &str) -> Vec<Vec<u8>> {
        parse_path(text).unwrap().parts().to_vec()
    }

    #[test]
    fn every_form_of_a_key_is_read() {
        assert_eq!(parts("104/E"), [vec![104], b"E".to_vec()]);
        assert_eq!(parts("/"), Vec::<Vec<u8>>::new());
        let id = Identifier([7; 32]);
        assert_eq!(
            parts(&format!("/64/{id}/1/note/$ownerId/0x/")),
            [vec![64], vec![7; 32], vec![1], b"note".to_vec(), b"$ownerId".to_vec(), vec![]]
        );
        assert_eq!(parts("u64:1700003600000"), [[0x00, 0x00, 0x01, 0x8B, 0xD0, 0x1C, 0x56, 0x80]]);
        assert_eq!(parts("u16:256/u32:1/text:104"), [vec![1, 0], vec![0, 0, 0, 1], b"104".to_vec()]);
        assert_eq!(parts("0x00ffAA"), [[0, 0xff, 0xaa]]);
    }

    #[test]
    fn other_parts_are_refused_with_a_reason() {
        let long = "x".repeat(256);
        for bad in ["104//E", "256", "0x1", "0xzz", "u16:65536", "u64:-1", "i8:1", ":", &long] {
            let error = parse_path(bad).unwrap_err().to_string();
            assert!(error.contains("is not a key"), "{error}");
        }
    }

    #[test]
    fn keys_are_shown_as_people_know_them() {
        for (key, text) in [
            (&[69][..], "E"),
            (&[0], "0"),
            (&[192], "192"),
            (b"note", "note"),
            (b"", "0x"),
            (b"104", "text:104"),
            (b"0x12", "text:0x12"),
            (&[1, 0], "u16:256"),
            (&[0x00, 0x00, 0x01, 0x8B, 0xD0, 0x1C, 0x56, 0x80], "u64:1700003600000"),
            (&[0x80, 0x00, 0x01, 0x8B, 0xD0, 0x1C, 0x56, 0x80], "0x8000018bd01c5680"),
            ("héllo".as_bytes(), "0x68c3a96c6c6f"),
        ] {
            assert_eq!(key_text(key), text);
        }
        assert_eq!(path_text(&Path::root(104).child(*b"E")), "/104/E");
        assert_eq!(path_text(&Path::default()), "/");
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(keys in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 1..4)) {
            let path = Path::from_parts(keys);
            prop_assert_eq!(parse_path(&path_text(&path)).unwrap(), path);
        }

        #[test]
        fn names_read_back(name in "[a-zA-Z0-9_$:/.-]{1,44}") {
            let path = Path::root(64).child(name);
            prop_assert_eq!(parse_path(&path_text(&path)).unwrap(), path);
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,80}") {
            let _ = parse_path(&text);
        }
    }
}
