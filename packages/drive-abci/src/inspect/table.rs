//! What was found, as tables for people: amounts in Dash, times as people read them.

use comfy_table::{Cell, CellAlignment, Table, presets};
use dpp::primitives::{Credits, EpochIndex, TimestampMillis};

use super::words::duration;
use super::{
    Documents, EpochPools, Expirations, Forecast, Pools, RunningEpoch, ShownDocument, ShownElement, ShownFlags,
    ShownKind, Summary, Tree,
};
use crate::chain::human::{credits_line, dash_aligned, time};

impl Summary {
    /// The summary as two tables: the chain, its documents.
    pub fn render(&self) -> String {
        let mut text = format!("{}\n", self.totals());
        for contract in self.contracts.iter().filter(|contract| contract.unreadable.is_some()) {
            let reason = contract.unreadable.as_deref().unwrap_or_default();
            text.push_str(&format!("contract {} cannot be read: {reason}\n", contract.id));
        }
        if self.contracts.is_empty() { text } else { format!("{text}\n{}\n", self.types()) }
    }

    fn totals(&self) -> Table {
        let mut table = table(&[&self.chain_id, &format!("protocol version {}", self.protocol_version)]);
        let block = match (self.height, self.epoch) {
            (Some(height), Some(epoch)) => format!("{height}, {}, epoch {epoch}", optional_time(self.time_ms)),
            _ => "none yet".to_owned(),
        };
        let queue = &self.queue;
        let oldest = queue.oldest_ms.map_or_else(String::new, |oldest| format!("; the oldest is of {}", time(oldest)));
        let lag = if queue.due == 0 { String::new() } else { format!("; {} late", duration(queue.lag_ms)) };
        table.add_row(["last block", &block]);
        table.add_row(["app hash", &self.app_hash]);
        table.add_row(["credits", &credits_line(&self.credits)]);
        table.add_row(["expiry queue", &format!("{} entries, {} due{lag}{oldest}", queue.entries, queue.due)]);
        table
    }

    fn types(&self) -> Table {
        let mut table = table(&["contract", "version", "document type", "ttl", "documents"]);
        for contract in &self.contracts {
            let version = contract.version.map_or_else(|| "?".to_owned(), |version| version.to_string());
            for document_type in &contract.document_types {
                let ttl = document_type.ttl_seconds.map_or_else(String::new, |ttl| duration(ttl.to_millis()));
                let documents = document_type.documents.to_string();
                table.add_row([&contract.id, &version, &document_type.name, &ttl, &documents]);
            }
        }
        right(table, &[1, 4])
    }
}

impl Expirations {
    /// The queue as two tables: the forecast, the first entries.
    pub fn render(&self) -> String {
        let mut text = format!("{} entries at {}\n", self.entries, optional_time(self.time_ms));
        if !self.forecast.hours.is_empty() {
            text.push_str(&format!("{}\n", self.forecast.table()));
        }
        if !self.expirations.is_empty() {
            text.push_str(&format!("\n{}\n", self.list()));
        }
        text + &more(self.unlisted())
    }

    fn list(&self) -> Table {
        let mut table = table(&["expires", "left", "document", "contract", "type"]);
        for found in &self.expirations {
            if let Some(bytes) = &found.malformed {
                table.add_row([optional_time(found.expires_at_ms), String::new(), format!("malformed: {bytes}")]);
                continue;
            }
            let id = |id: Option<dpp::primitives::Identifier>| id.map_or_else(String::new, |id| id.to_string());
            table.add_row([
                optional_time(found.expires_at_ms),
                left(found.left_ms),
                id(found.document_id),
                id(found.contract_id),
                found.document_type.clone().unwrap_or_default(),
            ]);
        }
        table
    }
}

impl Forecast {
    fn table(&self) -> Table {
        let mut table = table(&["falls due", "entries"]);
        table.add_row(["already".to_owned(), self.due.to_string()]);
        // hours without an entry say nothing
        for hour in self.hours.iter().filter(|hour| hour.entries > 0) {
            table.add_row([format!("in the hour to {}", time(hour.until_ms)), hour.entries.to_string()]);
        }
        table.add_row(["later".to_owned(), self.later.to_string()]);
        right(table, &[1])
    }
}

impl Documents {
    /// The documents, each on lines of its own.
    pub fn render(&self) -> String {
        let lives = self
            .ttl_seconds
            .map_or_else(String::new, |ttl| format!(", gone {} after their creation", duration(ttl.to_millis())));
        let mut text = format!("{} documents of type '{}'{lives}\n", self.total, self.document_type);
        self.documents.iter().for_each(|document| text.push_str(&document.render()));
        let listed = u64::try_from(self.documents.len()).unwrap_or(u64::MAX);
        text + &more(self.total.saturating_sub(listed))
    }
}

impl ShownDocument {
    fn render(&self) -> String {
        let expiry = match self.expires_at_ms {
            None => String::new(),
            Some(at) => format!("  expires {}, {}", time(at), left(self.left_ms)),
        };
        let content = match (&self.properties, &self.undecodable) {
            (Some(properties), _) => serde_json::to_string(properties).unwrap_or_default(),
            (None, reason) => format!("cannot be read: {}", reason.as_deref().unwrap_or_default()),
        };
        format!("\n{}{expiry}\n  {content}\n", self.id)
    }
}

