//! VRL documents every function with examples and their results, inside the library itself. The host's tests run them,
//! which proves each function in the very file that is shipped.

use serde_json::{Value, json};
use vrl::compiler::Function;
use vrl::compiler::function::Example;

use crate::refused;

pub fn describe(functions: &[Box<dyn Function>]) -> String {
    let entries: Vec<_> = functions
        .iter()
        .map(|function| {
            let closure = function.closure().map(|definition| definition.inputs).unwrap_or_default();
            let examples = function.examples().iter().chain(closure.iter().map(|input| &input.example));
            json!({
                "name": function.identifier(),
                "category": function.category(),
                "refused": refused::reason(function.identifier()),
                "examples": examples.map(describe_example).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!(entries).to_string()
}

fn describe_example(example: &Example) -> Value {
    json!({
        "title": example.title,
        "source": example.source,
        "input": example.input,
        "result": example.result.ok(),
        "error": example.result.err(),
        "deterministic": example.deterministic,
        "skip": example.skip,
    })
}
