import type { Ledger } from './requirement.js';

/** Behaviour of the transports beyond the configuration documents. */
export const hubTransports = {
  document: 'packages/hub/README.md',
  requirements: {
    'HUB-STDIO-01': {
      section: 'stdio',
      behaviour: 'A stdio server passes the behaviour suite of all transports, in both generations.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-02': {
      section: 'stdio',
      behaviour: 'The generation is negotiated without a second process.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-03': {
      section: 'stdio',
      behaviour: 'Lines that are not JSON-RPC are skipped and counted; blank lines and CRLF are accepted.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-04': {
      section: 'stdio',
      behaviour:
        'An answer with unknown keys is accepted, batches are split, and an answer that is not JSON-RPC fails its request at once.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-05': {
      section: 'stdio',
      behaviour: 'A message over the limit fails only the request it answers, and uses constant memory.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-06': {
      section: 'stdio',
      behaviour:
        '`encoding` applies in both directions, and `encoding_error_handler` defines the handling of invalid text.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-07': {
      section: 'stdio',
      behaviour: 'stderr is always drained, and its last lines are kept.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-08': {
      section: 'stdio',
      behaviour:
        'The error for a program that cannot be started names it and the remedy, and never its arguments or environment.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-09': {
      section: 'stdio',
      behaviour:
        'When a child exits, the connection ends once, after its remaining output was read, with the exit code or signal.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-10': {
      section: 'stdio',
      behaviour:
        'A child is stopped by closing stdin, then SIGTERM, then SIGKILL; a child that exits at once causes no delay.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-11': {
      section: 'stdio',
      behaviour: 'Processes that a child has started end with it.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-12': {
      section: 'stdio',
      behaviour: 'When the parent process is killed, every child exits within two seconds after its stdin was closed.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-13': {
      section: 'stdio',
      behaviour: 'Two hundred starts and stops leave no process and no handle behind.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-14': {
      section: 'stdio',
      behaviour: 'A message is sent when it is written; a message that cannot be written fails alone.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-15': {
      section: 'stdio',
      behaviour: 'What a server does not read is limited: further messages to it fail until it reads again.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-16': {
      section: 'stdio',
      behaviour:
        'A message with too many values, or too many keys in one object, is not parsed: the request that it answers fails at once. The same holds over HTTP.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-18': {
      section: 'stdio',
      behaviour:
        'The connection of a child that has exited ends within seconds, even if a process outside of its group holds its stdout and keeps writing.',
      owedBy: ['hub'],
    },
    'HUB-STDIO-17': {
      section: 'stdio',
      behaviour:
        'While more than 4 MiB are unsent, requests wait until the server has read earlier ones; cancelled ones are dropped. They fail if it reads no message for 30 seconds.',
      owedBy: ['hub'],
    },
    'HUB-LOG-01': {
      section: 'stdout_log',
      behaviour:
        'Log parts are split at the exact byte, numbered after those of earlier runs, and the oldest are deleted.',
      owedBy: ['hub'],
    },
    'HUB-LOG-02': {
      section: 'stdout_log',
      behaviour: 'The log is readable by its owner only, stays inside the root, and follows no symbolic link.',
      owedBy: ['hub'],
    },
    'HUB-LOG-03': {
      section: 'stdout_log',
      behaviour: 'A log that can no longer be written is reported once and closed; the connection continues.',
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
      behaviour: 'The error for an unreachable socket contains the reason.',
      owedBy: ['hub'],
    },
    'HUB-UNIX-04': {
      section: 'unix',
      behaviour: 'A URL may contain a socket path (`http+unix://`); an untrusted configuration may not use it.',
      owedBy: ['config', 'hub'],
    },
    'HUB-HTTP-01': {
      section: 'streamable HTTP',
      behaviour: 'A Streamable HTTP server passes the behaviour suite of all transports, in both generations.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-02': {
      section: 'streamable HTTP',
      behaviour: 'With `sse_url`, the event stream is read from that URL, and messages are posted to `url`.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-03': {
      section: 'streamable HTTP',
      behaviour:
        '`timeout` limits connections, lists and notifications, `sse_read_timeout` the silence of the server stream; neither limits a call.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-04': {
      section: 'streamable HTTP',
      behaviour:
        'With `terminate_on_close`, the session is deleted on closing, and a server that does not respond causes no delay.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-05': {
      section: 'streamable HTTP',
      behaviour: 'Connections are made only to addresses that the guard has approved, also after a redirect.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-06': {
      section: 'streamable HTTP',
      behaviour:
        'Redirects are followed a limited number of times, and configured headers are not sent to another origin.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-07': {
      section: 'streamable HTTP',
      behaviour: 'Errors contain scheme and host, never path, query, credentials or header values.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-08': {
      section: 'streamable HTTP',
      behaviour: 'An expired session is an error with status 404.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-09': {
      section: 'streamable HTTP',
      behaviour:
        'A stream that ends without the answer fails its request at once; malformed answers are corrected as over stdio.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-10': {
      section: 'streamable HTTP',
      behaviour: 'Thousands of requests leak no listener and cause no warning.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-11': {
      section: 'streamable HTTP',
      behaviour: 'The answers to requests of a server that it has not taken yet are limited in number.',
      owedBy: ['hub'],
    },
    'HUB-HTTP-12': {
      section: 'streamable HTTP',
      behaviour: 'A large answer is decoded and parsed once, and its memory is given back at once.',
      owedBy: ['hub'],
    },
    'HUB-WINDOWS-01': {
      section: 'stdio',
      behaviour:
        'On Windows, `.cmd` and `.bat` programs start with quoted arguments, and a process tree is ended with `taskkill /T`.',
      owedBy: ['hub'],
    },
    'HUB-SSE-01': {
      section: 'SSE',
      behaviour: 'A server of 2024-11-05 passes the behaviour suite of all transports.',
      owedBy: ['hub'],
    },
    'HUB-SSE-02': {
      section: 'SSE',
      behaviour: 'A lost event stream ends the connection, without an automatic reconnect of the transport.',
      owedBy: ['hub'],
    },
    'HUB-SSE-03': {
      section: 'SSE',
      behaviour: 'A server that does not send its endpoint, or sends one of another origin, is disconnected.',
      owedBy: ['hub'],
    },
    'HUB-SSE-04': {
      section: 'SSE',
      behaviour:
        'A URL that serves only SSE connects, also without a type; a URL that serves neither reports its answer.',
      owedBy: ['hub'],
    },
  },
} as const satisfies Ledger;
