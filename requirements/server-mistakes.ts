import type { Ledger } from './requirement.js';

/** Mistakes found in the Python and Rust servers of this protocol, each turned into what must hold here. */
export const serverMistakes = {
  document: 'Defects of earlier signalling servers',
  requirements: {
    'W-PY-01': {
      section: 'Rooms',
      behaviour: 'A call reaches only Computers of the caller’s own office, whatever name it gives.',
      owedBy: ['server'],
    },
    'W-PY-02': {
      section: 'Rooms',
      behaviour: 'Two offices may each have a Computer of the same name.',
      owedBy: ['server'],
    },
    'W-PY-03': {
      section: 'Rooms',
      behaviour: 'A refused join leaves no ghost that hears the room.',
      owedBy: ['server'],
    },
    'W-PY-04': {
      section: 'Rooms',
      behaviour: 'Whoever goes frees its own seat and nobody else’s.',
      owedBy: ['server'],
    },
    'W-PY-05': {
      section: 'Rooms',
      behaviour: 'A Computer that changes office and name at once leaves under its old name.',
      owedBy: ['server'],
    },
    'W-PY-06': {
      section: 'Rooms',
      behaviour: 'A refused change of office leaves everything as it was.',
      owedBy: ['server'],
    },
    'W-PY-07': { section: 'Rooms', behaviour: 'A name is changed by leaving, never in place.', owedBy: ['server'] },
    'W-PY-08': { section: 'Rooms', behaviour: 'Only one’s own office can be left.', owedBy: ['server'] },
    'W-PY-09': {
      section: 'Notifications',
      behaviour: 'Whoever is in no office announces nothing to anybody.',
      owedBy: ['server'],
    },
    'W-PY-10': {
      section: 'Notifications',
      behaviour: 'Announcements carry the sender’s real name.',
      owedBy: ['server'],
    },
    'W-PY-11': { section: 'Answers', behaviour: 'Whatever goes wrong, the request is answered.', owedBy: ['server'] },
    'W-PY-12': {
      section: 'Answers',
      behaviour: 'Queries have a deadline and fail at once when the Computer goes.',
      owedBy: ['server'],
    },
    'W-PY-13': {
      section: 'Rooms',
      behaviour: 'An office named like a socket’s id hears nothing of that socket’s.',
      owedBy: ['server'],
    },
    'W-PY-14': {
      section: 'Rooms',
      behaviour: 'Of many Agents at the same moment one gets the office.',
      owedBy: ['server'],
    },
    'W-PY-15': {
      section: 'Rooms',
      behaviour: 'A crashed Agent gets its seat back without waiting for a ping to fail.',
      owedBy: ['server'],
    },
    'W-PY-16': { section: 'Authentication', behaviour: 'Credentials in headers are seen.', owedBy: ['server'] },
    'W-PY-17': { section: 'Routing', behaviour: 'Configurations can be asked for.', owedBy: ['server'] },
    'W-PY-18': {
      section: 'Cancelling',
      behaviour: 'A cancel counts by its connection, whatever agent name it carries.',
      owedBy: ['server'],
    },
    'W-PY-19': {
      section: 'Limits',
      behaviour: 'Sizes, rates, names and calls in flight have bounds.',
      owedBy: ['server'],
    },
    'W-PY-20': {
      section: 'Answers',
      behaviour: 'A repeated request id reaches the Computer unchanged, so that it can run it once.',
      owedBy: ['server'],
    },
    'W-RS-01': {
      section: 'Authentication',
      behaviour: 'Failed authentication refuses the connection.',
      owedBy: ['server'],
    },
    'W-RS-02': { section: 'Answers', behaviour: 'Answers pass whole.', owedBy: ['server'] },
    'W-RS-03': { section: 'Answers', behaviour: 'The timeout of a call is the one it asks for.', owedBy: ['server'] },
    'W-RS-04': { section: 'Rooms', behaviour: 'A refused join binds neither role nor name.', owedBy: ['server'] },
    'W-RS-05': { section: 'Rooms', behaviour: 'Leaving frees the name.', owedBy: ['server'] },
    'W-RS-06': {
      section: 'Notifications',
      behaviour: 'Leaving is told to others only, and joining again as the same to nobody.',
      owedBy: ['server'],
    },
    'W-RS-07': {
      section: 'Authentication',
      behaviour: 'Credentials in the handshake’s auth object are seen.',
      owedBy: ['server'],
    },
  },
} as const satisfies Ledger;
