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
  },
} as const satisfies Ledger;
