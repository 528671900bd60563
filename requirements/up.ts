import type { Ledger } from './requirement.js';

const owedBy = ['cli'] as const;

/** The first minutes: one command, and what to do when something is wrong. */
export const up = {
  document: 'a2c up and a2c doctor',
  requirements: {
    'CLI-UP-01': {
      section: 'a2c up',
      behaviour:
        'Serves an office on loopback with one Computer and a demo MCP server, downloads nothing, and says `ready <url>`.',
      owedBy,
    },
    'CLI-UP-02': {
      section: 'a2c up',
      behaviour: 'Prints lines that can be pasted: a call from a shell, and the entry of an MCP client.',
      owedBy,
    },
    'CLI-UP-03': {
      section: 'a2c up',
      behaviour: 'Finds a free port when the usual one is taken, and says so when the asked one is.',
      owedBy,
    },
    'CLI-UP-04': {
      section: 'a2c up',
      behaviour:
        'Hosts the servers of `--config`; calls are refused unless auto_apply or `--confirm allow` says otherwise.',
      owedBy,
    },
    'CLI-UP-05': {
      section: 'a2c up',
      behaviour: 'Ends silently with exit code 0 on SIGINT and SIGTERM, at any moment, and leaves no process.',
      owedBy,
    },
    'CLI-UP-06': {
      section: 'demo server',
      behaviour:
        'The demo has useful tools, one that takes long and tells its progress, one that returns an image, and two windows that change.',
      owedBy,
    },
    'CLI-UP-07': {
      section: 'a2c up',
      behaviour:
        'A server that does not answer delays readiness by two seconds at most and is named; Ctrl-C ends it all at once.',
      owedBy,
    },
    'CLI-UP-08': {
      section: 'a2c up',
      behaviour:
        'A name or an office that the protocol would refuse is refused by `up` and `computer run` before anything begins, with exit code 2.',
      owedBy,
    },
    'CLI-DOCTOR-01': {
      section: 'a2c doctor',
      behaviour:
        'Checks Node, the configuration, each server (started, listed, timed) and the signalling server; exit code 1 when something fails, 2 when the configuration or the command line is wrong.',
      owedBy,
    },
    'CLI-DOCTOR-02': { section: 'a2c doctor', behaviour: 'Says for each failure what to do about it.', owedBy },
  },
} as const satisfies Ledger;