impl Pools {
    /// The pools as one table.
    pub fn render(&self) -> String {
        let mut table = table(&["pool", "credits", "Dash"]);
        let mut add = |name: String, credits: Credits| {
            table.add_row([name, credits.to_string(), dash_aligned(credits)]);
        };
        add("storage, to be spread".to_owned(), self.storage_pool);
        for pool in self.lifetime_pools.iter().flatten() {
            let (epoch, life) = (pool.collected_epoch, pool.lifetime_epochs);
            add(format!("lifetime, collected in epoch {epoch} for {life} epochs"), pool.credits);
        }
        for (first, last, pool) in runs(&self.epochs) {
            let (epochs, each) = match first == last {
                true => (format!("epoch {first}"), ""),
                false => (format!("epochs {first} to {last}"), ", each"),
            };
            for (what, credits) in [("storage", pool.storage), ("processing", pool.processing)] {
                if credits != Credits::ZERO {
                    add(format!("{epochs}, {what}{each}"), credits);
                }
            }
        }
        for refund in &self.pending_refunds {
            add(format!("refunds pending, of bytes of epoch {}", refund.epoch), refund.credits);
        }
        let absent = if self.lifetime_pools.is_none() { "There are no lifetime pools yet.\n" } else { "" };
        let total = format!("{} credits in all, refunds taken away", self.total);
        let books = format!("{}; oldest unpaid epoch {}.\n{absent}", credits_line(&self.credits), self.unpaid_epoch);
        let running = self.running.as_ref().map_or_else(String::new, RunningEpoch::render);
        format!("{}\n{total}.\n{books}{running}", right(table, &[1, 2]))
    }
}

impl RunningEpoch {
    /// The proposers as a table.
    fn render(&self) -> String {
        let mut table = table(&["proposer", "blocks", "would be paid, Dash"]);
        for proposer in &self.proposers {
            let due = dash_aligned(proposer.due);
            table.add_row([proposer.proposer.to_string(), proposer.blocks.to_string(), due]);
        }
        format!(
            "\nEpoch {} runs since height {}: {} blocks so far. If it ended now, Core's subsidy apart:\n{}\n",
            self.epoch,
            self.start_height,
            self.blocks,
            right(table, &[1, 2])
        )
    }
}

impl Tree {
    /// The elements as one table.
    pub fn render(&self) -> String {
        if self.elements.is_empty() {
            return format!("{} is an empty tree\n", self.path);
        }
        let mut table = table(&["key", "kind", "value", "flags"]);
        for element in &self.elements {
            let (kind, value) = element.cells();
            let flags = element.flags.as_ref().map_or_else(String::new, ShownFlags::render);
            table.add_row([element.key.clone(), kind.to_owned(), value, flags]);
        }
        let more = if self.more { "and more\n" } else { "" };
        format!("{}\n{table}\n{more}", self.path)
    }
}

impl ShownElement {
    fn cells(&self) -> (&'static str, String) {
        match &self.kind {
            ShownKind::Item { value } => ("item", value.clone()),
            ShownKind::SumItem { value } => ("sum item", value.to_string()),
            ShownKind::Reference { target } => ("reference", target.clone()),
            ShownKind::Tree => ("tree", String::new()),
            ShownKind::SumTree { total } => ("sum tree", total.to_string()),
            ShownKind::BigSumTree => ("big sum tree", String::new()),
            ShownKind::CountTree => ("count tree", String::new()),
            ShownKind::Foreign => ("foreign", String::new()),
        }
    }
}

impl ShownFlags {
    fn render(&self) -> String {
        let Some(epoch) = self.base_epoch else { return format!("malformed: {}", self.hex) };
        let owner = self.owner_id.map_or_else(|| "nobody".to_owned(), |owner| owner.to_string());
        let later = self.later_bytes.iter().map(|(epoch, bytes)| format!(", {bytes} bytes in epoch {epoch}"));
        format!("{owner}, epoch {epoch}{}", later.collect::<String>())
    }
}

/// Epochs in a row that hold the same: storage fees are spread evenly over the epochs of an era.
fn runs(epochs: &[EpochPools]) -> Vec<(EpochIndex, EpochIndex, EpochPools)> {
    let mut runs: Vec<(EpochIndex, EpochIndex, EpochPools)> = Vec::new();
    for pool in epochs {
        match runs.last_mut() {
            Some((_, last, of_run)) if last.0.checked_add(1) == Some(pool.epoch.0) && of_run.holds_as_much_as(pool) => {
                *last = pool.epoch;
            }
            _ => runs.push((pool.epoch, pool.epoch, *pool)),
        }
    }
    runs
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED);
    table.set_header(header.iter().map(Cell::new));
    table
}

fn right(mut table: Table, columns: &[usize]) -> Table {
    for column in columns {
        if let Some(column) = table.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn optional_time(at: Option<TimestampMillis>) -> String {
    at.map_or_else(|| "genesis".to_owned(), time)
}

fn left(millis: Option<u64>) -> String {
    match millis {
        None => String::new(),
        Some(0) => "due".to_owned(),
        Some(millis) => format!("{} left", duration(millis)),
    }
}

fn more(count: u64) -> String {
    if count == 0 { String::new() } else { format!("and {count} more\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(epoch: u16, storage: u64) -> EpochPools {
        EpochPools { epoch: EpochIndex(epoch), storage: Credits(storage), processing: Credits(0) }
    }

    #[test]
    fn epochs_that_hold_the_same_are_one_line() {
        let epochs = [pool(1, 9), pool(2, 5), pool(3, 5), pool(5, 5), pool(6, 5), pool(7, 5)];
        let runs: Vec<_> =
            runs(&epochs).into_iter().map(|(first, last, pool)| (first.0, last.0, pool.storage.0)).collect();
        assert_eq!(runs, [(1, 1, 9), (2, 3, 5), (5, 7, 5)]);
    }
}
