//! Named points of a block where a test may stop the process, to kill it there.
//!
//! A test aid behind a hidden flag of `simulate` and `start`. What a block does knows of no pause: only those who
//! drive it, the local chain and the node, reach points.

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

/// A point on a block's way into the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Its transitions are made, nothing ran.
    BeforePrepare,
    /// It was proposed, and is not processed yet.
    BeforeProcess,
    /// It was processed, and is not in the recording yet.
    BeforeRecord,
    /// It is in the recording, and is not committed yet.
    BeforeFinalize,
    /// It is committed.
    AfterFinalize,
    /// The state is being copied for nodes that join.
    DuringSnapshot,
}

/// Where to stop: a point of a block, the first time it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseAt {
    /// The point.
    pub point: Point,
    /// Height of the block.
    pub height: u64,
}

/// The point a run stops at, if any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pause(pub Option<PauseAt>);

impl Point {
    /// The points of a local chain, in the order a block passes them.
    pub const ALL: [Self; 5] =
        [Self::BeforePrepare, Self::BeforeProcess, Self::BeforeRecord, Self::BeforeFinalize, Self::AfterFinalize];

    /// The points of a node, in order.
    pub const NODE: [Self; 3] = [Self::BeforeFinalize, Self::AfterFinalize, Self::DuringSnapshot];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::BeforePrepare => "before-prepare",
            Self::BeforeProcess => "before-process",
            Self::BeforeRecord => "before-record",
            Self::BeforeFinalize => "before-finalize",
            Self::AfterFinalize => "after-finalize",
            Self::DuringSnapshot => "during-snapshot",
        }
    }
}

impl Pause {
    /// Says so on standard error and waits to be killed, when this is the point.
    pub fn reached(self, point: Point, height: u64) {
        let here = PauseAt { point, height };
        if self.0 != Some(here) {
            return;
        }
        // whoever waits for the line may be gone
        io::stderr().write_all(format!("paused at {here}\n").as_bytes()).ok();
        loop {
            std::thread::park();
        }
    }
}

impl fmt::Display for PauseAt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.point.name(), self.height)
    }
}

impl FromStr for PauseAt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let hint = || format!("'{text}' is no POINT:HEIGHT; points are {}", Point::ALL.map(Point::name).join(", "));
        let (name, height) = text.split_once(':').ok_or_else(hint)?;
        let point = Point::ALL.into_iter().chain(Point::NODE).find(|point| point.name() == name).ok_or_else(hint)?;
        Ok(Self { point, height: height.parse().map_err(|_| hint())? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_as_they_are_written() {
        for point in Point::ALL.into_iter().chain(Point::NODE) {
            let at = PauseAt { point, height: 7 };
            assert_eq!(at.to_string().parse(), Ok(at));
        }
        for bad in ["", "after-finalize", "after-finalize:", "after-finalize:-1", "nowhere:1"] {
            assert!(bad.parse::<PauseAt>().unwrap_err().contains("after-finalize"), "{bad}");
        }
    }

    #[test]
    fn a_run_without_a_pause_and_other_blocks_go_on() {
        Pause(None).reached(Point::BeforePrepare, 1);
        Pause(Some(PauseAt { point: Point::BeforePrepare, height: 2 })).reached(Point::BeforePrepare, 1);
        Pause(Some(PauseAt { point: Point::AfterFinalize, height: 1 })).reached(Point::BeforePrepare, 1);
    }
}
