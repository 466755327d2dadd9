//! Where an application listens and a node dials: sockets, gRPC, and the node's comma list of routes.
//!
//! Invariants: what parses prints back to the same address; a gRPC address has no scheme, because a node
//! never connects to one that has; a list of routes has exactly one rule for all remaining methods.
//! Absent: name resolution, which happens when an address is used.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::method::Method;

/// Why a text is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// No host and port.
    #[error("`{0}` is no host:port: name a host (0.0.0.0 for all interfaces, [..] around IPv6) and a port up to 65535")]
    HostPort(String),
    /// A scheme that no transport has.
    #[error("`{0}` has an unknown scheme: use tcp://host:port, unix://path or host:port")]
    Scheme(String),
    /// A scheme where there may be none.
    #[error("`{0}` has a scheme: a gRPC address is host:port alone, or the node never connects")]
    GrpcScheme(String),
    /// A socket file without a path.
    #[error("`unix://` needs a path")]
    NoPath,
    /// A rule that is not `Method:transport:address`.
    #[error("`{0}` is no route: write Method:transport:address, with * for all other methods")]
    Route(String),
    /// A method that does not exist.
    #[error("`{0}` is no ABCI method")]
    Method(String),
    /// A transport that does not exist.
    #[error("`{0}` is no transport: use socket or grpc")]
    Transport(String),
    /// A rule that is given twice.
    #[error("the route `{0}` is given twice")]
    Twice(String),
    /// No rule for all other methods, or several.
    #[error("{0} routes for * are given: one is needed")]
    Fallback(usize),
}

/// A host, by name or number, and a port.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostPort {
    host: String,
    port: u16,
}

impl HostPort {
    /// The host without brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port; 0 lets the system choose when listening.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl FromStr for HostPort {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let error = || AddressError::HostPort(text.to_owned());
        let (host, port) = text.rsplit_once(':').ok_or_else(error)?;
        // "+1" is a number to Rust, and no port
        let digits = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        let port = port.parse().ok().filter(|_| digits).ok_or_else(error)?;
        let bracketed = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let is_host = match bracketed {
            Some(host) => host.parse::<std::net::Ipv6Addr>().is_ok(),
            None => {
                let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
                !host.is_empty() && host.bytes().all(letter)
            }
        };
        let host = bracketed.unwrap_or(host).to_owned();
        if is_host { Ok(Self { host, port }) } else { Err(error()) }
    }
}

impl From<std::net::SocketAddr> for HostPort {
    fn from(address: std::net::SocketAddr) -> Self {
        Self { host: address.ip().to_string(), port: address.port() }
    }
}

impl fmt::Display for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

/// Address of a stream socket.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Address {
    /// `tcp://host:port`, or without a scheme.
    Tcp(HostPort),
    /// `unix://path`.
    Unix(PathBuf),
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        match text.split_once("://") {
            None => text.parse().map(Self::Tcp),
            Some(("tcp", rest)) => rest.parse().map(Self::Tcp),
            Some(("unix", "")) => Err(AddressError::NoPath),
            Some(("unix", path)) => Ok(Self::Unix(path.into())),
            Some(_) => Err(AddressError::Scheme(text.to_owned())),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(f, "tcp://{address}"),
            Self::Unix(path) => write!(f, "unix://{}", path.display()),
        }
    }
}

/// An address with the transport spoken there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Endpoint {
    /// Framed messages on a stream socket.
    Socket(Address),
    /// gRPC, whose address is a bare host and port.
    Grpc(HostPort),
}

impl Endpoint {
    /// An endpoint of a transport's name and an address.
    pub fn new(transport: &str, address: &str) -> Result<Self, AddressError> {
        match transport {
            "socket" => address.parse().map(Self::Socket),
            "grpc" if address.contains("://") => Err(AddressError::GrpcScheme(address.to_owned())),
            "grpc" => address.parse().map(Self::Grpc),
            _ => Err(AddressError::Transport(transport.to_owned())),
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Socket(address) => write!(f, "socket:{address}"),
            Self::Grpc(address) => write!(f, "grpc:{address}"),
        }
    }
}

/// Which endpoint takes a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The method; `None` for all that no other rule names.
    pub method: Option<Method>,
    /// Where it goes.
    pub endpoint: Endpoint,
}

impl FromStr for Route {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let mut parts = text.splitn(3, ':');
        let (Some(method), Some(transport), Some(address)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(AddressError::Route(text.to_owned()));
        };
        let method = match method {
            "*" => None,
            name => Some(Method::from_name(name).ok_or_else(|| AddressError::Method(name.to_owned()))?),
        };
        Ok(Self { method, endpoint: Endpoint::new(transport, address)? })
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.method.map_or("*", Method::name), self.endpoint)
    }
}

/// The address of a node's transport `routed`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routes(Vec<Route>);

impl Routes {
    /// The rules, as given.
    pub fn rules(&self) -> &[Route] {
        &self.0
    }

    /// The endpoints, each once: rules that share one share its connection.
    pub fn endpoints(&self) -> Vec<&Endpoint> {
        let mut endpoints: Vec<_> = self.0.iter().map(|route| &route.endpoint).collect();
        endpoints.sort();
        endpoints.dedup();
        endpoints
    }

