//! The report as tables for people.

use comfy_table::{Cell, CellAlignment, Table, presets};
use dpp::primitives::TimestampMillis;

use crate::chain::human::{Span, credits_line, dash, dash_aligned, span, time};
use crate::chain::report::{Report, Waiting};
use crate::chain::tally::{Collected, Day, EpochFigures, Paid, Spread};

/// The report as tables: totals, days, epochs, proposers.
pub fn render(report: &Report) -> String {
    format!("{}\n\n{}\n\n{}\n\n{}\n", totals(report), days(report), epochs(report), proposers(report))
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
    let (documents, expirations) = (&report.documents, &report.expirations);
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
        ("pools", waiting(&report.pools.waiting)),
        ("spread", spread(&report.pools.spread)),
        ("paid out", paid(&report.pools.paid)),
        ("credits", credits_line(&report.credits)),
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

fn waiting(pools: &Waiting) -> String {
    format!(
        "permanent {}, lifetime {} in {} pools, epochs {} storage and {} processing, refunds pending {}",
        dash(pools.permanent),
        dash(pools.lifetime),
        pools.lifetime_pools.len(),
        dash(pools.epochs_storage),
        dash(pools.epochs_processing),
        dash(pools.refunds)
    )
}

fn spread(spread: &Spread) -> String {
    format!(
        "permanent {} ({} credits left over), lifetime {}, taken back {}",
        dash(spread.permanent),
        spread.leftover,
        dash(spread.lifetime),
        dash(spread.taken_back)
    )
}

fn paid(paid: &Paid) -> String {
    format!(
        "{}: storage {}, processing {}, Core's subsidy {}",
        dash(paid.total()),
        dash(paid.storage),
        dash(paid.processing),
        dash(paid.core_rewards)
    )
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

fn epochs(report: &Report) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED);
    table.set_header(vec![
        "epoch",
        "blocks",
        "permanent, Dash",
        "lifetime, Dash",
        "processing, Dash",
        "refunds, Dash",
        "lifetime spread, Dash",
        "paid out, Dash",
    ]);
    for epoch in &report.epochs {
        table.add_row(epoch_cells(epoch));
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn epoch_cells(figures: &EpochFigures) -> Vec<String> {
    let Collected { permanent, lifetime, processing, refunds } = figures.collected;
    let amounts = [permanent, lifetime, processing, refunds, figures.spread.lifetime];
    let paid = figures.paid.map_or_else(String::new, |paid| dash_aligned(paid.total()));
    let counts = [u64::from(figures.epoch.0), figures.blocks];
    counts.iter().map(u64::to_string).chain(amounts.into_iter().map(dash_aligned)).chain([paid]).collect()
}

fn proposers(report: &Report) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED);
    table.set_header(vec!["proposer", "blocks", "paid, Dash"]);
    for (id, figures) in &report.proposers {
        table.add_row(vec![id.to_string(), figures.blocks.to_string(), dash_aligned(figures.paid)]);
    }
    for column in table.column_iter_mut().skip(1) {
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
