import type { Ledger } from './requirement.js';

export const log = {
  document: 'packages/log/README.md',
  requirements: {
    'LOG-LINE-01': {
      section: 'Logger',
      behaviour: 'A log line is one JSON document on stderr; A2C_LOG_LEVEL sets the level.',
      owedBy: ['log'],
    },
    'LOG-LINE-02': {
      section: 'Logger',
      behaviour:
        'A full disk or a reader that does not read ends and delays nothing; lost lines are counted, and reported when stderr works again.',
      owedBy: ['log', 'cli'],
    },
    'LOG-FILE-01': {
      section: 'RecordFile',
      behaviour: 'A file of records is rotated by size; records keep their order, none is lost or split.',
      owedBy: ['log'],
    },
    'LOG-FILE-02': {
      section: 'RecordFile',
      behaviour: 'Files have mode 0600, folders that are created for them 0700.',
      owedBy: ['log'],
    },
    'LOG-FILE-03': {
      section: 'RecordFile',
      behaviour: 'A record that cannot be written is reported and dropped; appending never throws.',
      owedBy: ['log'],
    },
    'LOG-FILE-04': {
      section: 'RecordFile',
      behaviour: 'The queue for a slow disk is bounded; dropped records are counted and reported.',
      owedBy: ['log'],
    },
  },
} as const satisfies Ledger;
