//! Functions that cannot work inside WebAssembly. VRL would let a script with them compile and abort on every run, or
//! not know them at all; here the script is refused when it is checked, with the reason.

use vrl::compiler::codes;
use vrl::compiler::prelude::*;
use vrl::diagnostic::Label;

const NETWORK: &str = "it needs the network";
const ENVIRONMENT: &str = "it reads the environment of the host";
pub const FILES: &str = "it reads a file";
const LOG: &str = "it writes to a log of the host";
const GROK: &str = "VRL has no grok engine for WebAssembly; use `parse_regex` instead";

macro_rules! parameters {
    ($($keyword:literal),*) => { &[$(Parameter::optional($keyword, kind::ANY, "")),*] };
}

/// Each with VRL's own parameter names, so that a correct call reaches our refusal and not a complaint about arguments.
const REFUSED: &[Refused] = &[
    Refused { name: "dns_lookup", reason: NETWORK, parameters: parameters!("value", "qtype", "class", "options") },
    Refused { name: "reverse_dns", reason: NETWORK, parameters: parameters!("value") },
    Refused {
        name: "http_request",
        reason: NETWORK,
        parameters: parameters!("url", "method", "headers", "body", "http_proxy", "https_proxy", "redact_headers"),
    },
    Refused { name: "get_env_var", reason: ENVIRONMENT, parameters: parameters!("name") },
    Refused { name: "get_hostname", reason: ENVIRONMENT, parameters: &[] },
    Refused {
        name: "encode_proto",
        reason: FILES,
        parameters: parameters!("value", "desc_file", "message_type", "allow_lossy_string_coercion"),
    },
    Refused { name: "parse_proto", reason: FILES, parameters: parameters!("value", "desc_file", "message_type") },
    Refused {
        name: "validate_json_schema",
        reason: FILES,
        parameters: parameters!("value", "schema_definition", "ignore_unknown_formats"),
    },
    Refused { name: "log", reason: LOG, parameters: parameters!("value", "level", "rate_limit_secs") },
    Refused { name: "parse_grok", reason: GROK, parameters: parameters!("value", "pattern") },
    Refused {
        name: "parse_groks",
        reason: GROK,
        parameters: parameters!("value", "patterns", "aliases", "alias_sources"),
    },
];

pub fn functions() -> impl Iterator<Item = Box<dyn Function>> {
    REFUSED.iter().map(|refused| Box::new(*refused) as Box<dyn Function>)
}

pub fn reason(name: &str) -> Option<&'static str> {
    REFUSED.iter().find(|refused| refused.name == name).map(|refused| refused.reason)
}

#[derive(Clone, Copy, Debug)]
struct Refused {
    name: &'static str,
    reason: &'static str,
    parameters: &'static [Parameter],
}

impl Function for Refused {
    fn identifier(&self) -> &'static str {
        self.name
    }

    fn usage(&self) -> &'static str {
        self.reason
    }

    fn category(&self) -> &'static str {
        "Refused"
    }

    fn return_kind(&self) -> u16 {
        kind::ANY
    }

    fn examples(&self) -> &'static [Example] {
        &[]
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }

    fn compile(&self, _: &TypeState, _: &mut FunctionCompileContext, _: ArgumentList) -> Compiled {
        Err(Box::new(Refusal::new(format!("the function `{}`", self.name), self.reason)))
    }
}

#[derive(Debug)]
pub struct Refusal {
    what: String,
    reason: &'static str,
}

impl Refusal {
    pub fn new(what: impl Into<String>, reason: &'static str) -> Self {
        Self { what: what.into(), reason }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} is not available here: {}", self.what, self.reason)
    }
}

impl std::error::Error for Refusal {}

impl DiagnosticMessage for Refusal {
    fn code(&self) -> usize {
        codes::ExprCode::UndefinedFunction as usize
    }

    /// VRL moves the label to the call.
    fn labels(&self) -> Vec<Label> {
        vec![Label::primary(self.reason, Span::default())]
    }
}
