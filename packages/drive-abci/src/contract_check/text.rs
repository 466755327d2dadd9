//! The report as text for people.

use super::explain::Meaning;
use super::{Fault, Report, TypeReport};

impl Report {
    /// Types, then faults; the verdict is left to whoever prints it.
    pub fn render(&self) -> String {
        let types = self.document_types.iter().map(TypeReport::render);
        let faults = self.faults.iter().map(Fault::render);
        types.chain(faults).map(|part| part + "\n").collect()
    }

    /// The verdict in a line.
    pub fn verdict(&self) -> String {
        let what = match &self.update {
            None => "The contract can be registered".to_owned(),
            Some(update) => {
                format!("The update from version {} to {} can be made", update.from_version, update.to_version)
            }
        };
        let (version, bytes, limit) = (self.protocol_version, self.transition_bytes, self.transition_bytes_limit);
        match self.faults.len() {
            0 => format!("{what} at protocol version {version}; it takes {bytes} of {limit} bytes."),
            1 => format!("Refused at protocol version {version}: 1 fault.{}", self.not_compared()),
            count => format!("Refused at protocol version {version}: {count} faults.{}", self.not_compared()),
        }
    }

    fn not_compared(&self) -> &'static str {
        match &self.update {
            Some(update) if !update.compared => " It was not compared with the old version, there may be more.",
            _ => "",
        }
    }
}

impl TypeReport {
    fn render(&self) -> String {
        let barred = match self.barred_by.as_slice() {
            [] => String::new(),
            features => format!("; this platform does not run (10006) {}", features.join(", ")),
        };
        let verdict = if self.accepted { "accepted" } else { "refused" };
        let meaning = self.meaning.as_ref().map_or_else(String::new, Meaning::render);
        format!("{}: {verdict}{barred}\n{meaning}", self.name)
    }
}

impl Meaning {
    fn render(&self) -> String {
        let mut lines: Vec<String> = self
            .indexes
            .iter()
            .map(|index| {
                let unique = if index.unique { "unique " } else { "" };
                let kinds: String = index.kinds.iter().map(|kind| format!("; {kind}")).collect();
                let nulls = if index.null_searchable { "" } else { "; documents without values are not in it" };
                format!("{unique}index {}: {}{kinds}{nulls}", index.name, index.properties.join(", "))
            })
            .collect();
        if lines.is_empty() {
            lines.push("no index: documents are found by id alone".to_owned());
        }
        lines.push(self.life.clone());
        lines.push(match self.documents_can_disappear {
            true => format!("a document can disappear: {}", self.ways_to_disappear.join("; ")),
            false => "a document cannot disappear: others may refer to it for good".to_owned(),
        });
        let removals = self
            .removals_per_block
            .map_or_else(String::new, |count| format!(", so a block can remove {count} of them"));
        lines.push(format!("weight in the cleanup: {}{removals}", self.weight));
        lines.iter().map(|line| format!("  {line}\n")).collect()
    }
}

impl Fault {
    fn render(&self) -> String {
        let code = self.code.map_or_else(String::new, |code| format!("{code} "));
        let place = if self.pointer.is_empty() { "the contract" } else { &self.pointer };
        format!("{code}{} at {place}\n  {}\n  change: {}\n", self.name, self.message, self.change)
    }
}
