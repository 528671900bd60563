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
  },
} as const satisfies Ledger;
