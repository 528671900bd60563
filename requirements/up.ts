import type { Ledger } from './requirement.js';

const owedBy = ['cli'] as const;

/** The first minutes: one command to start, one to diagnose. */
export const up = {
  document: 'a2c up and a2c doctor',
  requirements: {
    'CLI-UP-01': {
      section: 'a2c up',
      behaviour:
        'Serves an office on loopback with one Computer and a demo MCP server, downloads nothing, and prints `ready <url>`.',
      owedBy,
    },
    'CLI-UP-02': {
      section: 'a2c up',
      behaviour: 'Prints text to paste: a call from a shell, and the entry for an MCP client.',
      owedBy,
    },
    'CLI-UP-03': {
      section: 'a2c up',
      behaviour: 'Uses a free port when the default one is in use, and reports an error when the requested one is.',
      owedBy,
    },
    'CLI-UP-04': {
      section: 'a2c up',
      behaviour:
        'Hosts the servers of `--config`; calls without auto_apply are asked for in the console, and refused with `--no-console` or `--confirm deny`.',
      owedBy,
    },
    'CLI-UP-05': {
      section: 'a2c up',
      behaviour: 'Exits silently with code 0 on SIGINT and SIGTERM, at any moment, and leaves no process behind.',
      owedBy,
    },
    'CLI-UP-06': {
      section: 'demo server',
      behaviour:
        'The demo has useful tools, one that takes long and reports progress, one that returns an image, and two windows that change.',
      owedBy,
    },
    'CLI-UP-07': {
      section: 'a2c up',
      behaviour:
        'A server that does not answer delays readiness by two seconds at most and is named; Ctrl-C stops everything at once.',
      owedBy,
    },
    'CLI-UP-08': {
      section: 'a2c up',
      behaviour:
        '`up` and `computer run` reject a name or an office that the protocol does not allow, before they start, with exit code 2.',
      owedBy,
    },
    'CLI-DOCTOR-01': {
      section: 'a2c doctor',
      behaviour:
        'Checks Node, the configuration, each server (started, listed, timed) and the signalling server; exit code 1 when a check fails, 2 when the configuration or the command line is wrong.',
      owedBy,
    },
    'CLI-DOCTOR-02': { section: 'a2c doctor', behaviour: 'Prints a remedy for each failure.', owedBy },
  },
} as const satisfies Ledger;
