//! The calls by name: their gRPC paths, their arms in the envelopes, and which answer belongs to which request.
//!
//! Invariant: a method's request, response, name and arms stand in one row of one table.

use std::fmt;

use crate::proto::abci;
use crate::proto::abci::{Request, Response, request, response};

/// The gRPC service whose methods are the calls.
pub const SERVICE: &str = "tendermint.abci.ABCIApplication";

/// A request message, with the answer that belongs to it.
pub trait Call: prost::Message + Default + Clone + Send + Sync + 'static {
    /// Its answer.
    type Response: prost::Message + Default + Send + Sync + 'static;
    /// Which call it is.
    const METHOD: Method;

    /// The request as an arm of the envelope.
    fn into_value(self) -> request::Value;

    /// The answer, when it is of the right kind.
    fn answer(value: response::Value) -> Option<Self::Response>;
}

macro_rules! methods {
    ($($method:ident $path:literal $request:ident $response:ident: $doc:literal),* $(,)?) => {
        /// A call.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Method {
            $(#[doc = $doc] $method),*
        }

        impl Method {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$method),*];

            /// Name in the service, in routes and in logs.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$method => stringify!($method)),*
                }
            }

            /// Path of the method over gRPC.
            pub fn path(self) -> &'static str {
                match self {
                    $(Self::$method => $path),*
                }
            }

            /// Which call a request is.
            pub fn of_request(value: &request::Value) -> Self {
                match value {
                    $(request::Value::$method(_) => Self::$method),*
                }
            }

            /// Which call an answer belongs to; `None` for an exception.
            pub fn of_response(value: &response::Value) -> Option<Self> {
                match value {
                    response::Value::Exception(_) => None,
                    $(response::Value::$method(_) => Some(Self::$method)),*
                }
            }
        }

        $(
            impl Call for abci::$request {
                type Response = abci::$response;
                const METHOD: Method = Method::$method;

                fn into_value(self) -> request::Value {
                    request::Value::$method(self)
                }

                fn answer(value: response::Value) -> Option<Self::Response> {
                    match value {
                        response::Value::$method(response) => Some(response),
                        _ => None,
                    }
                }
            }

            impl From<abci::$request> for Request {
                fn from(request: abci::$request) -> Self {
                    Self { value: Some(request::Value::$method(request)) }
                }
            }

            impl From<abci::$response> for Response {
                fn from(response: abci::$response) -> Self {
                    Self { value: Some(response::Value::$method(response)) }
                }
            }
        )*
    };
}

methods! {
    Echo "/tendermint.abci.ABCIApplication/Echo" RequestEcho ResponseEcho: "Returned unchanged.",
    Flush "/tendermint.abci.ABCIApplication/Flush" RequestFlush ResponseFlush: "All before is done.",
    Info "/tendermint.abci.ABCIApplication/Info" RequestInfo ResponseInfo: "Where the application stands.",
    InitChain "/tendermint.abci.ABCIApplication/InitChain" RequestInitChain ResponseInitChain: "The genesis.",
    Query "/tendermint.abci.ABCIApplication/Query" RequestQuery ResponseQuery: "A question to the committed state.",
    CheckTx "/tendermint.abci.ABCIApplication/CheckTx" RequestCheckTx ResponseCheckTx: "For the mempool.",
    ListSnapshots "/tendermint.abci.ABCIApplication/ListSnapshots" RequestListSnapshots ResponseListSnapshots:
        "Which snapshots there are.",
    OfferSnapshot "/tendermint.abci.ABCIApplication/OfferSnapshot" RequestOfferSnapshot ResponseOfferSnapshot:
        "A snapshot to start from.",
    LoadSnapshotChunk "/tendermint.abci.ABCIApplication/LoadSnapshotChunk"
        RequestLoadSnapshotChunk ResponseLoadSnapshotChunk: "A piece for a peer.",
    ApplySnapshotChunk "/tendermint.abci.ABCIApplication/ApplySnapshotChunk"
        RequestApplySnapshotChunk ResponseApplySnapshotChunk: "A piece from a peer.",
    PrepareProposal "/tendermint.abci.ABCIApplication/PrepareProposal"
        RequestPrepareProposal ResponsePrepareProposal: "Build a block.",
    ProcessProposal "/tendermint.abci.ABCIApplication/ProcessProposal"
        RequestProcessProposal ResponseProcessProposal: "Judge and run a block.",
    ExtendVote "/tendermint.abci.ABCIApplication/ExtendVote" RequestExtendVote ResponseExtendVote: "Add to a vote.",
    VerifyVoteExtension "/tendermint.abci.ABCIApplication/VerifyVoteExtension"
        RequestVerifyVoteExtension ResponseVerifyVoteExtension: "Judge what was added to a vote.",
    FinalizeBlock "/tendermint.abci.ABCIApplication/FinalizeBlock" RequestFinalizeBlock ResponseFinalizeBlock:
        "Commit a block.",
}

impl Method {
    /// The method of a name, letter for letter.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|method| method.name() == name)
    }

    /// The method of a gRPC path.
    pub fn from_path(path: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|method| method.path() == path)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of methods an endpoint serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Methods(Vec<Method>);

impl Methods {
    /// Every method.
    pub fn all() -> Self {
        Self(Method::ALL.to_vec())
    }

    /// These alone, and Echo, with which a node tries a gRPC endpoint.
    pub fn only(methods: &[Method]) -> Self {
        let listed = |method: &Method| *method == Method::Echo || methods.contains(method);
        Self(Method::ALL.iter().copied().filter(listed).collect())
    }

    /// Whether a method is served.
    pub fn contains(&self, method: Method) -> bool {
        self.0.contains(&method)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths_lead_back_to_their_method() {
        for method in Method::ALL {
            assert_eq!(Method::from_name(method.name()), Some(*method));
            assert_eq!(Method::from_path(method.path()), Some(*method));
            assert_eq!(method.path(), format!("/{SERVICE}/{method}"));
        }
        assert_eq!(Method::ALL.len(), 15);
        assert_eq!(Method::from_name("checktx"), None);
        assert_eq!(Method::from_path("/tendermint.abci.ABCIApplication/Commit"), None);
    }

    #[test]
    fn a_request_takes_its_own_answer_alone() {
        let echo = abci::ResponseEcho { message: "a".to_owned() };
        let value = || response::Value::Echo(echo.clone());
        assert_eq!(abci::RequestEcho::answer(value()), Some(echo.clone()));
        assert_eq!(abci::RequestFlush::answer(value()), None);
        assert_eq!(Method::of_response(&value()), Some(Method::Echo));
        assert_eq!(Method::of_response(&response::Value::Exception(Default::default())), None);
    }

    #[test]
    fn a_set_always_holds_echo() {
        let methods = Methods::only(&[Method::CheckTx]);
        assert!(methods.contains(Method::CheckTx) && methods.contains(Method::Echo));
        assert!(!methods.contains(Method::Query));
        assert!(Method::ALL.iter().all(|method| Methods::all().contains(*method)));
    }
}
