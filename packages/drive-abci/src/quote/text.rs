//! The quote as a table for people: what it costs, beside what it would cost for ever.

use comfy_table::{Cell, CellAlignment, Table, presets};
use dpp::primitives::Credits;

use super::fault::{About, QuoteFault};
use super::report::{Cost, EpochRun, Quote, Rent};
use crate::chain::human::{dash, time};
use crate::inspect::words::duration;

/// Runs of epochs that are told; the rest are counted.
const MOST_RUNS: usize = 4;

impl Quote {
    /// The quote, a row an item.
    pub fn render(&self) -> String {
        let mut table = Table::new();
        table.load_preset(presets::UTF8_FULL_CONDENSED);
        let mut header = vec![Cell::new("credits"), Cell::new(self.life_in_words())];
        header.extend(self.permanent.as_ref().map(|_| Cell::new("for ever")));
        table.set_header(header);
        let costs: Vec<&Cost> = std::iter::once(&self.cost).chain(&self.permanent).collect();
        for (name, figure) in ROWS {
            let cells = costs.iter().map(|cost| Cell::new(figure(cost)).set_alignment(CellAlignment::Right));
            table.add_row(std::iter::once(Cell::new(name)).chain(cells));
        }
        format!("{}\n{table}\n{}", self.headline(), self.notes())
    }

    fn headline(&self) -> String {
        let at = self.block_time_ms.map_or_else(String::new, |at| format!(" at {}", time(at)));
        format!(
            "{} of a '{}' of {} bytes{at}, protocol version {}: at most",
            self.action.name().replace('_', "-"),
            self.document_type,
            self.stored_bytes,
            self.protocol_version
        )
    }

    fn life_in_words(&self) -> String {
        match &self.life {
            None => "for ever".to_owned(),
            Some(life) => match life.expires_at_ms {
                None => format!("for {}", duration(life.left_ms)),
                Some(at) => format!("for {}, until {}", duration(life.left_ms), time(at)),
            },
        }
    }

    fn notes(&self) -> String {
        let epoch = self.life.as_ref().map_or_else(String::new, |life| {
            format!(", each {}", duration(u64::from(life.epoch_seconds).saturating_mul(1_000)))
        });
        format!(
            "Processing goes to the proposers of the block's own epoch, storage to those after it{epoch}.\n\
             The nonce's storage is paid once a writer and contract; it is permanent.\n"
        )
    }
}

type Figure = fn(&Cost) -> String;

/// What is told, in the order it adds up.
const ROWS: [(&str, Figure); 11] = [
    ("bytes added", |cost| by_rent(cost, |rent| rent.bytes.to_string())),
    ("price of a byte", |cost| by_rent(cost, |rent| rent.per_byte.to_string())),
    ("paid for, epochs", |cost| by_rent(cost, lifetime)),
    ("storage", |cost| by_rent(cost, |rent| rent.credits.to_string())),
    ("prepaid deletion", |cost| cost.prepaid_deletion.to_string()),
    ("processing of the writes", |cost| cost.writes.to_string()),
    ("nonce: first time, processing", |cost| format!("{} + {}", cost.nonce.storage, cost.nonce.processing)),
    ("checks", |cost| cost.checks.to_string()),
    ("total", |cost| cost.total.to_string()),
    ("total, Dash", |cost| dash(cost.total)),
    ("storage is paid to", epochs),
];

fn by_rent(cost: &Cost, figure: impl Fn(&Rent) -> String) -> String {
    let figures: Vec<String> = cost.rents.iter().map(figure).collect();
    if figures.is_empty() { "none".to_owned() } else { figures.join(" + ") }
}

fn lifetime(rent: &Rent) -> String {
    rent.lifetime_epochs.map_or_else(|| "all".to_owned(), |epochs| epochs.to_string())
}

fn epochs(cost: &Cost) -> String {
    let told = cost.epochs.iter().take(MOST_RUNS).map(run);
    let mut lines: Vec<String> = told.collect();
    if let Some(last) = cost.epochs.get(MOST_RUNS..).and_then(<[EpochRun]>::last) {
        lines.push(format!("… {}", run(last)));
    }
    if cost.leftover != Credits::ZERO {
        lines.push(format!("left over: {}", cost.leftover));
    }
    if lines.is_empty() { "nobody".to_owned() } else { lines.join("\n") }
}

fn run(run: &EpochRun) -> String {
    if run.first == run.last {
        return format!("epoch +{}: {}", run.first, run.each);
    }
    format!("epochs +{} to +{}: {} each", run.first, run.last, run.each)
}

impl QuoteFault {
    /// The fault as text.
    pub fn render(&self) -> String {
        let (fault, code) = (&self.fault, self.fault.code.map_or_else(String::new, |code| format!("{code} ")));
        let place = match (self.about, fault.pointer.as_str()) {
            (About::Contract, "") => "the contract".to_owned(),
            (About::Contract, pointer) => format!("{pointer} of the contract"),
            (About::Data, "") => "the document".to_owned(),
            (About::Data, pointer) => format!("{pointer} of the document"),
            (About::Action, _) => "the action".to_owned(),
        };
        format!("{code}{} at {place}\n  {}\n  change: {}\n", fault.name, fault.message, fault.change)
    }
}
