//! A client that sends each method to the endpoints a list of routes names, as a node with transport `routed`.

use prost::Message;

use super::{Client, ClientError};
use crate::address::{Endpoint, Routes};
use crate::method::Call;

/// Connections to all endpoints of a list of routes.
#[derive(Debug)]
pub struct RoutedClient {
    routes: Routes,
    clients: Vec<(Endpoint, Client)>,
}

impl RoutedClient {
    /// Connects to each endpoint once.
    pub fn connect(routes: Routes) -> Result<Self, ClientError> {
        let connect = |endpoint: &Endpoint| Ok((endpoint.clone(), Client::connect(endpoint)?));
        let clients = routes.endpoints().into_iter().map(connect).collect::<Result<_, ClientError>>()?;
        Ok(Self { routes, clients })
    }

    /// Calls every endpoint of the method in turn. The first answer that is not empty counts, else the last.
    pub fn call<C: Call>(&self, request: C) -> Result<C::Response, ClientError> {
        let endpoints = self.routes.of(C::METHOD);
        let called = |endpoint: &Endpoint| self.clients.iter().find(|(known, _)| known == endpoint);
        let mut counted = C::Response::default();
        for (_, client) in endpoints.into_iter().filter_map(called) {
            let answer = client.call(request.clone())?;
            if counted.encoded_len() == 0 {
                counted = answer;
            }
        }
        Ok(counted)
    }
}
