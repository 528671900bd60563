/** The output of VRL 0.38.0, compiled natively instead of to WebAssembly, for each of these sources. */
export const NATIVE_DIAGNOSTICS: readonly {
  readonly name: string;
  readonly source: string;
  readonly formatted: string;
}[] = [
  {
    name: 'an unfinished expression',
    source: '.a = 1 +',
    formatted: `
error[E204]: syntax error
  ┌─ :1:9
  │
1 │ .a = 1 +
  │         ^
  │
  │         unexpected end of program
  │         expected one of: "identifier", "string literal", "raw string literal", "integer literal", "float literal", "regex literal", "timestamp literal", "function call", "path literal", "null", "true", "false", "\\n", "!", "[", "{", "("
  │
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
  {
    name: 'prose',
    source: 'please summarise the result',
    formatted: `
error[E203]: syntax error
  ┌─ :1:8
  │
1 │ please summarise the result
  │        ^^^^^^^^^
  │        │
  │        unexpected syntax token: "Identifier"
  │        expected one of: ";", "\\n", "|", "=", "|=", ",", "+", "*", "-", "/", "<", "<=", ">", ">=", "==", "!=", "|", "&&", "||", "??"
  │
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
  {
    name: 'text after a path',
    source: '.content[0] !! what',
    formatted: `
error[E203]: syntax error
  ┌─ :1:13
  │
1 │ .content[0] !! what
  │             ^
  │             │
  │             unexpected syntax token: "Bang"
  │             expected one of: ";", "\\n", "|", "=", "|=", ",", "+", "*", "-", "/", "<", "<=", ">", ">=", "==", "!=", "|", "&&", "||", "??"
  │
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
  {
    name: 'an unhandled error',
    source: '.a = parse_json(.b)',
    formatted: `
error[E103]: unhandled fallible assignment
  ┌─ :1:6
  │
1 │ .a = parse_json(.b)
  │ ---- ^^^^^^^^^^^^^^
  │ │    │
  │ │    this expression is fallible because at least one argument's type cannot be verified to be valid
  │ │    update the expression to be infallible by adding a \`!\`: \`parse_json!(.b)\`
  │ │    \`.b\` argument type is \`any\` and this function expected a parameter \`value\` of type \`string\`
  │ or change this to an infallible assignment:
  │ .a, err = parse_json(.b)
  │
  = see documentation about error handling at https://errors.vrl.dev/#handling
  = see functions characteristics documentation at https://vrl.dev/expressions/#function-call-characteristics
  = learn more about error code 103 at https://errors.vrl.dev/103
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
  {
    name: 'an unknown function',
    source: '.a = downcas("X")',
    formatted: `
error[E105]: call to undefined function
  ┌─ :1:6
  │
1 │ .a = downcas("X")
  │      ^^^^^^^
  │      │
  │      undefined function
  │      did you mean "downcase"?
  │
  = learn more about error code 105 at https://errors.vrl.dev/105
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
  {
    name: 'an unknown variable',
    source: 'result = 1\n.a = resul',
    formatted: `
error[E701]: call to undefined variable
  ┌─ :2:6
  │
2 │ .a = resul
  │      ^^^^^
  │      │
  │      undefined variable
  │      did you mean "result"?
  │
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
  {
    name: 'a wrong type of argument',
    source: '.a = upcase(1)',
    formatted: `
error[E110]: invalid argument type
  ┌─ :1:13
  │
1 │ .a = upcase(1)
  │             ^
  │             │
  │             this expression resolves to the exact type integer
  │             but the parameter "value" expects the exact type string
  │
  = try: ensuring an appropriate type at runtime
  =
  =     1 = string!(1)
  =     upcase(1)
  =
  = try: coercing to an appropriate type and specifying a default value as a fallback in case coercion fails
  =
  =     1 = to_string(1) ?? "default"
  =     upcase(1)
  =
  = see documentation about error handling at https://errors.vrl.dev/#handling
  = learn more about error code 110 at https://errors.vrl.dev/110
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
  {
    name: 'a missing argument',
    source: '.a = contains("x")',
    formatted: `
error[E107]: missing function argument
  ┌─ :1:6
  │
1 │ .a = contains("x")
  │      ^^^^^^^^^^^^^ required argument missing: "substring" (position 1)
  │
  = learn more about error code 107 at https://errors.vrl.dev/107
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
  {
    name: 'an unknown argument',
    source: '.a = upcase("x", loud: true)',
    formatted: `
error[E106]: wrong number of function arguments
  ┌─ :1:13
  │
1 │ .a = upcase("x", loud: true)
  │             ^^^^^^^^^^^^^^^
  │             │
  │             too many function arguments
  │             this function takes a maximum of 1 argument
  │
  = see documentation about function arguments at https://vrl.dev/expressions/#arguments
  = learn more about error code 106 at https://errors.vrl.dev/106
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
  {
    name: 'an error that cannot happen',
    source: '.a, err = upcase("x")',
    formatted: `
error[E104]: unnecessary error assignment
  ┌─ :1:5
  │
1 │ .a, err = upcase("x")
  │ --  ^^^   ----------- because this expression can't fail
  │ │   │
  │ │   this error assignment is unnecessary
  │ use: .a = upcase("x")
  │
  = see documentation about error handling at https://errors.vrl.dev/#handling
  = learn more about error code 104 at https://errors.vrl.dev/104
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
  {
    name: 'a condition that is no boolean',
    source: 'if 1 {\n  .a = 1\n}',
    formatted: `
error[E102]: non-boolean predicate
  ┌─ :1:4
  │
1 │ if 1 {
  │    ^
  │    │
  │    this predicate must resolve to a boolean
  │    instead it resolves to integer
  │
  = hint: coerce the value to the required type using a coercion function
  = see documentation about if expressions at https://vrl.dev/expressions/#if
  = learn more about error code 102 at https://errors.vrl.dev/102
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
  {
    name: 'a broken regular expression',
    source: '.a = match("x", r\'(\')',
    formatted: `
error[E101]: invalid regular expression
  ┌─ :1:17
  │
1 │ .a = match("x", r'(')
  │                 ^^^^ regex parse error: unclosed group: (
  │
  = see documentation about regular expressions at https://vrl.dev/expressions/#regular-expression
  = learn more about error code 101 at https://errors.vrl.dev/101
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
  {
    name: 'a wrong choice for an argument',
    source: '.a = to_unix_timestamp(now(), unit: "weeks")',
    formatted: `
error[E610]: function compilation error: error[E401] invalid enum variant"
  ┌─ :1:6
  │
1 │ .a = to_unix_timestamp(now(), unit: "weeks")
  │      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  │      │
  │      invalid enum variant for argument "unit"
  │      expected one of: "seconds", "milliseconds", "microseconds", "nanoseconds"
  │      received: "weeks"
  │
  = learn more about error code 401 at https://errors.vrl.dev/401
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
  {
    name: 'two errors around wide characters',
    source: '.名前 = "値" + oops(.b)\n# comment\n.b = parse_json(.c)',
    formatted: `
error[E203]: syntax error
  ┌─ :1:2
  │
1 │ .名前 = "値" + oops(.b)
  │  ^^
  │  │
  │  unexpected syntax token: "InvalidToken"
  │  expected one of: ";", "\\n", "|", "=", "|=", ",", "+", "*", "-", "/", "<", "<=", ">", ">=", "==", "!=", "|", "&&", "||", "??"
  │
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples

error[E103]: unhandled fallible assignment
  ┌─ :3:6
  │
3 │ .b = parse_json(.c)
  │ ---- ^^^^^^^^^^^^^^
  │ │    │
  │ │    this expression is fallible because at least one argument's type cannot be verified to be valid
  │ │    update the expression to be infallible by adding a \`!\`: \`parse_json!(.c)\`
  │ │    \`.c\` argument type is \`any\` and this function expected a parameter \`value\` of type \`string\`
  │ or change this to an infallible assignment:
  │ .b, err = parse_json(.c)
  │
  = see documentation about error handling at https://errors.vrl.dev/#handling
  = see functions characteristics documentation at https://vrl.dev/expressions/#function-call-characteristics
  = learn more about error code 103 at https://errors.vrl.dev/103
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
  {
    name: 'an assignment of nothing',
    source: '. = "text"\n.a =',
    formatted: `
error[E204]: syntax error
  ┌─ :2:5
  │
2 │ .a =
  │     ^
  │
  │     unexpected end of program
  │     expected one of: "identifier", "string literal", "raw string literal", "integer literal", "float literal", "regex literal", "timestamp literal", "function call", "path literal", "if", "null", "true", "false", "abort", "return", "break", "\\n", "_", "!", "[", "{", "("
  │
  = see language documentation at https://vrl.dev
  = try your code in the VRL REPL, learn more at https://vrl.dev/examples
`,
  },
];
