import type { Ledger } from './requirement.js';

/** Tool choice: how a model finds the right one of many tools, cheaply and safely. */
export const toolChoice = {
  document: 'tool choice',
  requirements: {
    'CHOICE-SEARCH-01': {
      section: 'search',
      behaviour: 'A paraphrase finds its tool: synonyms, word forms, phrases, compounds and misspelt words.',
      owedBy: ['proxy'],
    },
    'CHOICE-SEARCH-02': {
      section: 'search',
      behaviour: 'A Chinese query finds English tools, and an English query finds Chinese ones.',
      owedBy: ['proxy'],
    },
    'CHOICE-SEARCH-03': {
      section: 'search',
      behaviour: 'Parameters, enum values and servers are searched, with weights by field, in a stable order.',
      owedBy: ['proxy'],
    },
    'CHOICE-SEARCH-04': {
      section: 'search',
      behaviour: 'A query that matches nothing shows the servers and what they are about.',
      owedBy: ['proxy'],
    },
    'CHOICE-INSPECT-01': {
      section: 'inspect',
      behaviour: 'The structured content follows the detail and costs at most twice the text.',
      owedBy: ['proxy'],
    },
    'CHOICE-PINS-01': {
      section: 'pins',
      behaviour:
        'The tools of the first use are approved. A changed tool keeps its approved text and schema, and is marked, until a person approves the change; new tools are not listed.',
      owedBy: ['hub'],
    },
    'CHOICE-PINS-02': {
      section: 'pins',
      behaviour: 'Another order of keys, white space and a new version of the server are no change.',
      owedBy: ['hub'],
    },
    'CHOICE-PINS-03': {
      section: 'pins',
      behaviour: 'A person sees a readable diff and approves a tool or a server; running processes apply it.',
      owedBy: ['hub', 'cli'],
    },
    'CHOICE-PINS-04': {
      section: 'pins',
      behaviour: 'Texts with hidden characters, escape sequences or instructions to the model are marked.',
      owedBy: ['hub'],
    },
    'CHOICE-PINS-05': {
      section: 'pins',
      behaviour: 'With the mode warn, changes are shown and reported; without pins nothing is stored.',
      owedBy: ['hub', 'cli'],
    },
  },
} as const satisfies Ledger;
