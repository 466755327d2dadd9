//! Reading of stored documents.

use std::collections::BTreeMap;

use crate::document::stored::write::at_top_level;
use crate::document::stored::{StoredDocumentError, StoredForm, leb128};
use crate::document::{Document, DocumentTimes};
use crate::document_type::{DocumentType, IntegerWidth, Property, PropertyKind};
use crate::primitives::{BlockHeight, CoreBlockHeight, Credits, Identifier, Revision, TimestampMillis};
use crate::value::Value;

/// Flags beyond the nine times.
const UNKNOWN_FLAGS: u16 = !0x1ff;

/// Reads a document and the form it is in.
pub(super) fn document(
    bytes: &[u8],
    document_type: &DocumentType,
) -> Result<(Document, StoredForm), StoredDocumentError> {
    let mut source = Source { left: bytes };
    let form = form(&mut source)?;
    let id = Identifier(source.array("$id")?);
    let owner_id = Identifier(source.array("$ownerId")?);
    let creator_id = match form.carries_creator() && document_type.has_creator() && source.flag("$creatorId")? {
        true => Some(Identifier(source.array("$creatorId")?)),
        false => None,
    };
    let revision = match document_type.has_revision() {
        true => Some(Revision(source.varint("$revision")?)),
        false => None,
    };
    let times = times(&mut source)?;
    let price = match document_type.settings().tradable && source.flag("$price")? {
        true => Some(Credits(u64::from_be_bytes(source.array("$price")?))),
        false => None,
    };
    let properties = top_level(&mut source, form, document_type.properties())?;
    source.is_used_up()?;
    Ok((Document { id, owner_id, creator_id, revision, times, price, properties }, form))
}

fn form(source: &mut Source<'_>) -> Result<StoredForm, StoredDocumentError> {
    match source.varint("version")? {
        0 => Ok(StoredForm::Zero),
        1 => Ok(StoredForm::One),
        2 => Ok(StoredForm::Two),
        3 => {
            let version = source.varint("contract version")?;
            let contract_version =
                u32::try_from(version).map_err(|_| malformed("contract version", "does not fit 32 bits"))?;
            Ok(StoredForm::Three { contract_version })
        }
        unknown => Err(StoredDocumentError::UnknownVersion(unknown)),
    }
}

fn times(source: &mut Source<'_>) -> Result<DocumentTimes, StoredDocumentError> {
    let flags = u16::from_be_bytes(source.array("time flags")?);
    if flags & UNKNOWN_FLAGS != 0 {
        return Err(malformed("time flags", "unknown bits are set"));
    }
    let mut wide = |bit: u16, name: &str| match flags & bit {
        0 => Ok(None),
        _ => source.array(name).map(|bytes| Some(u64::from_be_bytes(bytes))),
    };
    let mut times = DocumentTimes {
        created_at: wide(0x001, "$createdAt")?.map(TimestampMillis),
        updated_at: wide(0x002, "$updatedAt")?.map(TimestampMillis),
        transferred_at: wide(0x004, "$transferredAt")?.map(TimestampMillis),
        created_at_block_height: wide(0x008, "$createdAtBlockHeight")?.map(BlockHeight),
        updated_at_block_height: wide(0x010, "$updatedAtBlockHeight")?.map(BlockHeight),
        transferred_at_block_height: wide(0x020, "$transferredAtBlockHeight")?.map(BlockHeight),
        ..DocumentTimes::default()
    };
    let mut narrow = |bit: u16, name: &str| match flags & bit {
        0 => Ok(None),
        _ => source.array(name).map(|bytes| Some(CoreBlockHeight(u32::from_be_bytes(bytes)))),
    };
    times.created_at_core_block_height = narrow(0x040, "$createdAtCoreBlockHeight")?;
    times.updated_at_core_block_height = narrow(0x080, "$updatedAtCoreBlockHeight")?;
    times.transferred_at_core_block_height = narrow(0x100, "$transferredAtCoreBlockHeight")?;
    Ok(times)
}

fn top_level(
    source: &mut Source<'_>,
    form: StoredForm,
    properties: &[Property],
) -> Result<BTreeMap<String, Value>, StoredDocumentError> {
    let mut values = BTreeMap::new();
    for item in properties {
        if source.ends_before(item) {
            break;
        }
        let stored = at_top_level(item, form);
        if let Some(value) = property(source, stored.as_ref().unwrap_or(item))? {
            values.insert(item.name.clone(), value);
        }
    }
    Ok(values)
}

fn property(source: &mut Source<'_>, property: &Property) -> Result<Option<Value>, StoredDocumentError> {
    match property.required || source.flag(&property.name)? {
        true => content(source, property),
        false => Ok(None),
    }
}

