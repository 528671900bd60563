import type { Ledger } from './requirement.js';

/** Defects of the Python and Rust servers of this protocol. Each one is a requirement here. */
export const serverMistakes = {
  document: 'Defects of earlier signalling servers',
  requirements: {
    'W-PY-01': {
      section: 'Rooms',
      behaviour: 'A call reaches only Computers of the caller’s own office, regardless of the name in the request.',
      owedBy: ['server'],
    },
    'W-PY-02': {
      section: 'Rooms',
      behaviour: 'Two offices may each have a Computer of the same name.',
      owedBy: ['server'],
    },
    'W-PY-03': {
      section: 'Rooms',
      behaviour: 'After a refused join, the connection receives no events of the office.',
      owedBy: ['server'],
    },
    'W-PY-04': {
      section: 'Rooms',
      behaviour: 'A member that disconnects frees its own seat and no other.',
      owedBy: ['server'],
    },
    'W-PY-05': {
      section: 'Rooms',
      behaviour: 'A Computer that changes office and name in one request leaves under its old name.',
      owedBy: ['server'],
    },
    'W-PY-06': {
      section: 'Rooms',
      behaviour: 'A refused change of office changes nothing.',
      owedBy: ['server'],
    },
    'W-PY-07': {
      section: 'Rooms',
      behaviour: 'A member changes its name by leaving and joining again, never in place.',
      owedBy: ['server'],
    },
    'W-PY-08': { section: 'Rooms', behaviour: 'A member can leave only its own office.', owedBy: ['server'] },
    'W-PY-09': {
      section: 'Notifications',
      behaviour: 'An announcement of a connection without an office is sent to no one.',
      owedBy: ['server'],
    },
    'W-PY-10': {
      section: 'Notifications',
      behaviour: 'Announcements carry the registered name of the sender.',
      owedBy: ['server'],
    },
    'W-PY-11': { section: 'Answers', behaviour: 'Every request is answered, whatever fails.', owedBy: ['server'] },
    'W-PY-12': {
      section: 'Answers',
      behaviour: 'Queries have a deadline and fail at once when the Computer disconnects.',
      owedBy: ['server'],
    },
    'W-PY-13': {
      section: 'Rooms',
      behaviour: 'An office whose id equals a socket id receives no event of that socket.',
      owedBy: ['server'],
    },
    'W-PY-14': {
      section: 'Rooms',
      behaviour: 'Of many Agents that join an office at the same moment, one succeeds.',
      owedBy: ['server'],
    },
    'W-PY-15': {
      section: 'Rooms',
      behaviour: 'A crashed Agent gets its seat back without waiting for a ping timeout.',
      owedBy: ['server'],
    },
    'W-PY-16': { section: 'Authentication', behaviour: 'Credentials in headers are accepted.', owedBy: ['server'] },
    'W-PY-17': {
      section: 'Routing',
      behaviour: 'Requests for the configuration of a Computer are relayed.',
      owedBy: ['server'],
    },
    'W-PY-18': {
      section: 'Cancelling',
      behaviour: 'A cancellation is authorized by its connection, regardless of the agent name it carries.',
      owedBy: ['server'],
    },
    'W-PY-19': {
      section: 'Limits',
      behaviour: 'Sizes, rates, names and pending calls are limited.',
      owedBy: ['server'],
    },
    'W-PY-20': {
      section: 'Answers',
      behaviour: 'A repeated request id reaches the Computer unchanged, so that it can run the call once.',
      owedBy: ['server'],
    },
    'W-RS-01': {
      section: 'Authentication',
      behaviour: 'Failed authentication refuses the connection.',
      owedBy: ['server'],
    },
    'W-RS-02': { section: 'Answers', behaviour: 'Answers are relayed unchanged.', owedBy: ['server'] },
    'W-RS-03': {
      section: 'Answers',
      behaviour: 'The timeout of a call is the one in its request.',
      owedBy: ['server'],
    },
    'W-RS-04': { section: 'Rooms', behaviour: 'A refused join reserves neither role nor name.', owedBy: ['server'] },
    'W-RS-05': { section: 'Rooms', behaviour: 'Leaving frees the name.', owedBy: ['server'] },
    'W-RS-06': {
      section: 'Notifications',
      behaviour: 'Leaving is announced only to other members, and re-joining under the same name is not announced.',
      owedBy: ['server'],
    },
    'W-RS-07': {
      section: 'Authentication',
      behaviour: 'Credentials in the auth object of the handshake are accepted.',
      owedBy: ['server'],
    },
  },
} as const satisfies Ledger;
