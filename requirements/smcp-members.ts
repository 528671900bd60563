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
    'MEM-BUNDLE-02': {
      section: 'Bundle ids',
      behaviour: 'A bundle id can be configured; an invalid or repeated one is a configuration error.',
      owedBy: ['config'],
    },
    'MEM-BUNDLE-03': {
      section: 'Exposed names',
      behaviour:
        'A tool is listed under bundle id and display name, is called by either form, and is forbidden by any of its names.',
      owedBy: ['hub'],
    },
    'MEM-BUNDLE-04': {
      section: 'Bundle ids',
      behaviour: 'Of two servers with the same derived id the first has it; the other gets the next one and a warning.',
      owedBy: ['hub'],
    },
    'MEM-TAGS-01': {
      section: 'Tool meta',
      behaviour:
        'An MCP server can declare tags for its tools and nothing else; the settings of the owner take precedence.',
      owedBy: ['protocol', 'hub'],
    },
    'MEM-INPUT-01': {
      section: 'Inputs',
      behaviour: 'The options of a pickString are texts or objects with a label and a value.',
      owedBy: ['config', 'cli'],
    },
    'MEM-INPUT-02': {
      section: 'Inputs',
      behaviour: 'A stored selection that is no longer an option is an error, never a silent default.',
      owedBy: ['config'],
    },
    'MEM-INPUT-03': {
      section: 'Inputs',
      behaviour:
        'The environment variable of an input is named as the published vectors say, and two inputs never share one.',
      owedBy: ['config'],
    },
    'MEM-SKILL-01': {
      section: 'Skill names',
      behaviour: 'Skill names are accepted and refused exactly as the published samples say.',
      owedBy: ['protocol'],
    },
  },
} as const satisfies Ledger;
