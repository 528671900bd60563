import type { Ledger } from './requirement.js';

/** Requirements on the Vector Remap Language. */
export const vrl = {
  document: 'packages/vrl/README.md',
  requirements: {
    // ── Checking ──
    'VRL-CHECK-01': {
      section: 'Checking',
      behaviour:
        'A script that does not compile gets the diagnostics of VRL: codes, positions, and the text with carets.',
      owedBy: ['vrl'],
    },
    'VRL-CHECK-02': {
      section: 'Checking',
      behaviour: 'A fallible call whose error is not handled is rejected by the check.',
      owedBy: ['vrl'],
    },
    'VRL-CHECK-03': {
      section: 'Unsupported functions',
      behaviour:
        'A script that calls an unsupported function does not compile; the message names the function and the reason.',
      owedBy: ['vrl'],
    },
    'VRL-CHECK-04': {
      section: 'Checking',
      behaviour: 'Compiling an invalid script throws a typed error with the diagnostics that the check returns.',
      owedBy: ['vrl'],
    },

    // ── Running ──
    'VRL-RUN-01': {
      section: 'Running',
      behaviour: 'A program is compiled once, runs on many events, and does not change the events.',
      owedBy: ['vrl'],
    },
    'VRL-RUN-02': {
      section: 'Running',
      behaviour: 'The kinds of scripts that shipped Computers apply to tool results have the same effect here.',
      owedBy: ['vrl'],
    },
    'VRL-RUN-03': {
      section: 'Failures',
      behaviour: 'A failed and an aborted script throw typed errors with different reasons.',
      owedBy: ['vrl'],
    },
    'VRL-RUN-04': {
      section: 'Failures',
      behaviour: 'A script that exceeds its time limit is stopped.',
      owedBy: ['vrl'],
    },
    'VRL-RUN-05': {
      section: 'Failures',
      behaviour: 'An invalid event or option is rejected with the problem and the remedy.',
      owedBy: ['vrl'],
    },
    'VRL-PANIC-01': {
      section: 'Failures',
      behaviour:
        'When the engine fails, the caller gets a typed error and the next call works, also on the same program.',
      owedBy: ['vrl'],
    },
    'VRL-FUZZ-01': {
      section: 'Failures',
      behaviour: 'No source can crash the process.',
      owedBy: ['vrl'],
    },
    'VRL-CONC-01': {
      section: 'Running',
      behaviour: 'Programs that run alternately, or in several threads, do not affect each other.',
      owedBy: ['vrl'],
    },
    'VRL-MCP-01': {
      section: 'Running',
      behaviour: 'A tool result of the official server-everything is transformed by a script.',
      owedBy: ['vrl'],
    },

    // ── Time zone ──
    'VRL-ZONE-01': {
      section: 'Time zone',
      behaviour: 'Times without an offset are read in the time zone of the run.',
      owedBy: ['vrl'],
    },
    'VRL-ZONE-02': {
      section: 'Time zone',
      behaviour: 'Without a name the time zone is that of the host, or UTC when the host has none.',
      owedBy: ['vrl'],
    },
    'VRL-ZONE-03': {
      section: 'Time zone',
      behaviour: 'An unknown time zone is an error that names it.',
      owedBy: ['vrl'],
    },

    // ── Values ──
    'VRL-VALUE-01': {
      section: 'Values',
      behaviour: 'Integers keep their value in all 64 bits: as numbers while these are exact, as bigints beyond.',
      owedBy: ['vrl'],
    },
    'VRL-VALUE-02': {
      section: 'Values',
      behaviour: 'Timestamps and bytes become text, NaN and infinity become null, object keys are sorted.',
      owedBy: ['vrl'],
    },
    'VRL-VALUE-03': {
      section: 'Values',
      behaviour: 'Text in any language, nulls and deep nesting are passed unchanged.',
      owedBy: ['vrl'],
    },
    'VRL-VALUE-04': {
      section: 'Values',
      behaviour: 'The result of a script can be written as JSON text, with all digits of its integers.',
      owedBy: ['vrl'],
    },

    // ── Standard library ──
    'VRL-STDLIB-01': {
      section: 'Functions',
      behaviour: "Every supported function returns the results that VRL's documentation shows.",
      owedBy: ['vrl'],
    },
    'VRL-STDLIB-02': {
      section: 'Functions',
      behaviour: 'Time, random values and UUIDs come from the host.',
      owedBy: ['vrl'],
    },
    'VRL-STDLIB-03': {
      section: 'Unsupported functions',
      behaviour: 'The README lists all unsupported functions with the reasons.',
      owedBy: ['vrl'],
    },

    // ── Loading and memory ──
    'VRL-LOAD-01': {
      section: 'Loading, speed and memory',
      behaviour: 'A process without scripts does not read the module; one with scripts reads it once.',
      owedBy: ['vrl'],
    },
    'VRL-LOAD-02': {
      section: 'Loading, speed and memory',
      behaviour: 'An unreadable module is an error with its path and the remedy.',
      owedBy: ['vrl'],
    },
    'VRL-MEMORY-01': {
      section: 'Loading, speed and memory',
      behaviour: 'Memory does not grow with the number of runs, checks and discarded programs.',
      owedBy: ['vrl'],
    },
    'VRL-MEMORY-02': {
      section: 'Loading, speed and memory',
      behaviour: 'A tool result of 5 MB works, and the memory of a very large one is freed.',
      owedBy: ['vrl'],
    },

    // ── Building ──
    'VRL-BUILD-01': {
      section: 'How it is built',
      behaviour: 'The committed module is the one recorded for the committed source; a change of either is detected.',
      owedBy: ['vrl'],
    },
    'VRL-BUILD-02': {
      section: 'How it is built',
      behaviour: 'The notice names the licence of VRL, its version as built, and the location of its source.',
      owedBy: ['vrl'],
    },
  },
} as const satisfies Ledger;
