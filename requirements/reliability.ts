import type { Ledger } from './requirement.js';

/** The fault injection of the repository. What the product must do under faults is in the ledgers of the packages. */
export const reliability = {
  document: 'docs/reliability.md',
  requirements: {
    'REL-CHAOS-01': {
      section: 'Faults',
      behaviour:
        'The faults follow from a printed seed: the same seed gives the same faults, of every kind, on every kind of process and connection.',
      owedBy: ['house'],
    },
    'REL-CHAOS-02': {
      section: 'Checks',
      behaviour:
        'A call that never ends, ends late, ends without a type, runs twice, runs after "not run" or crosses offices is found in the records.',
      owedBy: ['house'],
    },
    'REL-CHAOS-03': {
      section: 'Faults',
      behaviour:
        'A connection through the TCP proxy can be cut, delayed and left half-open, and works again afterwards.',
      owedBy: ['house'],
    },
    'REL-CHAOS-04': {
      section: 'Checks',
      behaviour: 'A run names what it needs; a failing one prints its seed, the violation and what happened around it.',
      owedBy: ['house'],
    },
    'REL-CHAOS-05': {
      section: 'Checks',
      behaviour:
        'A process that ends by itself, with another code than 0 after SIGTERM, or not in time is reported. It gets one SIGTERM, also if two faults end it.',
      owedBy: ['house'],
    },
    'REL-CHAOS-06': {
      section: 'Checks',
      behaviour: 'Time limits are longer by the factor by which the programs wait for a processor.',
      owedBy: ['house'],
    },
    'REL-FUZZ-01': {
      section: 'Fuzzing',
      behaviour: 'The mutated messages follow from a printed seed: bytes and structures are changed.',
      owedBy: ['house'],
    },
    'REL-FUZZ-02': {
      section: 'Fuzzing',
      behaviour:
        'A message that costs more processor time than allowed, a process that ends, and an honest peer that is not served are found.',
      owedBy: ['house'],
    },
    'REL-FUZZ-03': {
      section: 'Fuzzing',
      behaviour: 'A secret in a file, in the arguments or in the environment of a started process is found.',
      owedBy: ['house'],
    },
  },
} as const satisfies Ledger;