    /// Endpoints that a method's calls go to, in turn.
    pub fn of(&self, method: Method) -> Vec<&Endpoint> {
        let named = |wanted: Option<Method>| self.0.iter().filter(move |route| route.method == wanted);
        let own: Vec<_> = named(Some(method)).map(|route| &route.endpoint).collect();
        if own.is_empty() { named(None).map(|route| &route.endpoint).collect() } else { own }
    }

    /// Methods that go to an endpoint.
    pub fn methods(&self, endpoint: &Endpoint) -> Vec<Method> {
        Method::ALL.iter().copied().filter(|method| self.of(*method).contains(&endpoint)).collect()
    }
}

impl FromStr for Routes {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let mut routes: Vec<Route> = Vec::new();
        for rule in text.split(',') {
            let route = rule.parse()?;
            if routes.contains(&route) {
                return Err(AddressError::Twice(rule.to_owned()));
            }
            routes.push(route);
        }
        match routes.iter().filter(|route| route.method.is_none()).count() {
            1 => Ok(Self(routes)),
            count => Err(AddressError::Fallback(count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the node's documentation, and Dash Platform's way to run.
    const ROUTED: &str = "CheckTx:grpc:127.0.0.1:26670,*:socket:tcp://127.0.0.1:26658";

    fn address(text: &str) -> Result<String, AddressError> {
        text.parse::<Address>().map(|address| address.to_string())
    }

    #[test]
    fn addresses_of_sockets_are_read_and_written() {
        for text in
            ["tcp://127.0.0.1:26658", "tcp://[::1]:0", "tcp://drive-abci.internal:65535", "unix:///run/abci.sock"]
        {
            assert_eq!(address(text).as_deref(), Ok(text));
        }
        assert_eq!(address("localhost:1").as_deref(), Ok("tcp://localhost:1"), "tcp is meant without a scheme");
        assert_eq!(address("unix://abci.sock").as_deref(), Ok("unix://abci.sock"), "a relative path");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let hosts =
            ["", "a", "a:", ":1", "a:65536", "a:-1", "a:+1", "a: 1", "::1:1", "[a]:1", "[::1]", "a/b:1", "a b:1"];
        for text in hosts {
            assert_eq!(address(text), Err(AddressError::HostPort(text.to_owned())), "{text}");
            assert_eq!(address(&format!("tcp://{text}")), Err(AddressError::HostPort(text.to_owned())), "{text}");
        }
        assert_eq!(address("unix://"), Err(AddressError::NoPath));
        assert_eq!(address("http://a:1"), Err(AddressError::Scheme("http://a:1".to_owned())));
    }

    #[test]
    fn a_grpc_address_has_no_scheme() {
        let grpc = |address| Endpoint::new("grpc", address).map(|endpoint| endpoint.to_string());
        assert_eq!(grpc("127.0.0.1:26670").as_deref(), Ok("grpc:127.0.0.1:26670"));
        assert_eq!(grpc("tcp://a:1"), Err(AddressError::GrpcScheme("tcp://a:1".to_owned())));
        assert_eq!(Endpoint::new("http", "a:1"), Err(AddressError::Transport("http".to_owned())));
    }

    #[test]
    fn routes_send_a_method_to_its_own_endpoints_or_to_the_rest() {
        let routes: Routes = ROUTED.parse().unwrap();
        let (grpc, socket) = (&routes.rules()[0].endpoint, &routes.rules()[1].endpoint);
        assert_eq!(routes.of(Method::CheckTx), [grpc]);
        assert_eq!(routes.of(Method::Query), [socket]);
        assert_eq!(routes.endpoints().len(), 2);
        assert_eq!(routes.methods(grpc), [Method::CheckTx]);
        assert_eq!(routes.methods(socket).len(), 14);
        let written: Vec<_> = routes.rules().iter().map(ToString::to_string).collect();
        assert_eq!(written.join(","), ROUTED);
    }

    #[test]
    fn several_endpoints_of_a_method_are_called_in_turn_and_shared_ones_connected_once() {
        let text = "CheckTx:socket:a:1,CheckTx:grpc:b:2,Query:grpc:b:2,*:socket:tcp://a:1";
        let routes: Routes = text.parse().unwrap();
        assert_eq!(routes.endpoints().len(), 2, "tcp:// is the default");
        let called: Vec<_> = routes.of(Method::CheckTx).iter().map(ToString::to_string).collect();
        assert_eq!(called, ["socket:tcp://a:1", "grpc:b:2"]);
    }

    #[test]
    fn lists_that_are_no_routes_are_refused() {
        let error = |text: &str| text.parse::<Routes>().unwrap_err();
        assert_eq!(error("CheckTx:socket:a:1"), AddressError::Fallback(0));
        assert_eq!(error("*:socket:a:1,*:socket:b:1"), AddressError::Fallback(2));
        assert_eq!(error("*:socket:a:1,*:socket:a:1"), AddressError::Twice("*:socket:a:1".to_owned()));
        assert_eq!(error("*:socket"), AddressError::Route("*:socket".to_owned()));
        assert_eq!(error(""), AddressError::Route(String::new()));
        assert_eq!(error("check_tx:socket:a:1"), AddressError::Method("check_tx".to_owned()));
        assert_eq!(error("*:udp:a:1"), AddressError::Transport("udp".to_owned()));
        assert_eq!(error("*:grpc:tcp://a:1"), AddressError::GrpcScheme("tcp://a:1".to_owned()));
    }
}
