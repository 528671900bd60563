//! The boundary between JavaScript and VRL.
//!
//! The host reserves the input buffer, writes UTF-8 into it, calls one export and reads the answer from the output
//! buffer. Both buffers belong to this module, so a call that traps half-way can leak nothing on the host's side: the
//! host throws the whole instance away.

mod diagnostics;
mod engine;
mod library;
mod output;
mod reference;
mod refused;
mod system;

use std::cell::RefCell;

use engine::{Answer, Engine};

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::new());
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for `length` bytes of input and says where they go. The address holds until the next export is called.
#[unsafe(no_mangle)]
pub extern "C" fn reserve_input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; length];
        input.as_mut_ptr()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn output_pointer() -> *const u8 {
    OUTPUT.with_borrow(Vec::as_ptr)
}

#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    OUTPUT.with_borrow(Vec::len)
}

/// Gives both buffers back, so that one huge event does not keep its memory until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn release_buffers() {
    INPUT.take();
    OUTPUT.take();
}

/// Input: the source. Answers with the handle of the program, or with diagnostics.
#[unsafe(no_mangle)]
pub extern "C" fn compile() -> u32 {
    answer(Engine::compile)
}

/// Input: the name of the time zone (`zone_length` bytes), then the event as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn run(handle: u32, zone_length: usize, timeout_ms: f64) -> u32 {
    answer(|engine, input| {
        let (zone, event) = input.split_at(zone_length);
        engine.run(handle, zone, event, timeout_ms)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn free_program(handle: u32) {
    ENGINE.with_borrow_mut(|engine| engine.free(handle));
}

/// Answers with every function of the library and its documented examples.
#[unsafe(no_mangle)]
pub extern "C" fn describe_functions() -> u32 {
    answer(|engine, _| engine.describe_functions())
}

/// Runs one operation on the input, keeps its text for the host and returns its status.
fn answer(operation: impl FnOnce(&mut Engine, &[u8]) -> Answer) -> u32 {
    let input = INPUT.take();
    let Answer { status, text } = ENGINE.with_borrow_mut(|engine| operation(engine, &input));
    OUTPUT.set(text);
    status as u32
}
