//! Which window of a time range is asked.

use dpp::document::is_expired;
use dpp::document_type::TimeRange;
use dpp::primitives::TimestampMillis;

use super::QueryError;

/// A window, named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// The one that began last.
    Newest,
    /// The one that began first of those that contain the present.
    Oldest,
    /// The one that starts then, in ms.
    ByStart(TimestampMillis),
}

impl Window {
    /// Its start, if it can be asked at `now`, the time of the last block.
    pub fn start(self, range: &TimeRange, now: TimestampMillis) -> Result<TimestampMillis, QueryError> {
        let start = match self {
            Self::Newest => range.newest_start(now),
            Self::Oldest => range.window_starts(now).first().copied(),
            Self::ByStart(start) => Some(start).filter(|start| range.is_window_start(*start)),
        };
        let named = if let Self::ByStart(start) = self { start } else { now };
        let start = start.ok_or(QueryError::NoSuchWindow(named))?;
        match range.entries_expire_at(start) {
            Some(expires_at) if is_expired(expires_at, now) => Err(QueryError::WindowExpired(start)),
            _ => Ok(start),
        }
    }
}
