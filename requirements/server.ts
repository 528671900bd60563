import type { Ledger } from './requirement.js';

/** What operators expect of the signalling server beyond the protocol. */
export const server = {
  document: 'packages/server/README.md',
  requirements: {
    'SRV-ROOM-01': {
      section: 'Rooms',
      behaviour: 'A fast reconnect of the same identity takes over its own seat.',
      owedBy: ['server'],
    },
    'SRV-ROOM-02': {
      section: 'Rooms',
      behaviour: 'No event reaches another office because of a name: an office id may be any text, even a socket id.',
      owedBy: ['server'],
    },
    'SRV-CALL-01': {
      section: 'Calls',
      behaviour: 'When a Computer leaves or disconnects, its pending calls fail at once with 404.',
      owedBy: ['server'],
    },
    'SRV-CALL-02': {
      section: 'Calls',
      behaviour: 'When an Agent leaves, or does not reconnect in time, its calls are cancelled on the Computers.',
      owedBy: ['server'],
    },
    'SRV-CALL-03': {
      section: 'Calls',
      behaviour:
        'A call fails two seconds after its own timeout, so that the timeout answer of the Computer arrives first.',
      owedBy: ['server'],
    },
    'SRV-CALL-04': {
      section: 'Calls',
      behaviour: 'Acknowledgements are relayed with all their arguments, and an empty one is an error.',
      owedBy: ['server'],
    },
    'SRV-CALL-05': {
      section: 'Calls',
      behaviour:
        'A repeated request id is relayed to a Computer of a2c, which runs the call once, and each request is answered.',
      owedBy: ['server'],
    },
    'SRV-CALL-06': {
      section: 'Calls',
      behaviour:
        'The calls of an Agent that reconnects, to any node, stay pending until they are answered or it leaves.',
      owedBy: ['server'],
    },
    'SRV-AUTH-01': {
      section: 'Authentication',
      behaviour:
        'API keys are accepted in a header, as a bearer token and in the auth payload; the file of their hashes is reloaded on change.',
      owedBy: ['server'],
    },
    'SRV-AUTH-02': {
      section: 'Authentication',
      behaviour:
        'JSON Web Tokens are verified with a key set, audience and expiry; expiry also closes an open connection.',
      owedBy: ['server'],
    },
    'SRV-AUTH-03': {
      section: 'Authentication',
      behaviour: 'A client certificate authenticates its holder.',
      owedBy: ['server'],
    },
    'SRV-AUTH-04': {
      section: 'Authentication',
      behaviour: 'An identity can be restricted to roles, offices and names, which every join checks.',
      owedBy: ['server'],
    },
    'SRV-AUTH-05': {
      section: 'Authentication',
      behaviour:
        'On addresses other than loopback, TLS and authentication are required unless insecure serving is allowed.',
      owedBy: ['server'],
    },
    'SRV-AUTH-06': {
      section: 'Authentication',
      behaviour: 'A connection is refused at the namespace with a structured reason.',
      owedBy: ['server'],
    },
    'SRV-TLS-01': {
      section: 'TLS',
      behaviour: 'Certificates are reloaded without closing connections, and an invalid new one is ignored.',
      owedBy: ['server'],
    },
    'SRV-LIMIT-01': {
      section: 'Limits',
      behaviour:
        'A request over a rate limit is answered with 429 and the time to wait, and the connection stays open. A call that the rate of its connection refuses does not count to that of the office.',
      owedBy: ['server'],
    },
    'SRV-LIMIT-02': {
      section: 'Limits',
      behaviour: 'Pending calls are limited per Agent and per office.',
      owedBy: ['server'],
    },
    'SRV-LIMIT-03': {
      section: 'Limits',
      behaviour: 'Connections and handshakes are limited per address.',
      owedBy: ['server'],
    },
    'SRV-LIMIT-04': {
      section: 'Limits',
      behaviour: 'Messages far larger than one megabyte are relayed.',
      owedBy: ['server'],
    },
    'SRV-LIMIT-05': {
      section: 'Limits',
      behaviour: 'A peer that does not read is disconnected before its queue grows too large.',
      owedBy: ['server'],
    },
    'SRV-LIMIT-06': {
      section: 'Limits',
      behaviour: 'A connection with too many refused requests is closed.',
      owedBy: ['server'],
    },
    'SRV-LIMIT-07': {
      section: 'Limits',
      behaviour: 'Web pages of other origins are refused.',
      owedBy: ['server'],
    },
    'SRV-LIMIT-08': {
      section: 'Limits',
      behaviour: 'Every limit is an option, and the documented defaults are the actual defaults.',
      owedBy: ['server'],
    },
    'SRV-AUDIT-01': {
      section: 'Audit',
      behaviour:
        'Every request is recorded once with identity, event, office, outcome, duration and sizes, without arguments or results.',
      owedBy: ['server'],
    },
    'SRV-AUDIT-02': {
      section: 'Audit',
      behaviour: 'The audit file is rotated by size, keeps the order of records, and is readable by its owner only.',
      owedBy: ['server'],
    },
    'SRV-OPS-01': {
      section: 'Operation',
      behaviour: '/healthz, /readyz and /metrics report the state of the server.',
      owedBy: ['server'],
    },
    'SRV-OPS-02': {
      section: 'Operation',
      behaviour: 'W3C trace context is relayed from the Agent to the Computer.',
      owedBy: ['server'],
    },
    'SRV-OPS-03': {
      section: 'Operation',
      behaviour: 'Draining refuses joins, lets pending calls finish, and makes clients reconnect elsewhere.',
      owedBy: ['server'],
    },
    'SRV-OPS-09': {
      section: 'Operation',
      behaviour: 'Closing a server ends the connections of peers that do not answer after a second.',
      owedBy: ['server'],
    },
    'SRV-OPS-04': {
      section: 'Operation',
      behaviour: 'The server attaches to an HTTP server that has other routes.',
      owedBy: ['server'],
    },
    'SRV-FUZZ-01': {
      section: 'Robustness',
      behaviour: 'Hostile packets neither crash nor slow down the server, nor increase its memory.',
      owedBy: ['server'],
    },
    'SRV-SCALE-01': {
      section: 'Scaling',
      behaviour: 'Over Redis, an office whose members are on different nodes works as on one.',
      owedBy: ['server'],
    },
    'SRV-SCALE-02': {
      section: 'Scaling',
      behaviour: 'With Redis, seats are exclusive: of many claims on many nodes, one succeeds.',
      owedBy: ['server'],
    },
    'SRV-SCALE-03': {
      section: 'Scaling',
      behaviour:
        'The members of a failed node are removed within the lease; a frozen node does not affect calls between others.',
      owedBy: ['server'],
    },
    'SRV-SCALE-04': {
      section: 'Scaling',
      behaviour: 'Without Redis, offices on one node keep working, joins get 503, and all recovers when it returns.',
      owedBy: ['server'],
    },
    'SRV-SCALE-05': {
      section: 'Scaling',
      behaviour:
        'Behind a load balancer that hashes offices no office is split, and a join on the wrong node is refused with the remedy.',
      owedBy: ['server'],
    },
    'SRV-SCALE-06': {
      section: 'Scaling',
      behaviour: 'The queue for a Redis that is away is limited, and calls across nodes fail at once with 503.',
      owedBy: ['server'],
    },
    'SRV-SCALE-07': {
      section: 'Scaling',
      behaviour:
        'A request whose message between nodes, or its answer, was lost fails with 503 at once. A late notification of a leave does not hide a Computer that has joined again.',
      owedBy: ['server'],
    },
    'SRV-SCALE-08': {
      section: 'Scaling',
      behaviour:
        'When many clients connect at once, their handshakes are spread over turns of the event loop, so that messages of others are handled in between; the limits per address hold.',
      owedBy: ['server'],
    },
    'SRV-PEER-01': {
      section: 'Foreign peers',
      behaviour: 'A python-socketio client can join, call and answer, and receives refusals in the form it expects.',
      owedBy: ['server'],
    },
    'CLI-SERVER-01': {
      section: 'Command',
      behaviour: '`a2c server` prints when it is ready, and exits with code 0 on SIGINT and SIGTERM.',
      owedBy: ['cli'],
    },
    'CLI-SERVER-02': {
      section: 'Command',
      behaviour: 'Authentication, TLS, limits, audit, sharding and Redis are options of `a2c server`.',
      owedBy: ['cli'],
    },
    'CLI-SERVER-03': {
      section: 'Command',
      behaviour: '`a2c server` rejects a command line it cannot satisfy with exit code 2 and the remedy.',
      owedBy: ['cli'],
    },
    'SRV-AUTH-07': {
      section: 'Authentication',
      behaviour: 'Sessions of a key that was removed from the key file or changed are disconnected; others stay.',
      owedBy: ['server'],
    },
    'SRV-AUTH-08': {
      section: 'Authentication',
      behaviour: 'The refusal of an expired token or key says that it has expired.',
      owedBy: ['server', 'cli'],
    },
    'SRV-OPS-05': {
      section: 'Operation',
      behaviour: 'Start, join, leave, refusal, drain and stop are log lines with the identity and the address.',
      owedBy: ['server', 'cli'],
    },
    'SRV-OPS-06': {
      section: 'Operation',
      behaviour: '`/metrics` needs the operator right unless it is opened explicitly.',
      owedBy: ['server', 'cli'],
    },
    'SRV-OPS-07': {
      section: 'Operation',
      behaviour: 'An identity with the operator right can list and end sessions; no other identity can.',
      owedBy: ['server', 'cli'],
    },
    'SRV-OPS-08': {
      section: 'Operation',
      behaviour:
        'A broken key file is reported once per change as a log line with the place of the problem, which says that the old keys stay; a changed file in force is a log line too.',
      owedBy: ['cli'],
    },
    'CLI-KEY-01': {
      section: 'Command',
      behaviour: '`a2c key new` prints a new key once, and prints its hashed entry or adds it to a key file.',
      owedBy: ['cli'],
    },
    'SRV-LIMIT-09': {
      section: 'Limits',
      behaviour: 'Pages of allowed origins can read the answers to polling requests (CORS); other pages cannot.',
      owedBy: ['server'],
    },
  },
} as const satisfies Ledger;
