import type { Ledger } from './requirement.js';

/** What hostile peers, MCP servers and files cannot do. */
export const security = {
  document: 'Reliability and security',
  requirements: {
    'SEC-SCHEMA-01': {
      section: 'schemas',
      behaviour:
        'A tool whose schema takes exponential time to check fails its own call in time; other calls and the end of the process are not delayed.',
      owedBy: ['hub'],
    },
    'SEC-ENV-01': {
      section: 'environment',
      behaviour:
        'An MCP server gets basic variables and its own `env`, in every format; no variable of a2c reaches it, even if it inherits the environment.',
      owedBy: ['config', 'hub'],
    },
    'SEC-ENV-02': {
      section: 'environment',
      behaviour: 'Literal values of `env` do not appear in the history, in logs or in errors.',
      owedBy: ['hub', 'computer'],
    },
    'SEC-REDIRECT-01': {
      section: 'network',
      behaviour:
        'A redirect of an MCP server never leads to loopback, link-local or private addresses unless the configured address is of the same kind, even if the configuration is trusted.',
      owedBy: ['config', 'hub'],
    },
    'SEC-NAME-01': {
      section: 'names',
      behaviour:
        'Names of MCP servers, tools, offices and members with invisible, bidirectional or control characters are refused or reported, and letters of mixed scripts that look alike are reported.',
      owedBy: ['config', 'protocol', 'hub'],
    },
  },
} as const satisfies Ledger;
