import type { Ledger } from './requirement.js';

/** What the Vector Remap Language owes to those who write scripts and to those who run them. */
export const vrl = {
  document: 'packages/vrl/README.md',
  requirements: {
    // ── Checking ──
    'VRL-CHECK-01': {
      section: 'Checking',
      behaviour:
        "A script that does not compile gets VRL's own diagnostics: codes, positions, and the text with carets.",
      owedBy: ['vrl'],
    },
    'VRL-CHECK-02': {
      section: 'Checking',
      behaviour: 'A call that may fail and whose error is not handled is refused by the check.',
      owedBy: ['vrl'],
    },
    'VRL-CHECK-03': {
      section: 'Functions that are refused',
      behaviour:
        'A function that cannot work here is refused when a script is compiled, by its name and with the reason.',
      owedBy: ['vrl'],
    },
    'VRL-CHECK-04': {
      section: 'Checking',
      behaviour: 'Compiling a wrong script throws a typed error with the diagnostics that the check returns.',
      owedBy: ['vrl'],
    },

    // ── Running ──
    'VRL-RUN-01': {
      section: 'Running',
      behaviour: 'A program is compiled once and runs on many events, and never changes the event it is given.',
      owedBy: ['vrl'],
    },
    'VRL-RUN-02': {
      section: 'Running',
      behaviour: 'The kinds of scripts that shipped Computers apply to tool results do here what they do there.',
      owedBy: ['vrl'],
    },
    'VRL-RUN-03': {
      section: 'Failures',
      behaviour: 'A failed and an aborted script throw typed errors that tell one from the other.',
      owedBy: ['vrl'],
    },
    'VRL-RUN-04': {
      section: 'Failures',
      behaviour: 'A script that runs longer than its time is stopped.',
      owedBy: ['vrl'],
    },
    'VRL-RUN-05': {
      section: 'Failures',
      behaviour: 'An event or option that no script can be run with is refused with what is wrong and the remedy.',
      owedBy: ['vrl'],
    },
    'VRL-PANIC-01': {
      section: 'Failures',
      behaviour:
        'When the engine breaks, the caller gets a typed error and the next call works, also on the same program.',
      owedBy: ['vrl'],
    },
    'VRL-FUZZ-01': {
      section: 'Failures',
      behaviour: 'No source, whatever it is, takes the process down.',
      owedBy: ['vrl'],
    },
    'VRL-CONC-01': {
      section: 'Running',
      behaviour: 'Programs that are run in turn, or in several threads, do not disturb one another.',
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
      behaviour: 'Times without an offset are read in the zone that is named with the run.',
      owedBy: ['vrl'],
    },
    'VRL-ZONE-02': {
      section: 'Time zone',
      behaviour: 'Without a name the zone is that of the host, and UTC where the host has none.',
      owedBy: ['vrl'],
    },
    'VRL-ZONE-03': {
      section: 'Time zone',
      behaviour: 'An unknown zone is an error that names it.',
      owedBy: ['vrl'],
    },

    // ── Values ──
    'VRL-VALUE-01': {
      section: 'Values',
      behaviour:
        'Integers keep their value through all 64 bits, as numbers where those are exact and as bigints beyond.',
      owedBy: ['vrl'],
    },
    'VRL-VALUE-02': {
      section: 'Values',
      behaviour: 'Timestamps and bytes come out as text, what is not a number as null, object keys sorted.',
      owedBy: ['vrl'],
    },
    'VRL-VALUE-03': {
      section: 'Values',
      behaviour: 'Text of every script, nulls and deep nesting pass unchanged.',
      owedBy: ['vrl'],
    },
    'VRL-VALUE-04': {
      section: 'Values',
      behaviour: 'What a script gives back can be written as JSON text, with all digits of its integers.',
      owedBy: ['vrl'],
    },

    // ── Standard library ──
    'VRL-STDLIB-01': {
      section: 'Functions',
      behaviour: "Every working function gives the results of VRL's own documentation.",
      owedBy: ['vrl'],
    },
    'VRL-STDLIB-02': {
      section: 'Functions',
      behaviour: 'Time, random values and UUIDs are those of the host.',
      owedBy: ['vrl'],
    },
    'VRL-STDLIB-03': {
      section: 'Functions that are refused',
      behaviour: 'The README lists the functions that are missing, and why, completely.',
      owedBy: ['vrl'],
    },

    // ── Loading and memory ──
    'VRL-LOAD-01': {
      section: 'Loading, speed and memory',
      behaviour: 'A process without scripts never reads the module; one with scripts reads it once.',
      owedBy: ['vrl'],
    },
    'VRL-LOAD-02': {
      section: 'Loading, speed and memory',
      behaviour: 'A module that cannot be read is named, with the remedy.',
      owedBy: ['vrl'],
    },
    'VRL-MEMORY-01': {
      section: 'Loading, speed and memory',
      behaviour: 'Memory does not grow with runs, checks and abandoned programs.',
      owedBy: ['vrl'],
    },
    'VRL-MEMORY-02': {
      section: 'Loading, speed and memory',
      behaviour: 'A tool result of 5 MB works, and memory that a huge one took is given back.',
      owedBy: ['vrl'],
    },

    // ── Building ──
    'VRL-BUILD-01': {
      section: 'How it is built',
      behaviour:
        'The committed module is the one recorded for the committed source, and a change to either is noticed.',
      owedBy: ['vrl'],
    },
    'VRL-BUILD-02': {
      section: 'How it is built',
      behaviour: "The notice names VRL's licence, its version as built, and where its source is.",
      owedBy: ['vrl'],
    },
  },
} as const satisfies Ledger;
