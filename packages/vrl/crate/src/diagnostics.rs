//! How VRL's diagnostics become JSON for JavaScript.

use serde_json::{Value, json};
use vrl::diagnostic::{Diagnostic, DiagnosticList, Formatter, Severity};

pub fn describe(source: &str, diagnostics: DiagnosticList) -> String {
    let messages: Vec<_> = diagnostics.iter().map(|one| message(source, one)).collect();
    json!({ "messages": messages, "formatted": Formatter::new(source, diagnostics).to_string() }).to_string()
}

fn message(source: &str, diagnostic: &Diagnostic) -> Value {
    let labels = &diagnostic.labels;
    let position = labels.iter().find(|label| label.primary).or(labels.first()).map(|label| {
        let before = source.get(..label.span.start()).unwrap_or(source);
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    });
    json!({
        "severity": severity(diagnostic.severity),
        "code": format!("E{:03}", diagnostic.code),
        "message": diagnostic.message,
        "line": position.map(|(line, _)| line),
        "column": position.map(|(_, column)| column),
    })
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Bug => "bug",
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}
