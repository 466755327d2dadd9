//! Document types of the acceptance cases.

use serde_json::{Value as Json, json};

/// Seconds a `flash` and a `claim` live.
pub const HOUR: u64 = 3_600;

/// `note`: two weeks, text, no index, weight 1.
pub fn note() -> Json {
    json!({
        "type": "object", "ttl": 1_209_600,
        "properties": { "text": { "type": "string", "maxLength": 280, "position": 0 } },
        "required": ["$createdAt", "text"], "additionalProperties": false,
    })
}

/// `flash`: an hour, one index on `tag`, deletable by its owner, weight 2.
pub fn flash() -> Json {
    json!({
        "type": "object", "ttl": HOUR, "canBeDeleted": true,
        "indices": [ { "name": "byTag", "properties": [ { "tag": "asc" } ] } ],
        "properties": { "tag": { "type": "string", "maxLength": 20, "position": 0 } },
        "required": ["$createdAt", "tag"], "additionalProperties": false,
    })
}

/// `claim`: an hour, a unique index on `name`, weight 2.
pub fn claim() -> Json {
    json!({
        "type": "object", "ttl": HOUR, "canBeDeleted": true,
        "indices": [ { "name": "byName", "unique": true, "properties": [ { "name": "asc" } ] } ],
        "properties": { "name": { "type": "string", "maxLength": 20, "position": 0 } },
        "required": ["$createdAt", "name"], "additionalProperties": false,
    })
}

/// `deed`: a day, changeable, transferable, for sale, a unique index on `title`, weight 2.
pub fn deed() -> Json {
    json!({
        "type": "object", "ttl": 86_400, "canBeDeleted": true, "documentsMutable": true, "transferable": 1,
        "tradeMode": 1,
        "indices": [ { "name": "byTitle", "unique": true, "properties": [ { "title": "asc" } ] } ],
        "properties": { "title": { "type": "string", "maxLength": 20, "position": 0 } },
        "required": ["$createdAt", "title"], "additionalProperties": false,
    })
}

/// `page`: for ever, changeable, transferable, for sale; a unique index on `slug`, one on `topic`; its
/// moderators may delete and restore. Weight 3.
pub fn page() -> Json {
    json!({
        "type": "object", "canBeDeleted": true, "documentsMutable": true, "transferable": 1, "tradeMode": 1,
        "moderatorAbilities": { "delete": true },
        "indices": [
            { "name": "bySlug", "unique": true, "properties": [ { "slug": "asc" } ] },
            { "name": "byTopic", "properties": [ { "topic": "asc" } ] },
        ],
        "properties": {
            "slug": { "type": "string", "maxLength": 40, "position": 0 },
            "topic": { "type": "string", "maxLength": 40, "position": 1 },
        },
        "required": ["$createdAt", "slug", "topic"], "additionalProperties": false,
    })
}

/// `post`: a `page` with a time to live.
pub fn post(ttl: u64) -> Json {
    with(page(), |members| {
        members.insert("ttl".to_owned(), json!(ttl));
    })
}

/// `pin`: an hour, an index over two properties, either of which may be absent.
pub fn pin() -> Json {
    json!({
        "type": "object", "ttl": HOUR,
        "indices": [ { "name": "byTagAndPlace", "properties": [ { "tag": "asc" }, { "place": "asc" } ] } ],
        "properties": {
            "tag": { "type": "string", "maxLength": 20, "position": 0 },
            "place": { "type": "string", "maxLength": 20, "position": 1 },
        },
        "required": ["$createdAt"], "additionalProperties": false,
    })
}

/// The same type with fees on some of its actions.
pub fn priced(schema: Json, fees: Json) -> Json {
    with(schema, |members| {
        members.insert("actionFees".to_owned(), fees);
    })
}

/// Properties the indexes of [`levelled`] are made of.
const POOL: usize = 10;

/// A type of so many index levels: an index of so many properties for each part of `levels`. The n-th
/// index begins at property `p<n>` and goes round `p0` to `p9`; a property `n` is in none.
pub fn levelled(ttl: u64, levels: &[usize]) -> Json {
    let index = |(place, count): (usize, &usize)| {
        let names = (place..place + count).map(|at| format!("p{}", at % POOL));
        let properties: Vec<Json> = names.map(|name| json!({ name: "asc" })).collect();
        json!({ "name": format!("i{place}"), "properties": properties })
    };
    let indices: Vec<Json> = levels.iter().enumerate().map(index).collect();
    let names = (0..POOL).map(|place| format!("p{place}")).chain(["n".to_owned()]).enumerate();
    let property = |place: usize| json!({ "type": "integer", "minimum": 0, "maximum": 1_000, "position": place });
    let properties: serde_json::Map<String, Json> = names.map(|(place, name)| (name, property(place))).collect();
    let mut schema = json!({
        "type": "object", "ttl": ttl, "properties": properties,
        "required": ["$createdAt"], "additionalProperties": false,
    });
    if !indices.is_empty() {
        schema["indices"] = Json::Array(indices);
    }
    schema
}

/// A type of indexes bucketed by creation: for each part so many properties, the time included, times
/// so many windows of a second. Properties are as in [`levelled`].
pub fn windowed(ttl: u64, levels: &[(usize, u64)]) -> Json {
    let counts: Vec<usize> = levels.iter().map(|(properties, _)| *properties).collect();
    let mut schema = levelled(ttl, &counts);
    for (index, (properties, windows)) in schema["indices"].as_array_mut().unwrap().iter_mut().zip(levels) {
        let own = index["properties"].as_array_mut().unwrap();
        own.truncate(properties - 1);
        own.insert(0, json!({ "$createdAt": "asc" }));
        index["timeRange"] = json!({ "on": "$createdAt", "range": windows, "step": 1 });
    }
    schema
}

/// The same type, changed.
pub fn with(mut schema: Json, change: impl FnOnce(&mut serde_json::Map<String, Json>)) -> Json {
    change(schema.as_object_mut().unwrap());
    schema
}

/// The same type without its time to live.
pub fn permanent(schema: Json) -> Json {
    with(schema, |members| {
        members.remove("ttl");
    })
}
