//! The values of a document that its type's indexes are built of.

use crate::document::Document;
use crate::document_type::{Index, NotIndexable, SystemProperty, index_key, value_at};
use crate::primitives::Identifier;
use crate::value::Value;

impl Document {
    /// The value at a path: a system property such as `$ownerId`, or a property, dotted when nested.
    /// `None` is null: absent, or not of this document.
    pub fn index_value(&self, path: &str) -> Option<Value> {
        match SystemProperty::from_name(path) {
            Some(property) => self.system_value(property),
            None => self.property_value(path).cloned(),
        }
    }

    /// The keys of an index's values, in order; a null has the empty key.
    pub fn index_keys(&self, index: &Index) -> Result<Vec<Vec<u8>>, NotIndexable> {
        index.properties.iter().map(|property| index_key(self.index_value(&property.path).as_ref())).collect()
    }

    /// A system property; `None` when it is not recorded.
    pub fn system_value(&self, property: SystemProperty) -> Option<Value> {
        let identifier = |id: Identifier| Value::Identifier(id.0);
        let times = &self.times;
        match property {
            SystemProperty::Id => Some(identifier(self.id)),
            SystemProperty::OwnerId => Some(identifier(self.owner_id)),
            SystemProperty::CreatorId => self.creator_id.map(identifier),
            SystemProperty::CreatedAt => times.created_at.map(|time| Value::U64(time.0)),
            SystemProperty::UpdatedAt => times.updated_at.map(|time| Value::U64(time.0)),
            SystemProperty::TransferredAt => times.transferred_at.map(|time| Value::U64(time.0)),
            SystemProperty::CreatedAtBlockHeight => times.created_at_block_height.map(|height| Value::U64(height.0)),
            SystemProperty::UpdatedAtBlockHeight => times.updated_at_block_height.map(|height| Value::U64(height.0)),
            SystemProperty::TransferredAtBlockHeight => {
                times.transferred_at_block_height.map(|height| Value::U64(height.0))
            }
            SystemProperty::CreatedAtCoreBlockHeight => {
                times.created_at_core_block_height.map(|height| Value::U32(height.0))
            }
            SystemProperty::UpdatedAtCoreBlockHeight => {
                times.updated_at_core_block_height.map(|height| Value::U32(height.0))
            }
            SystemProperty::TransferredAtCoreBlockHeight => {
                times.transferred_at_core_block_height.map(|height| Value::U32(height.0))
            }
        }
    }

    fn property_value(&self, path: &str) -> Option<&Value> {
        value_at(&self.properties, path)
    }
}
