//! The bytes a reason is stored as (node rules, section 8.4).

use dpp::transition::ModerationReason;

/// A code is given.
const HAS_CODE: u8 = 1;
/// Documents are named.
const HAS_DOCUMENTS: u8 = 1 << 1;
/// A reason document is named.
const HAS_REASON_DOCUMENT: u8 = 1 << 2;

/// One byte that says what is there ++ code u16 BE ++ reason document ++ (count ++ each: length, name, id)
/// ++ text to the end; absent parts take no bytes. Structure bounds count and lengths to a byte.
pub fn reason_bytes(reason: &ModerationReason) -> Vec<u8> {
    let flag = |is_there: bool, flag: u8| if is_there { flag } else { 0 };
    let mut bytes = vec![
        flag(reason.code.is_some(), HAS_CODE)
            | flag(!reason.documents.is_empty(), HAS_DOCUMENTS)
            | flag(reason.reason_document.is_some(), HAS_REASON_DOCUMENT),
    ];
    if let Some(code) = reason.code {
        bytes.extend(code.to_be_bytes());
    }
    if let Some(document) = reason.reason_document {
        bytes.extend(document.as_bytes());
    }
    if !reason.documents.is_empty() {
        bytes.push(count(reason.documents.len()));
        for (document_type, id) in &reason.documents {
            bytes.push(count(document_type.len()));
            bytes.extend(document_type.as_bytes());
            bytes.extend(id.as_bytes());
        }
    }
    bytes.extend(reason.text.as_bytes());
    bytes
}

fn count(length: usize) -> u8 {
    u8::try_from(length).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use dpp::primitives::Identifier;

    use super::*;

    #[test]
    fn absent_parts_take_no_bytes() {
        assert_eq!(reason_bytes(&ModerationReason::default()), [0]);
        let text = ModerationReason { text: "spam".to_owned(), ..ModerationReason::default() };
        assert_eq!(reason_bytes(&text), b"\0spam");
        let code = ModerationReason { code: Some(258), ..ModerationReason::default() };
        assert_eq!(reason_bytes(&code), [1, 1, 2]);
        let documents = vec![("post".to_owned(), Identifier([3; 32]))];
        let shown = ModerationReason { documents, ..ModerationReason::default() };
        assert_eq!(reason_bytes(&shown), [&[2, 1, 4][..], b"post", &[3; 32]].concat());
        let full = ModerationReason { code: Some(1), reason_document: Some(Identifier([4; 32])), ..shown };
        assert_eq!(reason_bytes(&full), [&[7, 0, 1][..], &[4; 32], &[1, 4], b"post", &[3; 32]].concat());
    }
}
