//! The functions that a script may name.

use vrl::compiler::Function;

use crate::refused;
use crate::system::{GetTimezoneName, ParseEtld};

/// VRL's standard library, with the refused functions in the places of those that would abort.
pub fn functions() -> Vec<Box<dyn Function>> {
    let mut functions = vrl::stdlib::all();
    functions.retain(|function| refused::reason(function.identifier()).is_none());
    functions.push(Box::new(GetTimezoneName));
    functions.push(Box::new(ParseEtld));
    functions.extend(refused::functions());
    functions
}