/// The value of a property; `None` for an object with no properties present.
fn content(source: &mut Source<'_>, property: &Property) -> Result<Option<Value>, StoredDocumentError> {
    let name = property.name.as_str();
    Ok(Some(match &property.kind {
        PropertyKind::Integer(width) => integer(source, *width, name)?,
        PropertyKind::Float => Value::Float(f64::from_be_bytes(source.array(name)?)),
        PropertyKind::Bool => Value::Bool(source.flag(name)?),
        PropertyKind::Text { .. } => {
            let text = core::str::from_utf8(source.prefixed(name)?);
            Value::Text(text.map_err(|_| malformed(name, "is no UTF-8 text"))?.to_owned())
        }
        PropertyKind::Identifier => Value::Identifier(source.array(name)?),
        PropertyKind::FixedBytes(20) => Value::Bytes20(source.array(name)?),
        PropertyKind::FixedBytes(32) => Value::Bytes32(source.array(name)?),
        PropertyKind::FixedBytes(36) => Value::Bytes36(source.array(name)?),
        PropertyKind::FixedBytes(length) => Value::Bytes(source.take(u64::from(*length), name)?.to_vec()),
        PropertyKind::Bytes { .. } => Value::Bytes(source.prefixed(name)?.to_vec()),
        PropertyKind::Object(nested) => return object(source.prefixed(name)?, nested),
    }))
}

fn object(body: &[u8], nested: &[Property]) -> Result<Option<Value>, StoredDocumentError> {
    let mut source = Source { left: body };
    let mut members = Vec::new();
    for item in nested {
        if source.ends_before(item) {
            break;
        }
        if let Some(value) = property(&mut source, item)? {
            members.push((Value::Text(item.name.clone()), value));
        }
    }
    source.is_used_up()?;
    Ok((!members.is_empty()).then_some(Value::Map(members)))
}

fn integer(source: &mut Source<'_>, width: IntegerWidth, name: &str) -> Result<Value, StoredDocumentError> {
    Ok(match width {
        IntegerWidth::U8 => Value::U8(u8::from_be_bytes(source.array(name)?)),
        IntegerWidth::U16 => Value::U16(u16::from_be_bytes(source.array(name)?)),
        IntegerWidth::U32 => Value::U32(u32::from_be_bytes(source.array(name)?)),
        IntegerWidth::U64 => Value::U64(u64::from_be_bytes(source.array(name)?)),
        IntegerWidth::I8 => Value::I8(i8::from_be_bytes(source.array(name)?)),
        IntegerWidth::I16 => Value::I16(i16::from_be_bytes(source.array(name)?)),
        IntegerWidth::I32 => Value::I32(i32::from_be_bytes(source.array(name)?)),
        IntegerWidth::I64 => Value::I64(i64::from_be_bytes(source.array(name)?)),
    })
}

fn malformed(place: &str, reason: &'static str) -> StoredDocumentError {
    StoredDocumentError::Malformed { place: place.to_owned(), reason }
}

/// Bytes that are read front to back.
struct Source<'a> {
    left: &'a [u8],
}

impl<'a> Source<'a> {
    fn take(&mut self, length: u64, place: &str) -> Result<&'a [u8], StoredDocumentError> {
        let split = usize::try_from(length).ok().and_then(|length| self.left.split_at_checked(length));
        let (taken, left) = split.ok_or_else(|| StoredDocumentError::Truncated(place.to_owned()))?;
        self.left = left;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, place: &str) -> Result<[u8; N], StoredDocumentError> {
        let taken = self.take(N as u64, place)?;
        taken.try_into().map_err(|_| StoredDocumentError::Truncated(place.to_owned()))
    }

    fn flag(&mut self, place: &str) -> Result<bool, StoredDocumentError> {
        match self.array::<1>(place)? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(malformed(place, "a byte that says yes or no is neither 0 nor 1")),
        }
    }

    fn varint(&mut self, place: &str) -> Result<u64, StoredDocumentError> {
        let (number, length) = leb128::read(self.left).ok_or_else(|| malformed(place, "is no varint"))?;
        self.take(length as u64, place)?;
        Ok(number)
    }

    fn prefixed(&mut self, place: &str) -> Result<&'a [u8], StoredDocumentError> {
        let length = self.varint(place)?;
        self.take(length, place)
    }

    /// Whether the bytes end before a property that may be absent: it and all after it are.
    fn ends_before(&self, property: &Property) -> bool {
        self.left.is_empty() && !property.required
    }

    fn is_used_up(&self) -> Result<(), StoredDocumentError> {
        match self.left.len() {
            0 => Ok(()),
            left => Err(StoredDocumentError::LeftOver(left)),
        }
    }
}
