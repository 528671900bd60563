import type { Ledger } from './requirement.js';

/** What reading configuration needs beyond the documents of the formats. */
export const config = {
  document: 'Configuration: what people have, and what keeps them safe',
  requirements: {
    // ── Readers ──
    'CONF-MODEL-01': {
      section: 'readers',
      behaviour: 'Every reader gives the same frozen model, with the file and format each server came from.',
      owedBy: ['config'],
    },
    'CONF-MODEL-02': {
      section: 'readers',
      behaviour: 'Every format has one reader, chosen by the shape of the file.',
      owedBy: ['config'],
    },
    'CONF-COMPAT-01': {
      section: 'readers',
      behaviour: 'Unknown keys of other tools are told as warnings.',
      owedBy: ['config'],
    },
    'CONF-COMPAT-02': {
      section: 'readers',
      behaviour: '`type` is understood in every spelling tools write, and `sse` selects the older SSE protocol.',
      owedBy: ['config'],
    },
    'CONF-COMPAT-03': {
      section: 'readers',
      behaviour: '`disabled`, `enabled`, `cwd`, `timeout` and `envFile` are understood.',
      owedBy: ['config'],
    },
    'CONF-COMPAT-04': {
      section: 'readers',
      behaviour: 'Every way a field and a transport can clash is refused, in v1 and in compatible formats.',
      owedBy: ['config'],
    },
    'CONF-PATH-01': {
      section: 'readers',
      behaviour: '`mcpServers: "<path>"` is followed within the root, without `..`, cycles or more than 16 files.',
      owedBy: ['config'],
    },
    'CONF-VSCODE-01': {
      section: 'readers',
      behaviour: 'VS Code’s `mcp.json` is read with its inputs, comments and trailing commas.',
      owedBy: ['config'],
    },
    'CONF-NATIVE-01': {
      section: 'readers',
      behaviour: 'A2C servers are read nested and flat, with every spelling of their types, durations in either form.',
      owedBy: ['config'],
    },
    'CONF-NATIVE-02': {
      section: 'readers',
      behaviour: 'A2C inputs are read with both spellings of their type tags.',
      owedBy: ['config'],
    },
    'CONF-NATIVE-03': {
      section: 'readers',
      behaviour: 'A VRL program is checked by whoever can, and its problem is told at its place.',
      owedBy: ['config'],
    },
    'CONF-MCPX-01': {
      section: 'readers',
      behaviour: 'An MCPX file is read as list and as map, with its settings and its disabled tools.',
      owedBy: ['config'],
    },

    // ── Files ──
    'CONF-FILE-01': {
      section: 'files',
      behaviour:
        'Only a regular file of UTF-8 is read: no link, directory, fifo or device; a byte order mark is ignored.',
      owedBy: ['config'],
    },
    'CONF-FILE-02': {
      section: 'files',
      behaviour: 'A file of the wrong kind is an error, and the next candidate is not tried.',
      owedBy: ['config'],
    },

    // ── Problems ──
    'CONF-TELL-01': {
      section: 'problems',
      behaviour: 'A problem tells file, line, column, JSON pointer, what is wrong and what is allowed.',
      owedBy: ['config'],
    },
    'CONF-TELL-02': {
      section: 'problems',
      behaviour: 'A key near a right one is answered with "did you mean".',
      owedBy: ['config'],
    },
    'CONF-TELL-03': { section: 'problems', behaviour: 'All problems of a file are told at once.', owedBy: ['config'] },
    'CONF-TELL-04': { section: 'problems', behaviour: 'No problem repeats a value.', owedBy: ['config'] },
    'CONF-PROP-01': {
      section: 'problems',
      behaviour: 'A valid v1 file with one unknown key anywhere is refused with the pointer of that key.',
      owedBy: ['config'],
    },
    'CONF-PROP-02': {
      section: 'problems',
      behaviour: 'No text makes a reader crash, hang or start anything.',
      owedBy: ['config'],
    },

    // ── Placeholders ──
    'CONF-HOLD-01': {
      section: 'placeholders',
      behaviour:
        'A text that is exactly one placeholder takes the value with its type; in other texts non-texts become JSON.',
      owedBy: ['config'],
    },
    'CONF-HOLD-02': {
      section: 'placeholders',
      behaviour: 'What was filled in is not looked at again, keys are untouched, and depth is limited.',
      owedBy: ['config'],
    },
    'CONF-HOLD-03': {
      section: 'placeholders',
      behaviour:
        '`${env:NAME}`, `${NAME}`, `${NAME:-default}`, `${MCP_ROOT}`, `${CLAUDE_PLUGIN_ROOT}`, `${userHome}` and `${workspaceFolder}` are filled in where the table says.',
      owedBy: ['config'],
    },
    'CONF-HOLD-04': {
      section: 'placeholders',
      behaviour: 'The untrusted get no placeholder filled in.',
      owedBy: ['config'],
    },
    'CONF-HOLD-05': {
      section: 'placeholders',
      behaviour: 'A placeholder that cannot be filled in is an error that names the field and not the text.',
      owedBy: ['config'],
    },
    'CONF-HOLD-06': {
      section: 'placeholders',
      behaviour:
        'A server is made ready to start: texts filled in, paths absolute, `envFile` read, secrets in their headers.',
      owedBy: ['config'],
    },

    // ── Inputs ──
    'CONF-INPUT-01': {
      section: 'inputs',
      behaviour: 'A value comes from the cache, else the environment, else the provider or command, else the default.',
      owedBy: ['config'],
    },
    'CONF-INPUT-02': {
      section: 'inputs',
      behaviour: 'Nothing is resolved before it is needed, and once however many callers wait.',
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
        'A command runs without a shell unless it needs one, with its `args`, a time limit, and a failure that is an error.',
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
      behaviour: 'Trust belongs to one source: a discovered file is untrusted until it is granted.',
      owedBy: ['config', 'cli'],
    },
    'CONF-TRUST-02': {
      section: 'trust',
      behaviour: 'Trust granted to a file ends when its content, or that of a file it leads to, changes.',
      owedBy: ['config', 'cli'],
    },
    'CONF-TRUST-03': {
      section: 'trust',
      behaviour: 'A refusal names the rule and the flag that would allow it.',
      owedBy: ['config', 'cli'],
    },
    'CONF-ADDR-01': {
      section: 'trust',
      behaviour: 'Addresses are judged by the tables of special ranges, also inside IPv6 coats.',
      owedBy: ['config'],
    },
    'CONF-ADDR-02': {
      section: 'trust',
      behaviour: 'Teredo, local NAT64, documentation, benchmarking and discard ranges are not public.',
      owedBy: ['config'],
    },
    'CONF-ADDR-03': {
      section: 'trust',
      behaviour: 'Metadata addresses of clouds stay closed when private addresses are allowed.',
      owedBy: ['config'],
    },
    'CONF-DNS-01': {
      section: 'trust',
      behaviour: 'Every answer of a lookup is judged, and no answer is a refusal.',
      owedBy: ['config'],
    },
    'CONF-DNS-02': {
      section: 'trust',
      behaviour: 'The addresses that passed are returned, so that a second answer cannot change the target.',
      owedBy: ['config'],
    },
    'CONF-DNS-03': {
      section: 'trust',
      behaviour: 'The target of a redirect is judged like the first.',
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
      behaviour: 'Secrets stay placeholders, spelled as the target spells them.',
      owedBy: ['config'],
    },
    'CONF-SCHEMA-01': {
      section: 'schemas',
      behaviour: 'The JSON Schemas are made from the schemas that read, and are fresh.',
      owedBy: ['config'],
    },
    'CONF-SHOW-01': {
      section: 'schemas',
      behaviour: 'A shown configuration has its secrets masked.',
      owedBy: ['config', 'cli'],
    },

    // ── Commands ──
    'CONF-CLI-01': {
      section: 'commands',
      behaviour: '`config check` exits with 0 for right files and with 2 and every problem for wrong ones.',
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
    'CONF-CLI-05': {
      section: 'commands',
      behaviour: 'A wrong command line exits with 2, an interrupt with 130.',
      owedBy: ['cli'],
    },
  },
} as const satisfies Ledger;
