//! Compiled programs, and how they are run.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde::Deserialize;
use vrl::compiler::runtime::{Runtime, Terminate};
use vrl::compiler::state::RuntimeState;
use vrl::compiler::{Function, Program, TargetValue, TimeZone};
use vrl::value::{Secrets, Value};

use crate::{diagnostics, library, output, reference};

/// Reading the clock crosses into the host, so it is read once in this many expressions.
const EXPRESSIONS_PER_CLOCK_READING: u32 = 32;

/// How a call ended. The numbers are shared with `src/instance.ts` of the package.
#[derive(Clone, Copy)]
pub enum Status {
    Done = 0,
    Diagnostics = 1,
    Failed = 2,
    Aborted = 3,
    TimedOut = 4,
    UnknownTimeZone = 5,
    BadEvent = 6,
}

pub struct Answer {
    pub status: Status,
    pub text: Vec<u8>,
}

impl Answer {
    fn new(status: Status, text: impl Into<Vec<u8>>) -> Self {
        Self { status, text: text.into() }
    }
}

pub struct Engine {
    functions: Vec<Box<dyn Function>>,
    programs: BTreeMap<u32, Program>,
    next_handle: u32,
}

impl Engine {
    pub fn new() -> Self {
        Self { functions: library::functions(), programs: BTreeMap::new(), next_handle: 1 }
    }

    pub fn compile(&mut self, source: &[u8]) -> Answer {
        let source = String::from_utf8_lossy(source);
        match vrl::compiler::compile(&source, &self.functions) {
            Ok(result) => {
                let handle = self.next_handle;
                self.next_handle += 1;
                self.programs.insert(handle, result.program);
                Answer::new(Status::Done, handle.to_string())
            }
            Err(found) => Answer::new(Status::Diagnostics, diagnostics::describe(&source, found)),
        }
    }

    pub fn free(&mut self, handle: u32) {
        self.programs.remove(&handle);
    }

    pub fn run(&mut self, handle: u32, zone: &[u8], event: &[u8], timeout_ms: f64) -> Answer {
        let program = self.programs.get(&handle).expect("the host runs only programs it holds");
        let Some(zone) = str::from_utf8(zone).ok().and_then(named_zone) else {
            return Answer::new(Status::UnknownTimeZone, "");
        };
        let event = match read_event(event) {
            Ok(event) => event,
            Err(error) => return Answer::new(Status::BadEvent, error.to_string()),
        };
        let mut target =
            TargetValue { value: event, metadata: Value::Object(BTreeMap::new()), secrets: Secrets::default() };
        let mut out_of_time = deadline(timeout_ms);
        let outcome =
            Runtime::new(RuntimeState::default()).resolve_with_control(&mut target, program, &zone, &mut out_of_time);
        match outcome {
            Ok(result) => Answer::new(Status::Done, output::encode(&target.value, &result)),
            Err(end) => {
                let status = match end {
                    Terminate::Interrupted => Status::TimedOut,
                    Terminate::Abort(_) => Status::Aborted,
                    Terminate::Error(_) => Status::Failed,
                };
                Answer::new(status, end.to_string())
            }
        }
    }

    pub fn describe_functions(&self) -> Answer {
        Answer::new(Status::Done, reference::describe(&self.functions))
    }
}

/// VRL's own name for the host's zone, `local`, is not offered here: only the host knows its zone, and sends its name.
fn named_zone(name: &str) -> Option<TimeZone> {
    TimeZone::parse(name).filter(|zone| matches!(zone, TimeZone::Named(_)))
}

/// `serde_json` stops at 128 levels. Here the stack is the limit: the host turns its overflow into an error.
fn read_event(json: &[u8]) -> serde_json::Result<Value> {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    deserializer.disable_recursion_limit();
    let event = Value::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(event)
}

fn deadline(timeout_ms: f64) -> impl FnMut() -> ControlFlow<()> {
    let end =
        Duration::try_from_secs_f64(timeout_ms / 1000.0).ok().and_then(|timeout| Instant::now().checked_add(timeout));
    let mut expressions = 0_u32;
    move || {
        expressions = expressions.wrapping_add(1);
        let look = expressions.is_multiple_of(EXPRESSIONS_PER_CLOCK_READING);
        match end {
            Some(end) if look && Instant::now() >= end => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}
