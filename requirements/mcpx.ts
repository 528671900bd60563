import type { Ledger } from './requirement.js';

export const mcpx = {
  document: 'mcpx-requirements.md',
  requirements: {
    'MCPX-SCHEMA-03': { section: '4.3', behaviour: 'x.', owedBy: ['proxy'] },
  },
} as const satisfies Ledger;
