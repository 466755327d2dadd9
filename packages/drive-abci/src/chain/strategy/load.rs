//! From a strategy file to a strategy that can run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dpp::primitives::Credits;
use dpp::primitives::hash::sha256;
use platform_version::{PlatformVersion, ProtocolVersion};

use super::{Action, Author, Fill, Strategy, Timeline};
use crate::chain::contract_file::ContractFile;
use crate::chain::generator::SchemaData;
use crate::genesis::schedule;
use crate::input::{InputError, read_document};

/// A strategy with everything it refers to.
#[derive(Clone, Debug)]
pub struct LoadedStrategy {
    /// The strategy as its file says it, with its seed.
    pub strategy: Strategy,
    /// Times of its blocks.
    pub timeline: Timeline,
    /// Its contracts by their name in the strategy.
    pub contracts: BTreeMap<String, ContractFile>,
    /// Hash of all that decides what the chain does, the seed included.
    pub digest: [u8; 32],
}

/// Most identities a strategy may have: each is in genesis with four keys.
const MAX_IDENTITIES: u16 = 10_000;

impl LoadedStrategy {
    /// Reads a strategy and its contracts; `seed` overrides the file's.
    pub fn read(path: &Path, seed: Option<u64>) -> Result<Self, InputError> {
        let mut strategy: Strategy = read_document("strategy", path)?;
        strategy.seed = seed.unwrap_or(strategy.seed);
        let folder = path.parent().unwrap_or(Path::new("."));
        let read = |(name, source): (&String, &super::ContractSource)| {
            Ok((name.clone(), ContractFile::read(&folder.join(&source.file))?))
        };
        let contracts = strategy.contracts.iter().map(read).collect::<Result<_, InputError>>()?;
        Self::new(strategy, contracts).map_err(|reason| InputError::invalid("strategy", path, reason))
    }

    /// Checks a strategy against its contracts.
    pub fn new(strategy: Strategy, contracts: BTreeMap<String, ContractFile>) -> Result<Self, String> {
        let timeline = Timeline::new(&strategy.timeline)?;
        settings_make_sense(&strategy, &timeline)?;
        for (number, operation) in strategy.operations.iter().enumerate() {
            let place = |reason: String| format!("operations[{number}]: {reason}");
            operation.when.fault().map_or(Ok(()), Err).map_err(place)?;
            action_makes_sense(&operation.action, &strategy, &contracts).map_err(place)?;
        }
        let digest = digest(&strategy, &contracts);
        Ok(Self { strategy, timeline, contracts, digest })
    }
}

fn settings_make_sense(strategy: &Strategy, timeline: &Timeline) -> Result<(), String> {
    PlatformVersion::get(ProtocolVersion(strategy.protocol_version)).map_err(|error| error.to_string())?;
    let identities = strategy.identities.count;
    if identities == 0 || identities > MAX_IDENTITIES {
        return Err(format!("identities.count is {identities}; write 1 to {MAX_IDENTITIES}"));
    }
    if strategy.validators == 0 {
        return Err("validators is 0; a chain needs at least one".to_owned());
    }
    schedule(strategy.parameters)?;
    let issued = strategy.identities.balance.0.0.checked_mul(u64::from(identities));
    issued.filter(|issued| *issued <= Credits::MAX.0).ok_or("the identities own more credits than can exist")?;
    let end = strategy.genesis_time.0.0.checked_add(timeline.elapsed(timeline.blocks()));
    end.map(|_| ()).ok_or_else(|| "the timeline ends later than time can count".to_owned())?;
    contract_owners_exist(strategy)
}

fn contract_owners_exist(strategy: &Strategy) -> Result<(), String> {
    let stranger = strategy.contracts.iter().find(|(_, source)| source.owner >= strategy.identities.count);
    stranger.map_or(Ok(()), |(name, source)| {
        let last = strategy.identities.count.saturating_sub(1);
        Err(format!("contracts.{name}: owner {} does not exist; identities are 0 to {last}", source.owner))
    })
}

fn action_makes_sense(
    action: &Action,
    strategy: &Strategy,
    contracts: &BTreeMap<String, ContractFile>,
) -> Result<(), String> {
    authors_make_sense(action, strategy)?;
    if let Some(choice) = action.choice() {
        document_type(contracts, choice.contract, choice.document_type)?;
        choice.fault().map_or(Ok(()), Err)?;
    }
    if let Some((contract_name, name, data)) = action.data() {
        document_type(contracts, contract_name, name)?;
        data_makes_sense(contract(contracts, contract_name)?, name, data)?;
    }
    match action {
        Action::Register(register) => contract(contracts, &register.contract).map(|_| ()),
        Action::Junk(junk) => junk.bytes.fault().map_or(Ok(()), Err),
        _ => Ok(()),
    }
}

/// Only documents are written by each identity; everything else is done by one.
fn authors_make_sense(action: &Action, strategy: &Strategy) -> Result<(), String> {
    for author in action.authors() {
        match (author, action) {
            (Author::Identity(number), _) if number >= strategy.identities.count => {
                return Err(format!("identity {number} does not exist; there are {}", strategy.identities.count));
            }
            (Author::Each, Action::Create(_)) => {}
            (Author::Owner, Action::CreditTransfer(_)) => {
                return Err("credits have no contract whose owner could be meant; name an identity".to_owned());
            }
            (Author::Each, _) => return Err("'each' is for create alone; write any or {identity: 3}".to_owned()),
            _ => {}
        }
    }
    Ok(())
}

