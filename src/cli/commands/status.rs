//! `queencount status FILE...`: shows the progress of a count shared by many machines.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "approximate"
)]

mod campaign;
mod page;

use std::path::Path;

use super::prelude::*;
use campaign::{COLUMNS, Campaign, percent};
use unicode_width::UnicodeWidthStr;

pub(crate) fn run(app: &mut App, args: &StatusArguments) -> Result<()> {
    let campaign = Campaign::read(app, args)?;
    if let Some(file) = &args.html {
        let mut inputs = campaign.records.clone();
        inputs.extend(args.exclude.exclude.clone());
        Destination::new(file, "--html", &inputs)?.write(&page::page(&campaign))?;
    }
    match app.output.format() {
        // The HTML page goes to stdout, so print nothing else.
        _ if args.html.as_deref() == Some(Path::new("-")) => {}
        Format::Json => app.output.row(&campaign.row())?,
        Format::Csv => {
            for group in &campaign.status.groups {
                app.output.row(group)?;
            }
        }
        Format::Text => app.output.text(text(&campaign))?,
    }
    campaign.verdict(app)
}

fn text(campaign: &Campaign) -> String {
    const BAR: usize = 24;
    let mut lines = Vec::new();
    for (name, share, words) in campaign.figures() {
        let bar = share.map_or(String::new(), |share| {
            let done = "=".repeat(((share * BAR as f64) as usize).min(BAR));
            format!("[{done:<BAR$}] {:>8}  ", percent(share))
        });
        lines.push(format!("{name:<18}{bar}{words}"));
    }
    lines.push(String::new());
    let table = campaign.table();
    let widths: [usize; COLUMNS] = std::array::from_fn(|column| {
        let cells = table.iter().map(|row| row[column].width());
        cells.max().unwrap_or(0)
    });
    for [name, numbers @ ..] in &table {
        let mut line = name.clone() + &" ".repeat(widths[0] - name.width());
        for (cell, width) in numbers.iter().zip(&widths[1..]) {
            line += &format!("  {cell:>width$}");
        }
        lines.push(line);
    }
    lines.push(String::new());
    lines.extend(campaign.lacking_shards());
    lines.extend(campaign.problems());
    lines.push(String::new());
    lines.extend(campaign.commands());
    lines.join("\n") + "\n"
}
