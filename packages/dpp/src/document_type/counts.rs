//! How much work a full parse did, in the units it is billed by (fees, section 2).

/// What a full parse has looked at; all zero for a stored contract, whose parse nobody pays for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValidationCounts {
    /// Document types.
    pub document_types: u64,
    /// Values in their schemas: each root, map entry and list item, a `$ref` target's again where it
    /// is used.
    pub schema_values: u64,
    /// Top-level properties.
    pub properties: u64,
    /// Indexes that are not unique.
    pub indexes: u64,
    /// Properties of those.
    pub index_properties: u64,
    /// Unique indexes.
    pub unique_indexes: u64,
    /// Properties of those.
    pub unique_index_properties: u64,
}

impl ValidationCounts {
    pub(crate) fn add_type(&mut self) {
        self.document_types = self.document_types.saturating_add(1);
    }

    pub(crate) fn add_schema_values(&mut self, values: u64) {
        self.schema_values = self.schema_values.saturating_add(values);
    }

    pub(crate) fn add_properties(&mut self, properties: usize) {
        self.properties = self.properties.saturating_add(properties as u64);
    }

    pub(crate) fn add_index(&mut self, unique: bool, properties: u64) {
        let (indexes, of_index) = match unique {
            true => (&mut self.unique_indexes, &mut self.unique_index_properties),
            false => (&mut self.indexes, &mut self.index_properties),
        };
        *indexes = indexes.saturating_add(1);
        *of_index = of_index.saturating_add(properties);
    }
}