fn data_makes_sense(contract: &ContractFile, name: &str, data: &BTreeMap<String, Fill>) -> Result<(), String> {
    for (property, fill) in data {
        fill.fault().map_or(Ok(()), |fault| Err(format!("data.{property}: {fault}")))?;
    }
    SchemaData::new(contract, name, data).map(|_| ())
}

fn contract<'c>(contracts: &'c BTreeMap<String, ContractFile>, name: &str) -> Result<&'c ContractFile, String> {
    contracts.get(name).ok_or_else(|| {
        let known: Vec<&str> = contracts.keys().map(String::as_str).collect();
        format!("contract '{name}' is not in 'contracts' (there: {})", known.join(", "))
    })
}

fn document_type(
    contracts: &BTreeMap<String, ContractFile>,
    contract_name: &str,
    document_type: &str,
) -> Result<(), String> {
    let contract = contract(contracts, contract_name)?;
    contract.document_schema(document_type).map(|_| ()).ok_or_else(|| {
        let known: Vec<&str> = contract.document_types().collect();
        format!("contract '{contract_name}' has no document type '{document_type}' (there: {})", known.join(", "))
    })
}

/// Descriptions and file names do not decide what the chain does.
fn digest(strategy: &Strategy, contracts: &BTreeMap<String, ContractFile>) -> [u8; 32] {
    let mut decisive = strategy.clone();
    decisive.description.clear();
    decisive.contracts.values_mut().for_each(|source| source.file = PathBuf::new());
    let contracts: BTreeMap<&String, _> = contracts.iter().map(|(name, file)| (name, file.to_json())).collect();
    sha256(serde_json::json!([decisive, contracts]).to_string().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::parse_document;

    const STRATEGY: &str = r#"
protocolVersion: 14
genesisTime: 2025-01-01T00:00:00Z
identities: {count: 2, balance: 1 Dash}
contracts: {notes: {file: note.json, owner: 1}}
timeline: [{blocks: 2, every: 1h}]
operations:
  - {when: {at: 1}, do: {register: {contract: notes}}}
  - {do: {create: {contract: notes, type: note, data: {text: {text: {min: 1, max: 9}}}}}}
  - {do: {delete: {contract: notes, type: note, after: 1h}}}
  - {do: {replace: {contract: notes, type: note, after: 1s, before: 1h, by: stranger}}}
  - {do: {transfer: {contract: notes, type: note, to: {identity: 1}}}}
  - {do: {reprice: {contract: notes, type: note, price: 5}}}
  - {do: {purchase: {contract: notes, type: note, by: owner}}}
  - {do: {creditTransfer: {from: {identity: 0}, to: any, amount: 100000}}}
"#;

    fn load(yaml: &str) -> Result<LoadedStrategy, String> {
        let note = r#"{"note": {"type": "object", "properties": {"text": {"type": "string", "position": 0}}}}"#;
        let contracts = [("notes".to_owned(), ContractFile::parse(note)?)].into();
        LoadedStrategy::new(parse_document(yaml)?, contracts)
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        load(STRATEGY).unwrap();
        let cases = [
            ("protocolVersion: 14", "protocolVersion: 12", "protocol version 12"),
            ("count: 2", "count: 0", "identities.count"),
            ("balance: 1 Dash", "balance: 60000000 Dash", "more credits"),
            ("balance: 1 Dash", "balance: 1 Euro", "line 4"),
            ("owner: 1", "owner: 2", "contracts.notes"),
            ("register: {contract: notes}", "register: {contract: nots}", "operations[0]: contract 'nots'"),
            ("create: {contract: notes, type: note,", "create: {contract: notes, type: not,", "operations[1]"),
            ("{text: {text: {min: 1, max: 9}}}", "{test: absent}", "data.test"),
            ("{min: 1, max: 9}", "{min: 10, max: 9}", "data.text"),
            ("type: note, data", "type: note, by: {identity: 7}, data", "identity 7"),
            ("to: {identity: 1}", "to: {identity: 2}", "operations[4]: identity 2"),
            ("to: {identity: 1}", "to: each", "operations[4]: 'each'"),
            ("from: {identity: 0}", "from: owner", "operations[7]: credits"),
            ("before: 1h", "before: 1s", "operations[3]: before"),
            ("reprice: {contract: notes,", "reprice: {contract: nots,", "operations[5]: contract 'nots'"),
            ("when: {at: 1}", "when: {at: 1, every: 2}", "operations[0]: 'at'"),
            ("do: {register", "do: {transmogrify", "line 8"),
            ("timeline: [{blocks: 2, every: 1h}]", "timeline: [{gap: 1h}]", "no blocks"),
            ("timeline:", "parameters: {epochLengthSeconds: 0, epochsPerEra: 1}\ntimeline:", "parameters"),
            ("timeline:", "validators: 0\ntimeline:", "validators"),
        ];
        for (right, wrong, named) in cases {
            let yaml = STRATEGY.replacen(right, wrong, 1);
            assert_ne!(yaml, STRATEGY, "{wrong}");
            let error = load(&yaml).unwrap_err();
            assert!(error.contains(named), "{wrong}: {error}");
        }
    }

    #[test]
    fn the_digest_changes_with_what_the_chain_does_and_with_nothing_else() {
        let digest = |yaml: &str| load(yaml).unwrap().digest;
        let same = STRATEGY.replace("note.json", "other.json") + "description: a word\n";
        assert_eq!(digest(&same), digest(STRATEGY));
        for other in [STRATEGY.replace("max: 9", "max: 8"), STRATEGY.to_owned() + "seed: 3\n"] {
            assert_ne!(digest(&other), digest(STRATEGY));
        }
    }
}
