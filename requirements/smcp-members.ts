import type { Ledger } from './requirement.js';

/** What A2C-SMCP 0.2 to 0.4 ask of Computers and Agents beyond 0.1. */
export const smcpMembers = {
  document: 'A2C-SMCP 0.2 to 0.4: Computers and Agents',
  requirements: {
    'MEM-BUNDLE-01': {
      section: 'Bundle ids',
      behaviour: 'A bundle id is derived from a server exactly as the published vectors say.',
      owedBy: ['protocol'],
    },
    'MEM-SKILL-01': {
      section: 'Skill names',
      behaviour: 'Skill names are accepted and refused exactly as the published samples say.',
      owedBy: ['protocol'],
    },
  },
} as const satisfies Ledger;
