import type { Ledger } from './requirement.js';

/** What A2C-SMCP 0.2 to 0.5 ask of the wire, and how one Server serves all generations at once. */
export const smcpGenerations = {
  document: 'A2C-SMCP 0.2 to 0.4 beside 0.1, and 0.5 prepared: the wire and the Server',
  requirements: {
    'GEN-TABLE-01': {
      section: 'generations',
      behaviour: 'A version selects one generation, and one table has the rules of each generation.',
      owedBy: ['protocol'],
    },
    'GEN-EVENT-01': {
      section: 'events',
      behaviour:
        '`get_resources`, `get_skills`, `get_skill`, `put_blob` and `update_skills` have their fields and answers.',
      owedBy: ['protocol'],
    },
    'GEN-ERR-01': {
      section: 'errors',
      behaviour:
        'From 0.2 on an error is flat: the specific code at the top, no `error`, the MCP server beside the code.',
      owedBy: ['protocol'],
    },
    'GEN-ERR-02': {
      section: 'errors',
      behaviour: 'No error repeats the `req_id`: published Agents would read it as an empty list.',
      owedBy: ['protocol'],
    },
    'GEN-ERR-03': {
      section: 'errors',
      behaviour: 'The error of a Computer has a form that published Servers relay, and our Agent reads the real code.',
      owedBy: ['protocol'],
    },
    'GEN-ACK-01': {
      section: 'offices',
      behaviour:
        'Join and leave are acknowledged as the generation reads it: a pair, a pair with the error, or nothing.',
      owedBy: ['protocol'],
    },
  },
} as const satisfies Ledger;
