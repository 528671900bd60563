//! How VRL's values become JSON for JavaScript.

use serde::ser::{Serialize, Serializer};
use serde_json::json;
use vrl::value::Value;

/// The largest integer that a JavaScript number holds without loss (2^53 - 1).
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// `{"value":[event,result]}`, with `"wide":[[path,digits],…]` when integers outgrow a JavaScript number: the host puts a
/// `BigInt` at each of those paths. Every other answer stays plain JSON, which the host parses at full speed.
pub fn encode(event: &Value, result: &Value) -> Vec<u8> {
    let mut wide = Vec::new();
    for (index, value) in [event, result].into_iter().enumerate() {
        collect_wide(value, &mut vec![json!(index)], &mut wide);
    }
    let mut text = b"{\"value\":".to_vec();
    write(&mut text, &[Json(event), Json(result)]);
    if !wide.is_empty() {
        text.extend_from_slice(b",\"wide\":");
        write(&mut text, &wide);
    }
    text.push(b'}');
    text
}

fn write(text: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(text, value).expect("every VRL value has a JSON form");
}

type WideInteger = (Vec<serde_json::Value>, String);

fn collect_wide(value: &Value, path: &mut Vec<serde_json::Value>, wide: &mut Vec<WideInteger>) {
    match value {
        Value::Integer(number) if number.unsigned_abs() > MAX_SAFE_INTEGER => {
            wide.push((path.clone(), number.to_string()));
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect_below(item, || json!(index), path, wide);
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                collect_below(field, || json!(key.as_str()), path, wide);
            }
        }
        _ => {}
    }
}

/// Path segments are made only for values that can hold integers, because most values are text.
fn collect_below(
    value: &Value,
    segment: impl FnOnce() -> serde_json::Value,
    path: &mut Vec<serde_json::Value>,
    wide: &mut Vec<WideInteger>,
) {
    if matches!(value, Value::Integer(_) | Value::Array(_) | Value::Object(_)) {
        path.push(segment());
        collect_wide(value, path, wide);
        path.pop();
    }
}

/// VRL's own JSON form, except that a timestamp reads `2024-01-31 12:00:00 UTC` as in VRL's other language bindings.
struct Json<'a>(&'a Value);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Timestamp(timestamp) => serializer.collect_str(timestamp),
            Value::Array(items) => serializer.collect_seq(items.iter().map(Json)),
            Value::Object(fields) => {
                serializer.collect_map(fields.iter().map(|(key, field)| (key.as_str(), Json(field))))
            }
            plain => plain.serialize(serializer),
        }
    }
}
