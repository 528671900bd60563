import type { Ledger } from './requirement.js';

/** What the sandbox guarantees to its host and to the author of the code. */
export const sandbox = {
  document: 'packages/sandbox/README.md',
  requirements: {
    'SANDBOX-RUN-01': {
      section: 'Running code',
      behaviour: 'Top-level await and return work, and the returned value is the result.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-RUN-02': {
      section: 'Running code',
      behaviour: 'TypeScript runs as it is written; types are removed without moving a line or column.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-RUN-03': {
      section: 'Running code',
      behaviour: 'Printed text is collected, reported as it happens, and cut at its limit.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-RUN-04': {
      section: 'Running code',
      behaviour: 'Runs share no state, also when they use the same worker thread.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-RUN-05': {
      section: 'Threads',
      behaviour: 'An idle sandbox does not keep the process alive, and closing it ends every thread and run.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-RUN-06': {
      section: 'Threads',
      behaviour: 'More runs than workers wait for their turn; too many are refused at once.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-CALL-01': {
      section: 'Host functions',
      behaviour:
        'Host functions are called by name with JSON values, and failures arrive as errors with name, message and code.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-CALL-02': {
      section: 'Host functions',
      behaviour: 'A namespace passes any path to one host function, names that are no identifiers included.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-CALL-03': {
      section: 'Host functions',
      behaviour: 'Calls beyond the number in flight wait; calls beyond the total end the run.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-CALL-04': {
      section: 'Host functions',
      behaviour: 'The end of a run aborts the signals of its pending calls.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-CALL-05': {
      section: 'Host functions',
      behaviour:
        'Calls that were never awaited, failures that were never read, and errors of async functions whose promise is thrown away are reported with the outcome.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-VALUE-01': {
      section: 'Values',
      behaviour: 'Every kind of value that crosses is converted by the documented table or refused with its path.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-VALUE-02': {
      section: 'Values',
      behaviour: 'No prototype crosses the boundary in either direction.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-VALUE-03': {
      section: 'Values',
      behaviour:
        'Values are bounded in bytes, depth and number in both directions, and the error names size and limit.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-ERROR-01': {
      section: 'Errors',
      behaviour: 'A syntax error names line and column and shows the line with a caret.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-ERROR-02': {
      section: 'Errors',
      behaviour: "An error thrown in the code shows its message and its stack in the code's own lines.",
      owedBy: ['sandbox'],
    },
    'SANDBOX-ERROR-03': {
      section: 'Errors',
      behaviour: 'Code that waits for a promise that nothing can settle ends at once.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-LIMIT-01': {
      section: 'Limits',
      behaviour:
        'Code that never ends is stopped wherever it loops, also in built-in functions that cannot be interrupted.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-LIMIT-02': {
      section: 'Limits',
      behaviour: 'Code that takes memory without end is stopped, and the memory returns.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-LIMIT-03': {
      section: 'Limits',
      behaviour: 'Recursion without end is stopped, in code and in built-in functions.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-LIMIT-04': {
      section: 'Limits',
      behaviour: 'Abort and timeout end a run promptly whatever its code does, and waiting costs no CPU time.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-HOST-01': {
      section: 'Isolation',
      behaviour: 'Code sees the documented globals and nothing else.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-HOST-02': {
      section: 'Isolation',
      behaviour: 'No known way out of the language reaches the host.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-HOST-03': {
      section: 'Isolation',
      behaviour: 'Hostile runs leave concurrent runs, the process and its memory unharmed.',
      owedBy: ['sandbox'],
    },
    'SANDBOX-HOST-04': {
      section: 'Isolation',
      behaviour: 'Unusual source text and unusual thrown values are answered with a typed error.',
      owedBy: ['sandbox'],
    },
  },
} as const satisfies Ledger;
