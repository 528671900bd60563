import type { Ledger } from './requirement.js';

/** Every rule of the mcp.json v1 document, in its order. */
export const mcpKitConfig = {
  document: 'mcp-kit: configuration (mcp.json v1)',
  requirements: {
    // ── Files ──
    'KIT-CLOSED-01': {
      section: 'introduction',
      behaviour: 'An unknown key anywhere makes a v1 file invalid.',
      owedBy: ['config'],
    },
    'KIT-FIND-01': {
      section: 'discovery',
      behaviour: '`.mcp.json`, then `mcp.json` is searched in the root, which is the working directory by default.',
      owedBy: ['config', 'cli'],
    },
    'KIT-FIND-02': {
      section: 'discovery',
      behaviour: '`--config` names the file instead, absolute or relative to the root.',
      owedBy: ['config', 'cli'],
    },
    'KIT-FIND-03': { section: 'discovery', behaviour: 'A file larger than 4 MiB is rejected.', owedBy: ['config'] },

    // ── Compatible formats ──
    'KIT-WRAP-01': {
      section: 'compatible formats',
      behaviour: 'Each entry of `mcpServers` is a server.',
      owedBy: ['config'],
    },
    'KIT-WRAP-02': {
      section: 'compatible formats',
      behaviour: '`url` and `headers` become a streamable HTTP server.',
      owedBy: ['config'],
    },
    'KIT-WRAP-03': {
      section: 'compatible formats',
      behaviour: '`type` may be `http`, `sse` or `streamable_http`, and may not contradict the other fields.',
      owedBy: ['config'],
    },
    'KIT-WRAP-04': {
      section: 'compatible formats',
      behaviour: 'Other keys next to `mcpServers`, such as a textual `version`, are ignored.',
      owedBy: ['config'],
    },
    'KIT-MAP-01': {
      section: 'compatible formats',
      behaviour: 'A map of servers without a wrapper is read, as Claude Code writes it.',
      owedBy: ['config'],
    },
    'KIT-MAP-02': {
      section: 'compatible formats',
      behaviour: '`command` and `args` become the argv of a stdio server.',
      owedBy: ['config'],
    },
    'KIT-MAP-03': {
      section: 'compatible formats',
      behaviour: '`env` is passed to the child process.',
      owedBy: ['config', 'hub'],
    },
    'KIT-MAP-04': {
      section: 'compatible formats',
      behaviour: 'Compatible formats have no `client` section.',
      owedBy: ['config'],
    },

    // ── The file ──
    'KIT-TOP-01': { section: 'schema', behaviour: '`version` is required and must be 1.', owedBy: ['config'] },
    'KIT-TOP-02': {
      section: 'schema',
      behaviour: '`client` is optional; its `protocol_version` is a non-empty text.',
      owedBy: ['config'],
    },
    'KIT-TOP-03': { section: 'schema', behaviour: '`client.capabilities` is an object.', owedBy: ['config'] },
    'KIT-TOP-04': { section: 'schema', behaviour: '`servers` is required and may be empty.', owedBy: ['config'] },
    'KIT-NAME-01': {
      section: 'server name',
      behaviour: 'A server name consists of one or more letters, digits, `_` and `-`.',
      owedBy: ['config'],
    },
    'KIT-FIELD-01': {
      section: 'common fields',
      behaviour: '`transport` is required: `stdio`, `unix` or `streamable_http`.',
      owedBy: ['config'],
    },
    'KIT-FIELD-02': {
      section: 'common fields',
      behaviour: 'A field that the transport does not have is an error.',
      owedBy: ['config'],
    },

    // ── stdio ──
    'KIT-STDIO-01': {
      section: 'stdio',
      behaviour: '`argv` is a list of one or more non-empty texts.',
      owedBy: ['config'],
    },
    'KIT-STDIO-02': {
      section: 'stdio',
      behaviour:
        'Without `inherit_env`, the child gets only the baseline variables and `env`; with it, all variables except those of a2c.',
      owedBy: ['config', 'hub'],
    },
    'KIT-STDIO-03': {
      section: 'stdio',
      behaviour: '`env` is added to the environment of the child.',
      owedBy: ['config', 'hub'],
    },
    'KIT-STDIO-04': {
      section: 'stdio',
      behaviour: '`stdout_log.path` is required and may be relative to the root.',
      owedBy: ['config'],
    },
    'KIT-STDIO-05': { section: 'stdio', behaviour: '`stdout_log.path` must not contain `..`.', owedBy: ['config'] },
    'KIT-STDIO-06': {
      section: 'stdio',
      behaviour: '`max_bytes_per_part` is 1 MiB by default and at least 1.',
      owedBy: ['config'],
    },
    'KIT-STDIO-07': {
      section: 'stdio',
      behaviour: '`max_parts` is 32 by default and at least 1, and 0 keeps all parts.',
      owedBy: ['config'],
    },
    'KIT-STDIO-08': {
      section: 'stdio',
      behaviour: 'The stdout log is written in parts and rotated.',
      owedBy: ['hub'],
    },
    'KIT-STDIO-09': {
      section: 'stdio',
      behaviour: 'An untrusted configuration cannot start a program.',
      owedBy: ['config', 'hub'],
    },

    // ── unix ──
    'KIT-UNIX-01': {
      section: 'unix',
      behaviour: '`unix_path` is required and may be relative to the root.',
      owedBy: ['config'],
    },
    'KIT-UNIX-02': { section: 'unix', behaviour: '`argv`, `env` and `stdout_log` are errors.', owedBy: ['config'] },
    'KIT-UNIX-03': {
      section: 'unix',
      behaviour: 'An untrusted configuration cannot connect to a unix socket.',
      owedBy: ['config', 'hub'],
    },

    // ── streamable_http ──
    'KIT-HTTP-01': { section: 'streamable_http', behaviour: '`url` is used for both directions.', owedBy: ['config'] },
    'KIT-HTTP-02': {
      section: 'streamable_http',
      behaviour: '`sse_url` and `http_url` are given together and never together with `url`.',
      owedBy: ['config'],
    },
    'KIT-HTTP-03': {
      section: 'streamable_http',
      behaviour: '`http_headers` are sent unchanged.',
      owedBy: ['config', 'hub'],
    },
    'KIT-HTTP-04': {
      section: 'streamable_http',
      behaviour: '`bearer_token_env_var` names the variable with the token for `Authorization: Bearer`.',
      owedBy: ['config'],
    },
    'KIT-HTTP-05': {
      section: 'streamable_http',
      behaviour: '`env_http_headers` names a variable for each header.',
      owedBy: ['config'],
    },
    'KIT-HTTP-06': {
      section: 'streamable_http',
      behaviour: '`argv`, `unix_path`, `env` and `stdout_log` are errors.',
      owedBy: ['config'],
    },
    'KIT-HTTP-07': {
      section: 'streamable_http',
      behaviour:
        'An untrusted configuration connects to public https hosts only: no local names, no single labels, no private or loopback addresses.',
      owedBy: ['config', 'hub'],
    },
    'KIT-HTTP-08': {
      section: 'streamable_http',
      behaviour: 'An untrusted configuration does not send `Authorization`, `Cookie` or `Proxy-Authorization`.',
      owedBy: ['config'],
    },
    'KIT-HTTP-09': {
      section: 'streamable_http',
      behaviour: 'An untrusted configuration does not read secrets from the environment.',
      owedBy: ['config'],
    },
    'KIT-HTTP-10': {
      section: 'streamable_http',
      behaviour: '`--allow-host` does not allow local host names; `--allow-localhost` and trust do.',
      owedBy: ['config', 'cli'],
    },

    // ── Roots ──
    'KIT-ROOTS-01': { section: 'roots', behaviour: 'Configured roots declare the roots capability.', owedBy: ['hub'] },
    'KIT-ROOTS-02': {
      section: 'roots',
      behaviour: '`roots/list` is answered with the configured roots.',
      owedBy: ['hub'],
    },
    'KIT-ROOTS-03': {
      section: 'roots',
      behaviour: 'A root has a non-empty `uri` and an optional, non-empty `name`.',
      owedBy: ['config'],
    },
  },
} as const satisfies Ledger;
