//! Ending a server: one signal that every thread waits for beside its socket.
//!
//! The signal is a closed pair of sockets, which wakes a poll as any socket does and stays readable for ever.
//! Invariant: stopping is final. Absent: signals of the operating system; who wants them calls
//! [`StopHandle::stop`] from a handler of their own.

use std::io;
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Stops a server; every copy stops the same one.
#[derive(Clone, Debug)]
pub struct StopHandle(Arc<Pair>);

#[derive(Debug)]
struct Pair {
    signal: UnixStream,
    woken: UnixStream,
}

/// What ended a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Woken {
    Ready,
    Stopped,
    TimedOut,
}

impl StopHandle {
    pub(super) fn new() -> io::Result<Self> {
        let (signal, woken) = UnixStream::pair()?;
        woken.set_nonblocking(true)?;
        Ok(Self(Arc::new(Pair { signal, woken })))
    }

    /// Stops the server: no connection is accepted any more, calls that run are answered, then `run` returns.
    pub fn stop(&self) {
        // an error means that it was stopped before
        let _ = self.0.signal.shutdown(Shutdown::Both);
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        matches!(self.sleep(Duration::ZERO), Ok(Woken::Stopped))
    }

    /// Waits for a socket or the stop; the stop goes first.
    pub(super) fn wait(&self, socket: BorrowedFd<'_>, events: PollFlags) -> io::Result<Woken> {
        self.poll(Some((socket, events)), None)
    }

    /// Waits for the stop, for a time.
    pub(super) fn sleep(&self, time: Duration) -> io::Result<Woken> {
        self.poll(None, Some(time))
    }

    /// A copy of what becomes readable on stop, for another kind of waiting.
    pub(super) fn woken(&self) -> io::Result<UnixStream> {
        self.0.woken.try_clone()
    }

    fn poll(&self, socket: Option<(BorrowedFd<'_>, PollFlags)>, time: Option<Duration>) -> io::Result<Woken> {
        let mut waiting = vec![PollFd::from_borrowed_fd(self.0.woken.as_fd(), PollFlags::IN)];
        waiting.extend(socket.map(|(socket, events)| PollFd::from_borrowed_fd(socket, events)));
        if poll_all(&mut waiting, time)? == 0 {
            return Ok(Woken::TimedOut);
        }
        let stopped = waiting.first().is_some_and(|pair| !pair.revents().is_empty());
        Ok(if stopped { Woken::Stopped } else { Woken::Ready })
    }
}

/// Waits for a socket alone, for a time.
pub(super) fn wait_at_most(socket: BorrowedFd<'_>, events: PollFlags, time: Duration) -> io::Result<Woken> {
    let ready = poll_all(&mut [PollFd::from_borrowed_fd(socket, events)], Some(time))?;
    Ok(if ready == 0 { Woken::TimedOut } else { Woken::Ready })
}

fn poll_all(waiting: &mut [PollFd<'_>], time: Option<Duration>) -> io::Result<usize> {
    let time = time.and_then(|time| Timespec::try_from(time).ok());
    loop {
        match poll(waiting, time.as_ref()) {
            Err(rustix::io::Errno::INTR) => {}
            result => return Ok(result?),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_stop_wakes_whoever_waits_and_stays() {
        let stop = StopHandle::new().unwrap();
        let (mut a, b) = UnixStream::pair().unwrap();
        assert!(!stop.is_stopped());
        assert_eq!(stop.sleep(Duration::from_millis(1)).unwrap(), Woken::TimedOut);
        assert_eq!(wait_at_most(b.as_fd(), PollFlags::IN, Duration::ZERO).unwrap(), Woken::TimedOut);
        a.write_all(b"x").unwrap();
        assert_eq!(stop.wait(b.as_fd(), PollFlags::IN).unwrap(), Woken::Ready);
        let waiting = stop.clone();
        let thread = std::thread::spawn(move || waiting.sleep(Duration::from_secs(3_600)).unwrap());
        stop.stop();
        stop.stop();
        assert_eq!(thread.join().unwrap(), Woken::Stopped);
        assert_eq!(stop.wait(b.as_fd(), PollFlags::IN).unwrap(), Woken::Stopped);
        assert!(stop.is_stopped());
    }
}
