import type { Ledger } from './requirement.js';

/** What the ways to MCP servers must do beyond the configuration documents. */
export const hubTransports = {
  document: 'packages/hub/README.md',
  requirements: {
    'HUB-STDIO-01': {
      section: 'stdio',
      behaviour: 'A server over stdio passes the behaviour suite of all transports, in both generations.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-02': {
      section: 'stdio',
      behaviour: 'The generation is negotiated in place, without a second process.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-03': {
      section: 'stdio',
      behaviour: 'Lines that are not JSON-RPC are skipped and counted; blank lines and CRLF do not matter.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-04': {
      section: 'stdio',
      behaviour:
        'An answer with foreign keys is understood, batches are taken apart, and an answer that is no JSON-RPC fails its request at once.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-05': {
      section: 'stdio',
      behaviour: 'A message over the limit fails the request it answers, and nothing else, in constant memory.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-06': {
      section: 'stdio',
      behaviour: '`encoding` holds in both directions, and `encoding_error_handler` says what becomes of broken text.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-07': {
      section: 'stdio',
      behaviour: 'Standard error is always drained; its last lines are remembered.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-08': {
      section: 'stdio',
      behaviour: 'A program that cannot be started is named with the remedy, its arguments and environment never.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-09': {
      section: 'stdio',
      behaviour: 'The end of a child ends the connection once, after its output was read, and reports how it ended.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-10': {
      section: 'stdio',
      behaviour:
        'A child is ended by closing stdin, then SIGTERM, then SIGKILL; one that follows at once costs no waiting.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-11': {
      section: 'stdio',
      behaviour: 'What a child has started ends with it.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-12': {
      section: 'stdio',
      behaviour: 'When our process is killed, no child outlives its closed stdin by more than two seconds.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-13': {
      section: 'stdio',
      behaviour: 'Two hundred starts and stops leave no process and no handle.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-14': {
      section: 'stdio',
      behaviour: 'A message counts as sent when it is written, and one that cannot be written fails alone.',
      owedBy: ['hub'],
    },
    'HUB-LOG-01': {
      section: 'stdout_log',
      behaviour: 'Parts are cut to the byte, numbered on from earlier runs, and the oldest are deleted.',
      owedBy: ['hub'],
    },
    'HUB-LOG-02': {
      section: 'stdout_log',
      behaviour: 'The log is readable by its owner only, stays inside the root, and follows no symbolic link.',
      owedBy: ['hub'],
    },
    'HUB-LOG-03': {
      section: 'stdout_log',
      behaviour: 'A log that can no longer be written is reported once and given up; the connection goes on.',
      owedBy: ['hub'],
    },
    'HUB-UNIX-01': {
      section: 'unix',
      behaviour: 'A server on a stream socket passes the behaviour suite of all transports, in both generations.',
      owedBy: ['hub'],
    },
    'HUB-UNIX-02': {
      section: 'unix',
      behaviour: 'Streamable HTTP and SSE over a socket path (`http+unix://`) pass the behaviour suite.',
      owedBy: ['hub'],
    },
    'HUB-UNIX-03': {
      section: 'unix',
      behaviour: 'A socket that cannot be reached is named with the reason.',
      owedBy: ['hub'],
    },
    'HUB-UNIX-04': {
      section: 'unix',
      behaviour: 'A URL may name a socket path (`http+unix://`); an untrusted configuration may not use it.',
      owedBy: ['config', 'hub'],
    },
    'HUB-HTTP-01': {
      section: 'streamable HTTP',
      behaviour: 'A server over streamable HTTP passes the behaviour suite of all transports, in both generations.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-02': {
      section: 'streamable HTTP',
      behaviour: 'With `sse_url` the event stream is read there, and messages are posted to `url`.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-03': {
      section: 'streamable HTTP',
      behaviour: '`timeout` bounds the wait for an answer to a post, `sse_read_timeout` the silence of a stream.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-04': {
      section: 'streamable HTTP',
      behaviour:
        'With `terminate_on_close` the session is deleted on closing, and a server that does not answer does not hold us up.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-05': {
      section: 'streamable HTTP',
      behaviour: 'Only addresses that the guard has judged are dialled, also after a redirect.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-06': {
      section: 'streamable HTTP',
      behaviour: 'Redirects are followed a few times at most, and take no configured header to another origin.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-07': {
      section: 'streamable HTTP',
      behaviour: 'Errors name scheme and host, never path, query, credentials or header values.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-08': {
      section: 'streamable HTTP',
      behaviour: 'A session that the server has forgotten is an error of status 404.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-09': {
      section: 'streamable HTTP',
      behaviour:
        'A stream that ends without the answer fails its request at once; invalid answers are repaired as over stdio.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-10': {
      section: 'streamable HTTP',
      behaviour: 'Thousands of requests leave no listener behind and warn of none.',
      owedBy: ['hub'],
    },
    'HUB-SSE-01': {
      section: 'SSE',
      behaviour: 'A server of 2024-11-05 passes the behaviour suite of all transports.',
      owedBy: ['hub'],
    },
    'HUB-SSE-02': {
      section: 'SSE',
      behaviour: 'A dropped event stream ends the connection; nothing reconnects on its own.',
      owedBy: ['hub'],
    },
    'HUB-SSE-03': {
      section: 'SSE',
      behaviour: 'A server that never sends the address for posts, or names another origin, fails.',
      owedBy: ['hub'],
    },
  },
} as const satisfies Ledger;
