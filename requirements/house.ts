import type { Ledger } from './requirement.js';

export const house = {
  document: 'ARCHITECTURE.md',
  requirements: {
    'HOUSE-PERF-01': {
      section: 'Documents',
      behaviour:
        'The tables of docs/performance.md and docs/scaling.md are those of bench/results, which describe the machine and contain no paths.',
      owedBy: ['house'],
    },
    'HOUSE-IMPORT-01': {
      section: 'Allowed imports',
      behaviour: 'A package imports only the packages and libraries that its row of the table allows.',
      owedBy: ['house'],
    },
    'HOUSE-IMPORT-02': {
      section: 'Allowed imports',
      behaviour: 'A package is imported through its public entry; no inner file of another package is imported.',
      owedBy: ['house'],
    },
    'HOUSE-IMPORT-03': {
      section: 'Allowed imports',
      behaviour: 'A package declares in its own manifest everything it imports at run time.',
      owedBy: ['house'],
    },
    'HOUSE-LEDGER-01': {
      section: 'Requirements',
      behaviour: 'The tests fail when a requirement has no test in an existing package that must meet it.',
      owedBy: ['house'],
    },
    'HOUSE-THREAT-01': {
      section: 'security',
      behaviour: 'Every protection in the threat model names requirements that exist, so that tests are bound to it.',
      owedBy: ['house'],
    },
    'HOUSE-LEDGER-02': {
      section: 'Requirements',
      behaviour: 'Requirement ids are unique over all ledgers and follow one pattern.',
      owedBy: ['house'],
    },
    'HOUSE-LEDGER-03': {
      section: 'Requirements',
      behaviour:
        'A document for contributors lists the rules of the newer protocol by topic, each with its requirement and its tests; every requirement on the generations has a topic.',
      owedBy: ['house'],
    },
    'HOUSE-STRICT-01': {
      section: 'Tools',
      behaviour: 'Every package compiles with the same strict options, as a reference of the one build.',
      owedBy: ['house'],
    },
    'HOUSE-NODE-01': {
      section: 'Tools',
      behaviour: 'Every dependency in the lock file runs on Node 20.19, the oldest supported version.',
      owedBy: ['house'],
    },
    'HOUSE-LOCK-01': {
      section: 'Tools',
      behaviour: 'The lock file is complete for every platform and contains no registry URL.',
      owedBy: ['house'],
    },
    'HOUSE-CHECK-01': {
      section: 'Tools',
      behaviour:
        'Warnings of the linter, the formatter and the compiler are errors, and CI runs all of them and the tests.',
      owedBy: ['house'],
    },
    'HOUSE-STYLE-01': {
      section: 'Tools',
      behaviour: "Comments keep the formatter's line width, which the formatter itself does not enforce.",
      owedBy: ['house'],
    },
    'HOUSE-STYLE-02': {
      section: 'Tools',
      behaviour: 'Comments, messages and documents avoid the words and phrases of the list of discouraged wording.',
      owedBy: ['house'],
    },
    'HOUSE-RELEASE-01': {
      section: 'Releases',
      behaviour:
        'Every published manifest has keywords, a homepage, and the addresses of the repository and its issues.',
      owedBy: ['house'],
    },
    'HOUSE-RELEASE-02': {
      section: 'Releases',
      behaviour: 'All packages have the same version, which is written in the manifests and nowhere else.',
      owedBy: ['house'],
    },
    'HOUSE-RELEASE-03': {
      section: 'Releases',
      behaviour: 'The changelog has a dated section for every version, and one tool sets versions and changelog.',
      owedBy: ['house'],
    },
    'HOUSE-FRONT-01': {
      section: 'documents',
      behaviour:
        'The first screen of both READMEs has one sentence, the picture and two uses; the guides for newcomers exist in Chinese with the same commands and options.',
      owedBy: ['house'],
    },
    'HOUSE-FRONT-02': {
      section: 'documents',
      behaviour: 'Every page that uses `npx a2c`, and the README of every package, shows how to install a2c today.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-01': {
      section: 'Documents',
      behaviour: 'Every package has a row in ARCHITECTURE.md and a README, and every link between documents resolves.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-02': {
      section: 'Documents',
      behaviour:
        'Every JavaScript example in a package README runs and prints the documented output; every TypeScript example compiles.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-03': {
      section: 'Documents',
      behaviour:
        'Every shell block of the README and of a page in docs/ runs against the build and prints what the page shows.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-04': {
      section: 'Documents',
      behaviour: 'Every message that the troubleshooting page quotes occurs in the sources.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-05': {
      section: 'Documents',
      behaviour:
        'The picture in the READMEs is generated from what the program prints; a test fails when it is outdated.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-06': {
      section: 'Documents',
      behaviour: 'Every environment variable and every error code in the sources has a row in the documentation.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-07': {
      section: 'Documents',
      behaviour:
        'ARCHITECTURE.md names every folder and every top-level source file of each package, and none that does not exist.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-08': {
      section: 'Documents',
      behaviour:
        'The API reference builds without warnings: every export is documented, every referenced type is exported.',
      owedBy: ['house'],
    },
    'HOUSE-START-01': {
      section: 'Commands',
      behaviour: 'npm start is ready within seconds and prints no warning; Ctrl-C leaves no process behind.',
      owedBy: ['house'],
    },
    'HOUSE-DOCS-09': {
      section: 'Documents',
      behaviour:
        'One reference page lists every endpoint, port, exit code and written file with its mode; a test compares it with the sources.',
      owedBy: ['house'],
    },
    'HOUSE-DEPLOY-01': {
      section: 'Deployment',
      behaviour: 'The Grafana dashboard and the alert rules parse and use only metrics that the Server has.',
      owedBy: ['house'],
    },
    'HOUSE-DEPLOY-02': {
      section: 'Deployment',
      behaviour: 'The systemd unit runs an existing command with existing options and without privileges.',
      owedBy: ['house'],
    },
    'HOUSE-RELEASE-04': {
      section: 'Releases',
      behaviour: 'One workflow publishes all packages, publicly and with provenance.',
      owedBy: ['house'],
    },
    'HOUSE-RELEASE-05': {
      section: 'Releases',
      behaviour: 'Every page that uses `npx a2c` leads to the section that says where it works.',
      owedBy: ['house'],
    },
  },
} as const satisfies Ledger;
