//! Listening sockets: bound before anything runs, so that an address in use is known at once.
//!
//! Invariants: the file of a Unix socket is removed with its listener, and one left behind by a killed process
//! is replaced; a file that is no socket, or that another process listens on, is never touched.

use std::fs;
use std::io;
use std::net::TcpListener;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use crate::address::{Address, HostPort};
use crate::stream::Stream;

/// A bound socket of either family.
#[derive(Debug)]
pub(super) enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener, SocketFile),
}

/// The file of a Unix socket, gone with this.
#[derive(Debug)]
pub(super) struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        // whoever removed it before did the same
        let _ = fs::remove_file(&self.0);
    }
}

impl Listener {
    pub(super) fn bind(address: &Address) -> io::Result<Self> {
        match address {
            Address::Tcp(address) => bind_tcp(address).map(Self::Tcp),
            Address::Unix(path) => {
                let listener = bind_unix(path)?;
                let file = SocketFile(path.clone());
                listener.set_nonblocking(true)?;
                Ok(Self::Unix(listener, file))
            }
        }
    }

    /// The address bound, with the port the system chose.
    pub(super) fn local_address(&self) -> io::Result<Address> {
        match self {
            Self::Tcp(listener) => Ok(Address::Tcp(listener.local_addr()?.into())),
            Self::Unix(_, file) => Ok(Address::Unix(file.0.clone())),
        }
    }

    /// The next connection, when one is waiting.
    pub(super) fn accept(&self) -> io::Result<Stream> {
        let stream = match self {
            Self::Tcp(listener) => Stream::tcp(listener.accept()?.0)?,
            Self::Unix(listener, _) => Stream::Unix(listener.accept()?.0),
        };
        stream.set_nonblocking()?;
        Ok(stream)
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(listener) => listener.as_fd(),
            Self::Unix(listener, _) => listener.as_fd(),
        }
    }
}

/// A TCP socket that does not block.
pub(super) fn bind_tcp(address: &HostPort) -> io::Result<TcpListener> {
    let listener = TcpListener::bind((address.host(), address.port()))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

fn bind_unix(path: &Path) -> io::Result<UnixListener> {
    match UnixListener::bind(path) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && is_left_behind(path) => {
            fs::remove_file(path)?;
            UnixListener::bind(path)
        }
        result => result,
    }
}

/// Whether a file is a socket that nobody listens on.
fn is_left_behind(path: &Path) -> bool {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    let refused = |error: io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
    is_socket && UnixStream::connect(path).err().is_some_and(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_file_left_behind_is_replaced_and_removed_in_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abci.sock");
        drop(UnixListener::bind(&path).unwrap());
        assert!(path.exists(), "as a killed process leaves it");
        let listener = Listener::bind(&Address::Unix(path.clone())).unwrap();
        assert_eq!(listener.local_address().unwrap(), Address::Unix(path.clone()));
        drop(listener);
        assert!(!path.exists());
    }

    #[test]
    fn files_of_others_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abci.sock");
        let kind = |path: &Path| Listener::bind(&Address::Unix(path.to_owned())).unwrap_err().kind();
        let first = Listener::bind(&Address::Unix(path.clone())).unwrap();
        assert_eq!(kind(&path), io::ErrorKind::AddrInUse);
        drop(first);
        fs::write(&path, "no socket").unwrap();
        assert_eq!(kind(&path), io::ErrorKind::AddrInUse);
        assert_eq!(fs::read_to_string(&path).unwrap(), "no socket");
    }
}
