//! The report as tables for people.

use comfy_table::{Cell, CellAlignment, Table, presets};
use dpp::primitives::{Credits, TimestampMillis};

use crate::chain::human::{Span, dash, dash_aligned, span, time};
use crate::chain::report::Report;
use crate::chain::tally::Day;

/// The report as two tables: totals, then days.
pub fn render(report: &Report) -> String {
    format!("{}\n\n{}\n", totals(report), days(report))
}

fn totals(report: &Report) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED);
    table.set_header(vec![report.chain_id.clone(), format!("protocol version {}", report.protocol_version)]);
    for (name, figure) in rows(report) {
        table.add_row(vec![Cell::new(name), Cell::new(figure)]);
    }
    table
}

fn rows(report: &Report) -> Vec<(&'static str, String)> {
    let (documents, expirations, credits) = (&report.documents, &report.expirations, &report.credits);
    let from_to =
        format!("{} to {}", time(TimestampMillis(report.genesis_time_ms)), time(TimestampMillis(report.time_ms)));
    vec![
        ("blocks", format!("{}, {from_to}, epoch {}", report.blocks, report.epoch)),
        ("app hash", report.app_hash.clone()),
        ("transitions", format!("{} accepted; {}", report.transitions.accepted, refusals(report))),
        (
            "documents",
            format!(
                "{} created, {} deleted, {} expired, {} live",
                documents.created, documents.deleted, documents.expired, documents.live
            ),
        ),
        (
            "changes",
            format!(
                "{} replaced, {} transferred, {} repriced, {} purchased",
                documents.replaced, documents.transferred, documents.repriced, documents.purchased
            ),
        ),
        (
            "cleanup",
            format!(
                "at most {} removed a block, weight {}; {} orphans",
                expirations.removed_max, expirations.weight_max, expirations.orphans
            ),
        ),
        (
            "backlog",
            format!(
                "{} due of {} entries; at most {}, {} late",
                expirations.due,
                expirations.entries,
                expirations.backlog_max,
                span(Span(expirations.lag_max_ms))
            ),
        ),
        (
            "fees",
            format!(
                "storage {} (of it lifetime {}), processing {}",
                dash(report.fees.storage),
                dash(report.fees.lifetime_storage),
                dash(report.fees.processing)
            ),
        ),
        ("credits", credits_line(credits.issued, credits.accounted)),
    ]
}

fn refusals(report: &Report) -> String {
    if report.transitions.refused.is_empty() {
        return "none refused".to_owned();
    }
    let by_code: Vec<String> =
        report.transitions.refused.iter().map(|(code, count)| format!("{count} with {code}")).collect();
    format!("refused {}", by_code.join(", "))
}

fn credits_line(issued: Credits, accounted: Credits) -> String {
    if issued == accounted {
        return format!("{} issued, all accounted for", dash(issued));
    }
    format!("NOT BALANCED: {issued} credits issued, {accounted} accounted for")
}

fn days(report: &Report) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED);
    table.set_header(vec![
        "day",
        "blocks",
        "accepted",
        "refused",
        "created",
        "deleted",
        "expired",
        "live",
        "backlog",
        "storage, Dash",
        "processing, Dash",
    ]);
    for day in &report.days {
        table.add_row(day_cells(day));
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn day_cells(day: &Day) -> Vec<String> {
    let counts =
        [day.day, day.blocks, day.accepted, day.refused, day.created, day.deleted, day.expired, day.live, day.backlog];
    let fees = [day.storage_fees, day.processing_fees];
    counts.iter().map(u64::to_string).chain(fees.into_iter().map(dash_aligned)).collect()
}
