import type { Ledger } from './requirement.js';

export const house = {
  document: 'ARCHITECTURE.md',
  requirements: {
    'HOUSE-IMPORT-01': {
      section: 'Who may import whom',
      behaviour: 'A package imports only the packages and libraries its row of the table allows.',
      owedBy: ['house'],
    },
    'HOUSE-IMPORT-02': {
      section: 'Who may import whom',
      behaviour: "Nothing imports another package's inner file; the public entry is the only door.",
      owedBy: ['house'],
    },
    'HOUSE-IMPORT-03': {
      section: 'Who may import whom',
      behaviour: 'Whatever a package imports at run time is declared in its own manifest.',
      owedBy: ['house'],
    },
    'HOUSE-LEDGER-01': {
      section: 'Requirements',
      behaviour: 'A requirement without a test in a package that owes it and exists fails the build.',
      owedBy: ['house'],
    },
    'HOUSE-LEDGER-02': {
      section: 'Requirements',
      behaviour: 'Requirement ids are unique over all ledgers and follow one pattern.',
      owedBy: ['house'],
    },
    'HOUSE-STRICT-01': {
      section: 'Tools',
      behaviour: 'Every package compiles with the same strict options, as a reference of the one build.',
      owedBy: ['house'],
    },
    'HOUSE-NODE-01': {
      section: 'Tools',
      behaviour: 'Every dependency in the lock file runs on Node 20.19, the floor we promise.',
      owedBy: ['house'],
    },
    'HOUSE-LOCK-01': {
      section: 'Tools',
      behaviour: 'The lock file is complete for every platform and names no registry.',
      owedBy: ['house'],
    },
    'HOUSE-CHECK-01': {
      section: 'Tools',
      behaviour: 'Lint, format and type check deny warnings, and CI runs them and the tests.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-01': {
      section: 'Documents',
      behaviour:
        'Every package has a row in ARCHITECTURE.md and a README, and every link between documents leads somewhere.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-02': {
      section: 'Documents',
      behaviour:
        'Every JavaScript example in a package README runs and prints what the README says; every TypeScript one compiles.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-03': {
      section: 'Documents',
      behaviour:
        'Every shell block of the README, in both languages, and of a page in docs/ runs against the build and prints what the page says.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-04': {
      section: 'Documents',
      behaviour: 'Every message that the troubleshooting page quotes occurs in the sources.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-05': {
      section: 'Documents',
      behaviour: 'The picture in the READMEs is drawn from what the program prints, and a test fails when it differs.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-06': {
      section: 'Documents',
      behaviour: 'Every environment variable and every error code of the sources stands in the table of its page.',
      owedBy: ['house'],
    },
    'HOUSE-START-01': {
      section: 'Commands',
      behaviour: 'npm start serves within seconds, without a warning, and Ctrl-C leaves no process.',
      owedBy: ['house'],
    },
  },
} as const satisfies Ledger;
