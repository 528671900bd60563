import type { Ledger } from './requirement.js';

/** Requirements on configuration beyond the documents of the formats. */
export const config = {
  document: 'Configuration: formats, inputs and trust',
  requirements: {
    'CONF-REPLACE-01': {
      section: 'files',
      behaviour:
        'A written file or folder replaces the old one as a whole; a failure leaves the old one and nothing else.',
      owedBy: ['config'],
    },
    // ── Readers ──
    'CONF-MODEL-01': {
      section: 'readers',
      behaviour: 'Every reader returns the same frozen model, with the file and format of each server.',
      owedBy: ['config'],
    },
    'CONF-MODEL-02': {
      section: 'readers',
      behaviour: 'Every format has one reader, chosen by the shape of the file.',
      owedBy: ['config'],
    },
    'CONF-COMPAT-01': {
      section: 'readers',
      behaviour: 'Unknown keys in the files of other tools are reported as warnings.',
      owedBy: ['config'],
    },
    'CONF-COMPAT-02': {
      section: 'readers',
      behaviour: '`type` is accepted in every spelling that tools write, and `sse` selects the older SSE transport.',
      owedBy: ['config'],
    },
    'CONF-COMPAT-03': {
      section: 'readers',
      behaviour: '`disabled`, `enabled`, `cwd`, `timeout` and `envFile` are supported.',
      owedBy: ['config'],
    },
    'CONF-COMPAT-04': {
      section: 'readers',
      behaviour: 'Every field that contradicts the transport is an error, in v1 and in compatible formats.',
      owedBy: ['config'],
    },
    'CONF-PATH-01': {
      section: 'readers',
      behaviour: '`mcpServers: "<path>"` is followed inside the root, without `..`, cycles or more than 16 files.',
      owedBy: ['config'],
    },
    'CONF-VSCODE-01': {
      section: 'readers',
      behaviour: 'VS Code’s `mcp.json` is read with its inputs, comments and trailing commas.',
      owedBy: ['config'],
    },
    'CONF-NATIVE-01': {
      section: 'readers',
      behaviour:
        'A2C servers are read nested and flat, with every spelling of their types and both forms of durations.',
      owedBy: ['config'],
    },
    'CONF-NATIVE-02': {
      section: 'readers',
      behaviour: 'A2C inputs are read with both spellings of their types.',
      owedBy: ['config'],
    },
    'CONF-NATIVE-03': {
      section: 'readers',
      behaviour:
        'A VRL script is checked by the function that the caller passes, and its error is reported at its path.',
      owedBy: ['config'],
    },
    'CONF-NATIVE-04': {
      section: 'readers',
      behaviour:
        'VRL scripts have a limited length. Reading a file checks a limited length of them; the others are checked when their server starts.',
      owedBy: ['config'],
    },
    'CONF-MCPX-01': {
      section: 'readers',
      behaviour: 'An MCPX file is read with its servers as list or map, its settings and its disabled tools.',
      owedBy: ['config'],
    },

    // ── Files ──
    'CONF-FILE-01': {
      section: 'files',
      behaviour: 'Only a regular UTF-8 file is read: no link, directory, fifo or device; a byte order mark is ignored.',
      owedBy: ['config'],
    },
    'CONF-FILE-02': {
      section: 'files',
      behaviour: 'A file of the wrong kind is an error; the next candidate is not tried.',
      owedBy: ['config'],
    },

    // ── Problems ──
    'CONF-TELL-01': {
      section: 'problems',
      behaviour: 'A problem has file, line, column, JSON pointer, a message and the allowed values.',
      owedBy: ['config'],
    },
    'CONF-TELL-02': {
      section: 'problems',
      behaviour: 'A misspelt key gets a "did you mean" suggestion.',
      owedBy: ['config'],
    },
    'CONF-TELL-03': {
      section: 'problems',
      behaviour: 'All problems of a file are reported at once.',
      owedBy: ['config'],
    },
    'CONF-TELL-04': { section: 'problems', behaviour: 'No problem contains a value of the file.', owedBy: ['config'] },
    'CONF-PROP-01': {
      section: 'problems',
      behaviour: 'A valid v1 file with one unknown key anywhere is rejected with the pointer of that key.',
      owedBy: ['config'],
    },
    'CONF-PROP-02': {
      section: 'problems',
      behaviour: 'No text makes a reader crash, hang or start a program.',
      owedBy: ['config'],
    },
    'CONF-PROP-03': {
      section: 'problems',
      behaviour:
        'A file with more servers than the limit is refused in every format, before its servers are checked; the error names the file, the count and the limit.',
      owedBy: ['config'],
    },

    // ── Placeholders ──
    'CONF-HOLD-01': {
      section: 'placeholders',
      behaviour:
        'A text that consists of one placeholder takes the value with its type; in longer texts other types become JSON.',
      owedBy: ['config'],
    },
    'CONF-HOLD-02': {
      section: 'placeholders',
      behaviour: 'Inserted values are not expanded again, keys are not expanded, and the depth is limited.',
      owedBy: ['config'],
    },
    'CONF-HOLD-03': {
      section: 'placeholders',
      behaviour:
        '`${env:NAME}`, `${NAME}`, `${NAME:-default}`, `${MCP_ROOT}`, `${CLAUDE_PLUGIN_ROOT}`, `${userHome}` and `${workspaceFolder}` are expanded in the formats that the table lists.',
      owedBy: ['config'],
    },
    'CONF-HOLD-04': {
      section: 'placeholders',
      behaviour: 'Placeholders of an untrusted configuration are not expanded.',
      owedBy: ['config'],
    },
    'CONF-HOLD-05': {
      section: 'placeholders',
      behaviour: 'A placeholder that cannot be expanded is an error that names the field but does not quote the text.',
      owedBy: ['config'],
    },
    'CONF-HOLD-06': {
      section: 'placeholders',
      behaviour:
        'A server is resolved before it starts: texts expanded, paths absolute, `envFile` read, secrets in their headers.',
      owedBy: ['config'],
    },

    // ── Inputs ──
    'CONF-INPUT-01': {
      section: 'inputs',
      behaviour:
        'A value comes from the cache, the environment, the provider or command, or the default, in this order.',
      owedBy: ['config'],
    },
    'CONF-INPUT-02': {
      section: 'inputs',
      behaviour: 'An input is resolved on first use, and once for all concurrent callers.',
      owedBy: ['config'],
    },
    'CONF-INPUT-03': {
      section: 'inputs',
      behaviour: 'The cache survives changes of other definitions.',
      owedBy: ['config'],
    },
    'CONF-INPUT-04': {
      section: 'inputs',
      behaviour:
        'A command runs with its `args` and a time limit, without a shell unless it needs one; a failure is an error.',
      owedBy: ['config'],
    },
    'CONF-INPUT-05': {
      section: 'inputs',
      behaviour: 'Passwords are neither printed nor serialised.',
      owedBy: ['config'],
    },

    // ── Trust ──
    'CONF-TRUST-01': {
      section: 'trust',
      behaviour: 'Trust belongs to one source: a discovered file is untrusted until trust is granted.',
      owedBy: ['config', 'cli'],
    },
    'CONF-TRUST-02': {
      section: 'trust',
      behaviour: 'Trust in a file ends when its content changes, or that of a file it refers to.',
      owedBy: ['config', 'cli'],
    },
    'CONF-TRUST-07': {
      section: 'trust',
      behaviour:
        'A discovered file below a folder that is a symbolic link is refused, also the settings of a project and the files of a plugin; the error names the link and the remedy.',
      owedBy: ['config', 'cli', 'computer'],
    },
    'CONF-TRUST-08': {
      section: 'trust',
      behaviour:
        'Trust in a file counts only for the folder that it was granted for, its root; records of earlier versions count in the folder of their file. Refusals name the command with that folder.',
      owedBy: ['config', 'cli'],
    },
    'CONF-TRUST-03': {
      section: 'trust',
      behaviour: 'A refusal names the rule and the option that allows it.',
      owedBy: ['config', 'cli'],
    },
    'CONF-ADDR-01': {
      section: 'trust',
      behaviour: 'Addresses are classified by the tables of special ranges, also IPv4 addresses inside IPv6 addresses.',
      owedBy: ['config'],
    },
    'CONF-ADDR-02': {
      section: 'trust',
      behaviour: 'Teredo, local NAT64, documentation, benchmarking and discard ranges are not public.',
      owedBy: ['config'],
    },
    'CONF-ADDR-03': {
      section: 'trust',
      behaviour: 'The metadata addresses of clouds stay forbidden when private addresses are allowed.',
      owedBy: ['config'],
    },
    'CONF-DNS-01': {
      section: 'trust',
      behaviour: 'Every address of a DNS lookup is checked, and a failed lookup is a refusal.',
      owedBy: ['config'],
    },
    'CONF-DNS-02': {
      section: 'trust',
      behaviour: 'The checked addresses are returned, so that a second lookup cannot change the target.',
      owedBy: ['config'],
    },
    'CONF-DNS-03': {
      section: 'trust',
      behaviour: 'The target of a redirect is checked like the first URL.',
      owedBy: ['config'],
    },

    // ── Writing ──
    'CONF-WRITE-01': {
      section: 'writing',
      behaviour:
        'A configuration is written as a2c, v1, mcpServers or vscode and reads back the same, or the losses are listed.',
      owedBy: ['config'],
    },
    'CONF-WRITE-02': {
      section: 'writing',
      behaviour: 'Secrets stay placeholders, in the syntax of the target format.',
      owedBy: ['config'],
    },
    'CONF-SCHEMA-01': {
      section: 'schemas',
      behaviour: 'The JSON Schemas are generated from the schemas of the readers and are up to date.',
      owedBy: ['config'],
    },
    'CONF-SHOW-01': {
      section: 'schemas',
      behaviour: 'Secrets are masked when a configuration is shown.',
      owedBy: ['config', 'cli'],
    },
    'CONF-SHOW-02': {
      section: 'schemas',
      behaviour: 'Absolute paths in programs and arguments are shown.',
      owedBy: ['config'],
    },

    // ── Commands ──
    'CONF-CLI-01': {
      section: 'commands',
      behaviour: '`config check` exits with 0 for valid files, and with 2 and every problem for invalid ones.',
      owedBy: ['cli'],
    },
    'CONF-CLI-02': {
      section: 'commands',
      behaviour: '`config convert` prints the document on stdout and the losses on stderr.',
      owedBy: ['cli'],
    },
    'CONF-CLI-03': { section: 'commands', behaviour: '`config schema` lists and prints the schemas.', owedBy: ['cli'] },
    'CONF-CLI-04': {
      section: 'commands',
      behaviour: 'Every command has help with an example, and `--json`.',
      owedBy: ['cli'],
    },
    'CONF-MODEL-03': {
      section: 'model',
      behaviour: '`start_timeout` of a server is read from and written to the a2c and mcpServers formats, in seconds.',
      owedBy: ['config'],
    },
    'CONF-CLI-05': {
      section: 'commands',
      behaviour: 'A wrong command line exits with 2, an interrupted command with 130.',
      owedBy: ['cli'],
    },

    // ── Strictness ──
    'CONF-STRICT-01': {
      section: 'strictness',
      behaviour:
        'A server name or input id with surrounding blanks or line breaks, and a server called `all`, are errors in every format.',
      owedBy: ['config'],
    },
    'CONF-STRICT-02': {
      section: 'strictness',
      behaviour:
        'A variable of `env` may be empty; `=` or NUL in its name, and NUL in any value or argument, are errors.',
      owedBy: ['config'],
    },
    'CONF-STRICT-03': {
      section: 'strictness',
      behaviour: 'A timeout of zero is an error.',
      owedBy: ['config'],
    },
    'CONF-STRICT-04': {
      section: 'strictness',
      behaviour: 'A bearer token or header whose environment variable is empty is an error when the server starts.',
      owedBy: ['config'],
    },
    'CONF-STRICT-05': {
      section: 'strictness',
      behaviour: 'An error about an argument names the field that the user wrote: `args[4]`, or `argv[5]` in v1.',
      owedBy: ['config'],
    },
    'CONF-STRICT-06': {
      section: 'strictness',
      behaviour: 'A key of `tool_meta` that resembles a known one is an error in the a2c format.',
      owedBy: ['config'],
    },
    'CONF-STRICT-08': {
      section: 'strictness',
      behaviour:
        'A key that only the a2c format has, such as `forbidden_tools`, is an error under `mcpServers`. The warning for a key of another client, or for a setting of a tool, says where it belongs.',
      owedBy: ['config'],
    },
    'CONF-STRICT-07': {
      section: 'strictness',
      behaviour: 'A `pickString` default outside its options is an error.',
      owedBy: ['config'],
    },
    'CONF-FILE-07': {
      section: 'files',
      behaviour:
        'A configuration file that another user than root may change, as its owner, through a group or as every user, causes a warning with the remedy.',
      owedBy: ['config'],
    },
    'CONF-FILE-06': {
      section: 'files',
      behaviour:
        'A named file may be a symbolic link to a file of the same owner; a discovered file may not be a link.',
      owedBy: ['config'],
    },
    'CONF-CLI-06': {
      section: 'commands',
      behaviour: '`config check` reports a `stdout_log` that the start would reject, with exit code 2.',
      owedBy: ['cli'],
    },
    'CONF-WARN-01': {
      section: 'warnings',
      behaviour: 'Every command that reads a configuration prints its warnings on stderr.',
      owedBy: ['cli'],
    },
    'CONF-WARN-02': {
      section: 'warnings',
      behaviour:
        'An entry of `forbidden_tools` or `tool_meta` that matches no tool of a connected server causes one warning.',
      owedBy: ['hub', 'cli'],
    },
    'CONF-WARN-03': {
      section: 'warnings',
      behaviour:
        'Every command that starts a server warns about an input that its configuration uses without a definition.',
      owedBy: ['cli'],
    },
    'CONF-TRUST-06': {
      section: 'trust',
      behaviour:
        'A file named with `--config` is trusted by `up`, `computer`, `proxy` and `doctor`; `mcp` refuses it in one line with the command that trusts it.',
      owedBy: ['cli'],
    },
    'CONF-INPUT-06': {
      section: 'inputs',
      behaviour: '`inputs value set` keeps text as it was typed and rejects a value that is not an option.',
      owedBy: ['cli'],
    },
    'CONF-INPUT-07': {
      section: 'inputs',
      behaviour: 'A default that a person accepted is remembered; a cancelled question fails the resolution.',
      owedBy: ['config'],
    },
    'CONF-INPUT-08': {
      section: 'inputs',
      behaviour: 'Ctrl-C at a question for an input cancels the command; it does not use the default.',
      owedBy: ['cli'],
    },
    'CONF-MCPX-02': {
      section: 'MCPX',
      behaviour: 'The proxy pings the servers of an MCPX file and reports one that stops answering.',
      owedBy: ['cli'],
    },
  },
} as const satisfies Ledger;
