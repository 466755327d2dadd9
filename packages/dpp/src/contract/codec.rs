//! Contract bytes: formats 0 and 1 (wire format, section 5.1).

use std::collections::BTreeMap;

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{AllowedEnumVariants, DecodeError, EncodeError};
use bincode::{Decode, Encode};

use super::{ContractFormat, ContractTimes, DataContract, Group};
use crate::encoding::{unknown_variant, wire_struct};

wire_struct!(Group version 0 { members, required_power });

wire_struct!(ContractTimes {
    created_at,
    updated_at,
    created_at_block_height,
    updated_at_block_height,
    created_at_epoch,
    updated_at_epoch,
});

impl Encode for DataContract {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        match self.format {
            ContractFormat::Zero => 0u32.encode(encoder)?,
            ContractFormat::One => 1u32.encode(encoder)?,
        }
        self.id.encode(encoder)?;
        self.config.encode(encoder)?;
        self.version.encode(encoder)?;
        self.owner_id.encode(encoder)?;
        self.schema_defs.encode(encoder)?;
        self.document_schemas.encode(encoder)?;
        if self.format == ContractFormat::Zero {
            return Ok(());
        }
        self.times.encode(encoder)?;
        self.groups.encode(encoder)?;
        self.tokens.encode(encoder)?;
        self.keywords.encode(encoder)?;
        self.description.encode(encoder)
    }
}

impl Decode for DataContract {
    fn decode<D: Decoder>(decoder: &mut D) -> Result<Self, DecodeError> {
        let format = match u32::decode(decoder)? {
            0 => ContractFormat::Zero,
            1 => ContractFormat::One,
            found => {
                return Err(unknown_variant("DataContract", &AllowedEnumVariants::Range { min: 0, max: 1 }, found));
            }
        };
        let mut contract = Self {
            format,
            id: Decode::decode(decoder)?,
            config: Decode::decode(decoder)?,
            version: Decode::decode(decoder)?,
            owner_id: Decode::decode(decoder)?,
            schema_defs: Decode::decode(decoder)?,
            document_schemas: Decode::decode(decoder)?,
            times: ContractTimes::default(),
            groups: BTreeMap::new(),
            tokens: BTreeMap::new(),
            keywords: Vec::new(),
            description: None,
        };
        if format == ContractFormat::One {
            contract.times = Decode::decode(decoder)?;
            contract.groups = Decode::decode(decoder)?;
            contract.tokens = Decode::decode(decoder)?;
            contract.keywords = Decode::decode(decoder)?;
            contract.description = Decode::decode(decoder)?;
        }
        Ok(contract)
    }
}
bincode::impl_borrow_decode!(DataContract);
