//! Writing of stored documents.

use crate::document::stored::{StoredDocumentError, StoredForm, leb128};
use crate::document::{Document, DocumentTimes};
use crate::document_type::{DocumentType, IntegerWidth, Property, PropertyKind};
use crate::value::Value;

/// The bytes of a document in a form.
pub(super) fn document(
    document: &Document,
    form: StoredForm,
    document_type: &DocumentType,
) -> Result<Vec<u8>, StoredDocumentError> {
    let mut out = Vec::with_capacity(256);
    leb128::write(form.number(), &mut out);
    if let StoredForm::Three { contract_version } = form {
        leb128::write(contract_version.into(), &mut out);
    }
    out.extend_from_slice(document.id.as_bytes());
    out.extend_from_slice(document.owner_id.as_bytes());
    if form.carries_creator() && document_type.has_creator() {
        optional(document.creator_id.as_ref().map(|id| id.as_bytes().as_slice()), &mut out);
    }
    if document_type.has_revision() {
        let revision = document.revision.ok_or_else(|| StoredDocumentError::Missing("$revision".to_owned()))?;
        leb128::write(revision.0, &mut out);
    }
    times(&document.times, &mut out);
    if document_type.settings().tradable {
        optional(document.price.map(|price| price.0.to_be_bytes()).as_ref().map(<[u8; 8]>::as_slice), &mut out);
    }
    for item in document_type.properties() {
        let stored = at_top_level(item, form);
        property(stored.as_ref().unwrap_or(item), document.properties.get(&item.name), &mut out)?;
    }
    Ok(out)
}

/// The property as form 0 stores it at the top level; `None` when it stores it like any other form.
pub(super) fn at_top_level(property: &Property, form: StoredForm) -> Option<Property> {
    match property.kind {
        PropertyKind::Integer(_) if !form.sizes_top_level_integers() => {
            Some(Property { kind: PropertyKind::Integer(IntegerWidth::I64), ..property.clone() })
        }
        _ => None,
    }
}

fn optional(value: Option<&[u8]>, out: &mut Vec<u8>) {
    out.push(u8::from(value.is_some()));
    out.extend_from_slice(value.unwrap_or_default());
}

fn times(times: &DocumentTimes, out: &mut Vec<u8>) {
    let millis = [times.created_at, times.updated_at, times.transferred_at].map(|time| time.map(|time| time.0));
    let heights = [times.created_at_block_height, times.updated_at_block_height, times.transferred_at_block_height];
    let heights = heights.map(|height| height.map(|height| height.0));
    let core_heights = [
        times.created_at_core_block_height,
        times.updated_at_core_block_height,
        times.transferred_at_core_block_height,
    ];
    let wide = millis.iter().chain(&heights).map(|time| time.map(|time| time.to_be_bytes().to_vec()));
    let narrow = core_heights.iter().map(|height| height.map(|height| height.0.to_be_bytes().to_vec()));
    let fields: Vec<Option<Vec<u8>>> = wide.chain(narrow).collect();
    let flags = fields.iter().rev().fold(0u16, |flags, field| flags << 1 | u16::from(field.is_some()));
    out.extend_from_slice(&flags.to_be_bytes());
    out.extend(fields.into_iter().flatten().flatten());
}

fn property(property: &Property, value: Option<&Value>, out: &mut Vec<u8>) -> Result<(), StoredDocumentError> {
    let value = value.filter(|value| !value.is_null());
    match (value, &property.kind) {
        (Some(value), _) => {
            if !property.required {
                out.push(1);
            }
            content(property, value, out)
        }
        (None, _) if !property.required => {
            out.push(0);
            Ok(())
        }
        // an object with nothing in it reads back as absent, so absent is how an empty one may come
        (None, PropertyKind::Object(_)) => content(property, &Value::Map(Vec::new()), out),
        (None, _) => Err(StoredDocumentError::Missing(property.name.clone())),
    }
}

fn content(property: &Property, value: &Value, out: &mut Vec<u8>) -> Result<(), StoredDocumentError> {
    let wrong =
        || StoredDocumentError::WrongKind { property: property.name.clone(), expected: property.kind.describe() };
    match (&property.kind, value) {
        (PropertyKind::Integer(width), value) => {
            out.extend(value.as_integer().and_then(|number| integer_bytes(number, *width)).ok_or_else(wrong)?);
        }
        (PropertyKind::Float, Value::Float(number)) => out.extend_from_slice(&number.to_be_bytes()),
        (PropertyKind::Bool, Value::Bool(flag)) => out.push(u8::from(*flag)),
        (PropertyKind::Text { .. }, Value::Text(text)) => prefixed(text.as_bytes(), out),
        (PropertyKind::Identifier, value) => {
            out.extend_from_slice(value.as_bytes().filter(|bytes| bytes.len() == 32).ok_or_else(wrong)?);
        }
        (PropertyKind::FixedBytes(length), value) => {
            let fits = |bytes: &&[u8]| u32::try_from(bytes.len()) == Ok(*length);
            out.extend_from_slice(value.as_bytes().filter(fits).ok_or_else(wrong)?);
        }
        (PropertyKind::Bytes { .. }, value) => prefixed(value.as_bytes().ok_or_else(wrong)?, out),
        (PropertyKind::Object(nested), Value::Map(_)) => prefixed(&object(nested, value)?, out),
        _ => return Err(wrong()),
    }
    Ok(())
}

fn object(nested: &[Property], value: &Value) -> Result<Vec<u8>, StoredDocumentError> {
    let mut body = Vec::new();
    for item in nested {
        property(item, value.get(&item.name), &mut body)?;
    }
    Ok(body)
}

fn prefixed(bytes: &[u8], out: &mut Vec<u8>) {
    leb128::write(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

fn integer_bytes(number: i128, width: IntegerWidth) -> Option<Vec<u8>> {
    Some(match width {
        IntegerWidth::U8 => u8::try_from(number).ok()?.to_be_bytes().to_vec(),
        IntegerWidth::U16 => u16::try_from(number).ok()?.to_be_bytes().to_vec(),
        IntegerWidth::U32 => u32::try_from(number).ok()?.to_be_bytes().to_vec(),
        IntegerWidth::U64 => u64::try_from(number).ok()?.to_be_bytes().to_vec(),
        IntegerWidth::I8 => i8::try_from(number).ok()?.to_be_bytes().to_vec(),
        IntegerWidth::I16 => i16::try_from(number).ok()?.to_be_bytes().to_vec(),
        IntegerWidth::I32 => i32::try_from(number).ok()?.to_be_bytes().to_vec(),
        IntegerWidth::I64 => i64::try_from(number).ok()?.to_be_bytes().to_vec(),
    })
}
