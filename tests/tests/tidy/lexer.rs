//! As much of Rust's grammar as the checks need: comments, strings, braces, tests.
//!
//! Every form has the length and the lines of its source: what is left out becomes spaces.

use regex::Regex;

/// The source without comments, and without comments and the contents of strings.
pub fn blank(text: &str) -> (String, String) {
    let bytes = text.as_bytes();
    let (mut uncommented, mut code) = (bytes.to_vec(), bytes.to_vec());
    let mut at = 0;
    while at < bytes.len() {
        let (end, kind) = token(bytes, at);
        if kind == Token::Comment {
            wipe(&mut uncommented[at..end]);
            wipe(&mut code[at..end]);
        }
        if kind == Token::Text {
            wipe(&mut code[at + 1..end.saturating_sub(1).max(at + 1)]);
        }
        at = end;
    }
    (String::from_utf8(uncommented).unwrap(), String::from_utf8(code).unwrap())
}

#[derive(PartialEq)]
enum Token {
    Comment,
    Text,
    Other,
}

/// The token at a byte and where it ends.
fn token(bytes: &[u8], at: usize) -> (usize, Token) {
    let rest = &bytes[at..];
    if rest.starts_with(b"//") {
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        return (at + end, Token::Comment);
    }
    if rest.starts_with(b"/*") {
        return (at + block_comment(rest), Token::Comment);
    }
    let begins_word = at == 0 || !is_word(bytes[at - 1]);
    if let Some(length) = raw_string(rest).filter(|_| begins_word) {
        return (at + length, Token::Text);
    }
    match rest[0] {
        b'"' => (at + quoted(rest, b'"'), Token::Text),
        b'\'' if is_char(rest) => (at + quoted(rest, b'\''), Token::Text),
        _ => (at + 1, Token::Other),
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn block_comment(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    at
}

/// Length of `r"…"`, `r#"…"#`, `br"…"`.
fn raw_string(rest: &[u8]) -> Option<usize> {
    let prefix = rest.iter().position(|byte| *byte == b'r').filter(|at| *at == 0 || (*at == 1 && rest[0] == b'b'))?;
    let hashes = rest[prefix + 1..].iter().take_while(|byte| **byte == b'#').count();
    let open = prefix + 1 + hashes;
    if rest.get(open) != Some(&b'"') {
        return None;
    }
    let close = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
    let body = &rest[open + 1..];
    let end = body.windows(close.len()).position(|window| window == close).map_or(body.len(), |end| end + close.len());
    Some(open + 1 + end)
}

fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != quote {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// Whether a quote begins a character, and not a lifetime.
fn is_char(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'\\') => true,
        Some(first) => {
            let length = if first.is_ascii() { 1 } else { first.leading_ones() as usize };
            rest.get(1 + length) == Some(&b'\'')
        }
        None => false,
    }
}

fn wipe(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

/// Code without what is compiled for tests alone.
pub fn without_tests(code: &str) -> String {
    let mut bytes = code.as_bytes().to_vec();
    for attribute in Regex::new(r"#\[cfg\(test\)\]").unwrap().find_iter(code) {
        let end = body(code, attribute.end()).map_or(code.len(), |(_, end)| end);
        wipe(&mut bytes[attribute.start()..end]);
    }
    String::from_utf8(bytes).unwrap()
}

/// The braces of the item that follows, from `{` to after `}`; none when a `;` ends the item first.
pub fn body(code: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = code.as_bytes();
    let mut brackets = 0_i32;
    let open = (from..bytes.len()).find(|at| {
        brackets += match bytes[*at] {
            b'(' | b'[' => 1,
            b')' | b']' => -1,
            _ => 0,
        };
        brackets <= 0 && matches!(bytes[*at], b'{' | b';')
    })?;
    if bytes[open] == b';' {
        return None;
    }
    let mut depth = 0;
    let close = (open..bytes.len()).find(|at| {
        match bytes[*at] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    Some((open, close.map_or(bytes.len(), |close| close + 1)))
}

/// Line of a byte, from 1.
pub fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}

#[test]
fn comments_and_strings_are_told_from_code() {
    let text = "let a = \"x // y\"; // z\nlet b = r#\"q\"# /* m /* n */ o */ + '\"' as u8; fn f<'a>() {} // 'é'";
    let (uncommented, code) = blank(text);
    assert_eq!(code.len(), text.len());
    assert!(uncommented.contains("x // y") && !uncommented.contains('z') && !uncommented.contains("o */"));
    assert!(!code.contains('x') && !code.contains('q') && code.contains("fn f<'a>() {}") && code.contains("as u8"));
    assert_eq!(line_of(text, text.len()), 2);
}

#[test]
fn tests_are_told_from_the_product() {
    let code = "fn a([u8; 2]) -> u8 { { 1 } }\n#[cfg(test)]\nmod tests {\n fn b() {}\n}\nfn c();";
    let product = without_tests(code);
    assert!(product.contains("fn a") && !product.contains("fn b") && product.contains("fn c"));
    assert_eq!(body(code, 0).map(|(open, close)| &code[open..close]), Some("{ { 1 } }"));
    assert_eq!(body("fn c(x: [u8; 3]);", 0), None);
}
