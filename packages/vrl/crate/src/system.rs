//! Two functions that VRL puts among its system functions although they ask nothing of the system. The others of that
//! feature read files, and leaving the feature out makes the module smaller.

use std::collections::BTreeMap;

use psl::suffix;
use vrl::compiler::prelude::*;

use crate::refused::{FILES, Refusal};

#[derive(Clone, Copy, Debug)]
pub struct GetTimezoneName;

impl Function for GetTimezoneName {
    fn identifier(&self) -> &'static str {
        "get_timezone_name"
    }

    fn usage(&self) -> &'static str {
        "Returns the name of the time zone that the script runs in."
    }

    fn category(&self) -> &'static str {
        Category::System.as_ref()
    }

    fn return_kind(&self) -> u16 {
        kind::BYTES
    }

    fn examples(&self) -> &'static [Example] {
        &[example! { title: "The zone of the run", source: "get_timezone_name!()", result: Ok("UTC") }]
    }

    fn compile(&self, _: &TypeState, _: &mut FunctionCompileContext, _: ArgumentList) -> Compiled {
        Ok(ZoneName.as_expr())
    }
}

#[derive(Clone, Debug)]
struct ZoneName;

impl FunctionExpression for ZoneName {
    fn resolve(&self, ctx: &mut Context) -> Resolved {
        Ok(String::from(*ctx.timezone()).into())
    }

    /// It cannot fail, but VRL says that it can, and scripts are written for VRL.
    fn type_def(&self, _: &TypeState) -> TypeDef {
        TypeDef::bytes().fallible()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ParseEtld;

impl Function for ParseEtld {
    fn identifier(&self) -> &'static str {
        "parse_etld"
    }

    fn usage(&self) -> &'static str {
        "Splits a domain name at its public suffix."
    }

    fn category(&self) -> &'static str {
        Category::Parse.as_ref()
    }

    fn return_kind(&self) -> u16 {
        kind::OBJECT
    }

    fn parameters(&self) -> &'static [Parameter] {
        const PARAMETERS: &[Parameter] = &[
            Parameter::required("value", kind::BYTES, "The domain name."),
            Parameter::optional("plus_parts", kind::INTEGER, "How many parts before the suffix belong to `etld_plus`."),
            Parameter::optional("psl", kind::BYTES, "The file with another list of suffixes; refused here."),
        ];
        PARAMETERS
    }

    fn examples(&self) -> &'static [Example] {
        &[
            example! {
                title: "A registered domain",
                source: r#"parse_etld!("www.example.co.uk", plus_parts: 1)"#,
                result: Ok(r#"{ "etld": "co.uk", "etld_plus": "example.co.uk", "known_suffix": true }"#),
            },
            example! {
                title: "A suffix that nobody lists",
                source: r#"parse_etld!("printer.attic")"#,
                result: Ok(r#"{ "etld": "attic", "etld_plus": "attic", "known_suffix": false }"#),
            },
        ]
    }

    fn compile(&self, _: &TypeState, _: &mut FunctionCompileContext, arguments: ArgumentList) -> Compiled {
        if arguments.optional("psl").is_some() {
            return Err(Box::new(Refusal::new("the argument `psl` of the function `parse_etld`", FILES)));
        }
        let domain = arguments.required("value");
        let plus_parts = arguments.optional("plus_parts");
        Ok(SplitAtSuffix { domain, plus_parts }.as_expr())
    }
}

#[derive(Clone, Debug)]
struct SplitAtSuffix {
    domain: Box<dyn Expression>,
    plus_parts: Option<Box<dyn Expression>>,
}

impl FunctionExpression for SplitAtSuffix {
    fn resolve(&self, ctx: &mut Context) -> Resolved {
        let domain = self.domain.resolve(ctx)?;
        let domain = domain.try_bytes_utf8_lossy()?;
        let plus_parts = match &self.plus_parts {
            Some(expression) => expression.resolve(ctx)?.try_integer()?,
            None => 0,
        };
        let found = suffix(domain.as_bytes()).ok_or_else(|| format!("unable to determine eTLD for {domain}"))?;
        let etld = String::from_utf8_lossy(found.as_bytes());
        let labels: Vec<_> = domain.split('.').collect();
        let wanted = etld.split('.').count().saturating_add(usize::try_from(plus_parts).unwrap_or_default());
        let etld_plus = labels[labels.len().saturating_sub(wanted)..].join(".");
        Ok(vrl::value!({ etld: (etld.as_ref()), etld_plus: (etld_plus), known_suffix: (found.is_known()) }))
    }

    fn type_def(&self, _: &TypeState) -> TypeDef {
        let text = || Kind::bytes();
        let fields = [("etld", text()), ("etld_plus", text()), ("known_suffix", Kind::boolean())];
        TypeDef::object(BTreeMap::from(fields.map(|(name, kind)| (name.into(), kind)))).fallible()
    }
}
