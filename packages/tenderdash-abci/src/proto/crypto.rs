//! Keys and proofs, package `tendermint.crypto`.

use crate::proto::names;

/// A proof as steps.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ProofOps {
    /// In order.
    #[prost(message, repeated, tag = "1")]
    pub ops: Vec<ProofOp>,
}

/// A step of a proof.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ProofOp {
    /// Kind of the step.
    #[prost(string, tag = "1")]
    pub r#type: String,
    /// Key it is for.
    #[prost(bytes = "vec", tag = "2")]
    pub key: Vec<u8>,
    /// Free form.
    #[prost(bytes = "vec", tag = "3")]
    pub data: Vec<u8>,
}

/// A public key.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct PublicKey {
    /// The key.
    #[prost(oneof = "public_key::Sum", tags = "1, 2, 3")]
    pub sum: Option<public_key::Sum>,
}

/// Types of [`PublicKey`].
pub mod public_key {
    /// Kinds of keys.
    #[derive(Clone, PartialEq, Eq, Hash, ::prost::Oneof)]
    pub enum Sum {
        /// Ed25519.
        #[prost(bytes = "vec", tag = "1")]
        Ed25519(Vec<u8>),
        /// ECDSA on secp256k1.
        #[prost(bytes = "vec", tag = "2")]
        Secp256k1(Vec<u8>),
        /// BLS12-381, a compressed point of G1, 48 bytes.
        #[prost(bytes = "vec", tag = "3")]
        Bls12381(Vec<u8>),
    }
}

names!("tendermint.crypto": ProofOps, ProofOp, PublicKey);
