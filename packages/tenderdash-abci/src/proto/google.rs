//! Time, package `google.protobuf`.

/// Messages of the package.
pub mod protobuf {
    use crate::proto::names;

    /// A moment. Conversions are in [`crate::time`].
    #[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
    pub struct Timestamp {
        /// Since 1970 in UTC; may be negative.
        #[prost(int64, tag = "1")]
        pub seconds: i64,
        /// 0 to 999,999,999, always forward.
        #[prost(int32, tag = "2")]
        pub nanos: i32,
    }

    /// A length of time.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
    pub struct Duration {
        /// May be negative.
        #[prost(int64, tag = "1")]
        pub seconds: i64,
        /// Of the same sign.
        #[prost(int32, tag = "2")]
        pub nanos: i32,
    }

    names!("google.protobuf": Timestamp, Duration);
}
