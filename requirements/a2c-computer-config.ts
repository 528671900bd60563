import type { Ledger } from './requirement.js';

/** Every rule of the configuration document of the A2C Computer, in its order. */
export const a2cComputerConfig = {
  document: 'A2C Computer: MCP server configuration',
  requirements: {
    // ── 1 Files ──
    'COMP-FILE-01': {
      section: '1',
      behaviour: 'A configuration consists of servers (`stdio`, `streamable`, `sse`) and of inputs.',
      owedBy: ['config'],
    },
    'COMP-FILE-02': {
      section: '1',
      behaviour: 'A servers file contains one object or a list of objects.',
      owedBy: ['config'],
    },
    'COMP-FILE-03': {
      section: '1',
      behaviour: 'An inputs file contains one object or a list of objects.',
      owedBy: ['config'],
    },
    'COMP-FILE-04': {
      section: '1',
      behaviour:
        '`run --config/-c` and `--inputs/-i` load files before the prompt appears; the path may be written as `@path`.',
      owedBy: ['cli'],
    },
    'COMP-SHELL-01': {
      section: '1',
      behaviour: '`server add <json|@file>` adds or updates one server.',
      owedBy: ['cli'],
    },
    'COMP-SHELL-02': { section: '1', behaviour: '`server rm <name>` removes a server.', owedBy: ['cli'] },
    'COMP-SHELL-03': { section: '1', behaviour: '`start` and `stop` take a name or `all`.', owedBy: ['cli'] },
    'COMP-SHELL-04': {
      section: '1',
      behaviour: '`inputs load @file` replaces all inputs from a list.',
      owedBy: ['cli'],
    },
    'COMP-SHELL-05': {
      section: '1',
      behaviour: '`inputs add|update <json|@file>` adds or updates one or more inputs.',
      owedBy: ['cli'],
    },
    'COMP-SHELL-06': {
      section: '1',
      behaviour: '`inputs value …` manages the cached values of inputs.',
      owedBy: ['cli'],
    },
    'COMP-SHELL-07': { section: '1', behaviour: '`mcp` prints the current servers and inputs.', owedBy: ['cli'] },

    // ── 2 Placeholders ──
    'COMP-INPUT-01': {
      section: '2',
      behaviour: '`${input:<id>}` may be used in the values of a server.',
      owedBy: ['config'],
    },
    'COMP-INPUT-02': {
      section: '2',
      behaviour: 'A placeholder is expanded from the loaded definitions when it is needed, and by `render`.',
      owedBy: ['config', 'computer', 'cli'],
    },
    'COMP-INPUT-03': {
      section: '2',
      behaviour: 'An undefined id causes a warning, and its placeholder is kept.',
      owedBy: ['config'],
    },

    // ── 3 Servers ──
    'COMP-SERVER-01': { section: '3', behaviour: '`name` identifies a server.', owedBy: ['config'] },
    'COMP-SERVER-02': {
      section: '3',
      behaviour: '`disabled` is false by default, and a disabled server is not started.',
      owedBy: ['config', 'hub'],
    },
    'COMP-SERVER-03': {
      section: '3',
      behaviour: 'The tools in `forbidden_tools` are not listed and cannot be called.',
      owedBy: ['config', 'hub'],
    },
    'COMP-SERVER-04': {
      section: '3',
      behaviour: '`tool_meta` contains `auto_apply`, `alias` and `ret_object_mapper` per tool; each may be null.',
      owedBy: ['config'],
    },
    'COMP-SERVER-05': {
      section: '3',
      behaviour: '`auto_apply: true` runs a call without consent.',
      owedBy: ['computer'],
    },
    'COMP-SERVER-06': { section: '3', behaviour: 'A tool with an `alias` is listed under the alias.', owedBy: ['hub'] },
    'COMP-STDIO-01': {
      section: '3',
      behaviour:
        'stdio has `command`, `args`, `env`, `cwd`, `encoding` (utf-8) and `encoding_error_handler` (strict, ignore, replace).',
      owedBy: ['config'],
    },
    'COMP-STREAM-01': {
      section: '3',
      behaviour:
        'streamable has `url`, `headers`, `timeout` and `sse_read_timeout` as ISO 8601 durations, and `terminate_on_close`.',
      owedBy: ['config'],
    },
    'COMP-SSE-01': {
      section: '3',
      behaviour: 'sse has `url`, `headers`, and `timeout` and `sse_read_timeout` in seconds.',
      owedBy: ['config'],
    },
    'COMP-SERVER-07': {
      section: '3',
      behaviour: 'The three examples of the document are read without changes.',
      owedBy: ['config'],
    },

    // ── 4 Inputs ──
    'COMP-DEF-01': { section: '4', behaviour: 'Every input has an `id` and a `description`.', owedBy: ['config'] },
    'COMP-DEF-02': {
      section: '4',
      behaviour: '`promptString` has `default` and `password`; each may be null.',
      owedBy: ['config'],
    },
    'COMP-DEF-03': {
      section: '4',
      behaviour: '`pickString` has `options` and `default`; each may be null.',
      owedBy: ['config'],
    },
    'COMP-DEF-04': {
      section: '4',
      behaviour: '`command` has `command` and `args`; `args` may be null.',
      owedBy: ['config'],
    },
    'COMP-DEF-05': {
      section: '4',
      behaviour: 'The example of the document is read without changes.',
      owedBy: ['config'],
    },

    // ── 6 Rules ──
    'COMP-RULE-01': {
      section: '6',
      behaviour: 'A server with a known name, or an input with a known id, is an update.',
      owedBy: ['config', 'computer'],
    },
    'COMP-RULE-02': {
      section: '6',
      behaviour: 'Aliases distinguish tools with the same name on several servers.',
      owedBy: ['hub'],
    },
    'COMP-RULE-03': {
      section: '6',
      behaviour: '`streamable` has ISO 8601 durations and `sse` seconds; both accept either form.',
      owedBy: ['config'],
    },
    'COMP-RULE-04': {
      section: '6',
      behaviour: 'Every command that takes JSON also takes `@file`.',
      owedBy: ['cli'],
    },
    'COMP-RULE-05': {
      section: '6',
      behaviour: '`notify update` notifies remote Agents of a changed configuration.',
      owedBy: ['computer'],
    },
  },
} as const satisfies Ledger;
