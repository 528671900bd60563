import type { Ledger } from './requirement.js';

/** One seat in an office, for Agents and Computers alike. */
export const link = {
  document: 'packages/link/README.md',
  requirements: {
    'LINK-JOIN-01': {
      section: 'Joining',
      behaviour: 'A join with retryForMs is repeated with backoff through transient failures until it succeeds.',
      owedBy: ['link'],
    },
    'LINK-JOIN-02': {
      section: 'Joining',
      behaviour: 'A final refusal, the end of retryForMs or an aborted signal rejects a join and leaves nothing open.',
      owedBy: ['link'],
    },
    'LINK-JOIN-03': {
      section: 'Joining',
      behaviour: 'A seat that another member holds is waited for as waitForSeat says: never, on a re-join, or always.',
      owedBy: ['link'],
    },
    'LINK-JOIN-04': {
      section: 'Joining',
      behaviour: 'A node that does not hold the office is left for a connection that names it.',
      owedBy: ['link'],
    },
    'LINK-MOVE-01': {
      section: 'Moving',
      behaviour:
        'While a link moves to another office, each request is labelled with the office that it comes from, so that a call which is repeated later is recognised.',
      owedBy: ['link', 'server'],
    },
    'LINK-BACK-01': {
      section: 'Reconnecting',
      behaviour:
        'After a lost connection the link re-joins under its name; requests and queued notifications wait for it.',
      owedBy: ['link'],
    },
    'LINK-BACK-02': {
      section: 'Reconnecting',
      behaviour: 'A final refusal or a takeover ends the link once, with its reason, and no attempt follows.',
      owedBy: ['link'],
    },
    'LINK-LEAVE-01': {
      section: 'Leaving',
      behaviour:
        'After a graceful disconnect the seat is free, pending requests are rejected, and the link can join again.',
      owedBy: ['link'],
    },
    'LINK-REQ-01': {
      section: 'Requests',
      behaviour: 'A request resolves with its parsed answer, or rejects with the error in it or at its time limit.',
      owedBy: ['link'],
    },
    'LINK-REQ-02': {
      section: 'Requests',
      behaviour: 'Incoming requests are answered on the connection they came from, and on no other.',
      owedBy: ['link'],
    },
    'LINK-REQ-03': {
      section: 'Requests',
      behaviour: 'An answer that is encoded already is sent as it is. A link knows how many bytes wait to be sent.',
      owedBy: ['link'],
    },
    'LINK-REQ-04': {
      section: 'Requests',
      behaviour: 'Messages that are sent at the same time leave in few writes, in order.',
      owedBy: ['link'],
    },
  },
} as const satisfies Ledger;
