//! The two envelopes of a socket: which call it is, as a oneof.

use crate::proto::names;

/// What the node sends. One frame of a socket holds one.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct Request {
    /// The call; a message without one is a protocol error.
    #[prost(oneof = "request::Value", tags = "1, 2, 3, 4, 5, 7, 11, 12, 13, 14, 15, 16, 17, 18, 19")]
    pub value: Option<request::Value>,
}

/// Types of [`Request`].
pub mod request {
    /// The calls.
    #[allow(clippy::large_enum_variant, reason = "as generated code has it; one is held at a time")]
    #[derive(Clone, PartialEq, Eq, Hash, ::prost::Oneof)]
    pub enum Value {
        /// Returned unchanged.
        #[prost(message, tag = "1")]
        Echo(super::super::RequestEcho),
        /// All before is done.
        #[prost(message, tag = "2")]
        Flush(super::super::RequestFlush),
        /// Where the application stands.
        #[prost(message, tag = "3")]
        Info(super::super::RequestInfo),
        /// The genesis.
        #[prost(message, tag = "4")]
        InitChain(super::super::RequestInitChain),
        /// A question to the committed state.
        #[prost(message, tag = "5")]
        Query(super::super::RequestQuery),
        /// For the mempool.
        #[prost(message, tag = "7")]
        CheckTx(super::super::RequestCheckTx),
        /// Which snapshots there are.
        #[prost(message, tag = "11")]
        ListSnapshots(super::super::RequestListSnapshots),
        /// A snapshot to start from.
        #[prost(message, tag = "12")]
        OfferSnapshot(super::super::RequestOfferSnapshot),
        /// A piece for a peer.
        #[prost(message, tag = "13")]
        LoadSnapshotChunk(super::super::RequestLoadSnapshotChunk),
        /// A piece from a peer.
        #[prost(message, tag = "14")]
        ApplySnapshotChunk(super::super::RequestApplySnapshotChunk),
        /// Build a block.
        #[prost(message, tag = "15")]
        PrepareProposal(super::super::RequestPrepareProposal),
        /// Judge and run a block.
        #[prost(message, tag = "16")]
        ProcessProposal(super::super::RequestProcessProposal),
        /// Add to a vote.
        #[prost(message, tag = "17")]
        ExtendVote(super::super::RequestExtendVote),
        /// Judge what was added to a vote.
        #[prost(message, tag = "18")]
        VerifyVoteExtension(super::super::RequestVerifyVoteExtension),
        /// Commit a block.
        #[prost(message, tag = "19")]
        FinalizeBlock(super::super::RequestFinalizeBlock),
    }
}

/// What the application sends. One frame of a socket holds one.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct Response {
    /// The call; a message without one is a protocol error.
    #[prost(oneof = "response::Value", tags = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16")]
    pub value: Option<response::Value>,
}

/// Types of [`Response`].
pub mod response {
    /// The calls.
    #[allow(clippy::large_enum_variant, reason = "as generated code has it; one is held at a time")]
    #[derive(Clone, PartialEq, Eq, Hash, ::prost::Oneof)]
    pub enum Value {
        /// The application cannot go on.
        #[prost(message, tag = "1")]
        Exception(super::super::ResponseException),
        /// Returned unchanged.
        #[prost(message, tag = "2")]
        Echo(super::super::ResponseEcho),
        /// All before is done.
        #[prost(message, tag = "3")]
        Flush(super::super::ResponseFlush),
        /// Where the application stands.
        #[prost(message, tag = "4")]
        Info(super::super::ResponseInfo),
        /// The genesis.
        #[prost(message, tag = "5")]
        InitChain(super::super::ResponseInitChain),
        /// A question to the committed state.
        #[prost(message, tag = "6")]
        Query(super::super::ResponseQuery),
        /// For the mempool.
        #[prost(message, tag = "7")]
        CheckTx(super::super::ResponseCheckTx),
        /// Which snapshots there are.
        #[prost(message, tag = "8")]
        ListSnapshots(super::super::ResponseListSnapshots),
        /// A snapshot to start from.
        #[prost(message, tag = "9")]
        OfferSnapshot(super::super::ResponseOfferSnapshot),
        /// A piece for a peer.
        #[prost(message, tag = "10")]
        LoadSnapshotChunk(super::super::ResponseLoadSnapshotChunk),
        /// A piece from a peer.
        #[prost(message, tag = "11")]
        ApplySnapshotChunk(super::super::ResponseApplySnapshotChunk),
        /// Build a block.
        #[prost(message, tag = "12")]
        PrepareProposal(super::super::ResponsePrepareProposal),
        /// Judge and run a block.
        #[prost(message, tag = "13")]
        ProcessProposal(super::super::ResponseProcessProposal),
        /// Add to a vote.
        #[prost(message, tag = "14")]
        ExtendVote(super::super::ResponseExtendVote),
        /// Judge what was added to a vote.
        #[prost(message, tag = "15")]
        VerifyVoteExtension(super::super::ResponseVerifyVoteExtension),
        /// Commit a block.
        #[prost(message, tag = "16")]
        FinalizeBlock(super::super::ResponseFinalizeBlock),
    }
}

names!("tendermint.abci": Request, Response);
