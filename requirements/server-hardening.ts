import type { Ledger } from './requirement.js';

/** What a hostile or unlucky peer cannot do to the signalling server, and what a call costs. */
export const serverHardening = {
  document: 'docs/security.md',
  requirements: {
    'COST-STRANGER-01': {
      section: 'Cost',
      behaviour:
        'Before its credentials are accepted, a peer may send 64 KiB in a few connect packets; no packet costs more than 50 ms of the event loop or 1 MiB.',
      owedBy: ['server'],
    },
    'COST-STRANGER-02': {
      section: 'Cost',
      behaviour: 'Polling requests are refused by their number of packets before these are decoded.',
      owedBy: ['server'],
    },
    'COST-STRANGER-03': {
      section: 'Cost',
      behaviour:
        'An address can keep a limited number of sockets open, also without a request; further ones are closed. Those of trusted proxies are not counted.',
      owedBy: ['server'],
    },
    'COST-MEMBER-01': {
      section: 'Cost',
      behaviour: 'No packet of a member blocks the event loop for more than 100 ms, whatever its size and shape.',
      owedBy: ['server'],
    },
    'COST-MEMBER-02': {
      section: 'Cost',
      behaviour: 'Binary attachments are limited in number, size and time, before and after admission.',
      owedBy: ['server'],
    },
    'COST-MEMBER-03': {
      section: 'Cost',
      behaviour:
        'A request with more than 100,000 values, an answer with more than 250,000, or one with more than 10,000 keys in one object is answered with an error and not passed on: decoding it would block its receiver for seconds.',
      owedBy: ['protocol', 'server'],
    },
    'COST-MEMBER-04': {
      section: 'Cost',
      behaviour:
        'Binary attachments of a call are passed on, and compared with those of a repeated one, without being encoded as JSON.',
      owedBy: ['server'],
    },
    'COST-MEMBER-05': {
      section: 'Cost',
      behaviour: 'A Computer refuses a request with binary data, of any size, without encoding it as JSON.',
      owedBy: ['computer'],
    },
    'COST-MEMBER-06': {
      section: 'Cost',
      behaviour:
        'An answer of a Computer of another generation is converted in several turns of the event loop; one with more than 100,000 values, 500 MCP servers or 1,000 inputs is answered with an error. Long answers that need no conversion are passed on as they are.',
      owedBy: ['server'],
    },
    'COST-MEMBER-07': {
      section: 'Cost',
      behaviour:
        'Messages that are not complete use a limited part of the memory, in frames, fragments, attachments and polling requests. Over it, the identity that has most of them loses the connection with its largest.',
      owedBy: ['server'],
    },
    'COST-MEMBER-08': {
      section: 'Cost',
      behaviour:
        'The packets of a polling request are handled in order and in several turns of the event loop; the response follows the last one.',
      owedBy: ['server'],
    },
    'COST-MEMBER-09': {
      section: 'Cost',
      behaviour:
        'What is queued for all peers that do not read is limited, with what was written to their sockets. Over it, the identity for which most is queued loses the connection with its longest queue.',
      owedBy: ['server'],
    },
    'COST-MEMBER-10': {
      section: 'Cost',
      behaviour: 'A pending call does not keep its arguments in memory after they were sent to the Computer.',
      owedBy: ['server'],
    },
    'COST-MEMBER-11': {
      section: 'Cost',
      behaviour: 'The list of the members of an office is encoded once until they change, and all answers share it.',
      owedBy: ['server'],
    },
    'COST-MEMBER-12': {
      section: 'Cost',
      behaviour:
        'Notifications to an office are limited in deliveries per second, for each office and in all. Over the limit they are delivered later, to Agents first: equal updates of a Computer once, membership in order and as far as it has changed in the end.',
      owedBy: ['server'],
    },
    'COST-MEMBER-13': {
      section: 'Cost',
      behaviour:
        'The tools of a Computer of another maker are indexed by name once. A list with more than 10,000 tools, or with names or settings that are very long, is not read.',
      owedBy: ['server'],
    },
    'COST-MEMBER-14': {
      section: 'Cost',
      behaviour:
        'An answer that is converted has at most 4 MiB, and names of MCP servers with at most 1,024 characters; others are answered with an error. Large conversions take turns, one in each turn of the event loop.',
      owedBy: ['server'],
    },
    'COST-MEMBER-15': {
      section: 'Cost',
      behaviour:
        'Blobs that the Server inserts into a result count to the memory of the identity of the Agent. They, and attachments, count to the results that are kept for repetitions. Fetching them ends with the deadline of the call, when it is cancelled and when the Agent is gone.',
      owedBy: ['server'],
    },
    'COST-MEMBER-16': {
      section: 'Cost',
      behaviour:
        'A request to a Computer is refused with 429 and was not sent if much is queued for the Computer, or much of the same identity. So an Agent that sends faster than the line of the Computer carries does not disconnect it, and small requests of others pass.',
      owedBy: ['server'],
    },
    'COST-MEMBER-17': {
      section: 'Cost',
      behaviour:
        'A relayed request other than a tool call or an upload is refused with 400 if it has more than 64 KiB.',
      owedBy: ['server'],
    },
    'COST-CALL-01': {
      section: 'Cost',
      behaviour:
        'A tool call costs a Computer no more than 100 ms of its event loop in one turn: calls over 10 MiB or 100,000 values are refused by the Server, and large ones are handled in several turns. A cancellation that follows one reaches it.',
      owedBy: ['server', 'computer'],
    },
    'COST-CALL-02': {
      section: 'Cost',
      behaviour:
        'The arguments of calls that a Computer has not answered take at most 64 MiB, those of one Agent 32 MiB. A call beyond is 429 at once and does not run; a repetition of a running call counts too.',
      owedBy: ['computer'],
    },
    'COST-STRANGER-04': {
      section: 'Cost',
      behaviour: 'A flood of control frames, such as pings and pongs of WebSocket or Engine.IO, ends the connection.',
      owedBy: ['server'],
    },
    'COST-STRANGER-05': {
      section: 'Cost',
      behaviour: 'A refused connection attempt closes its socket, over WebSocket and polling.',
      owedBy: ['server'],
    },
    'COST-STRANGER-06': {
      section: 'Cost',
      behaviour:
        'A connection with a request that does not wait for the response to the one before is closed. After many requests in turn, the response announces the end.',
      owedBy: ['server'],
    },
    'COST-STRANGER-07': {
      section: 'Cost',
      behaviour:
        'Handshakes that wait are limited, in all and for each address; further ones are answered with 429 and closed.',
      owedBy: ['server'],
    },
    'COST-STRANGER-08': {
      section: 'Cost',
      behaviour:
        'The configurations for HAProxy and nginx limit how long a request may take to arrive, and the connections of an address.',
      owedBy: ['server'],
    },
    'COST-STRANGER-09': {
      section: 'Cost',
      behaviour:
        'A transport has at most one session of the namespace: a connect packet while another is checked or accepted ends it, and so do many in turn. The time to close a connection does not depend on how many share its key.',
      owedBy: ['server'],
    },
    'COST-STRANGER-10': {
      section: 'Cost',
      behaviour:
        'With client certificates, a client may send 8 KiB until TLS has checked its chain, an address has at most 32 unfinished handshakes, and handshakes take turns: the keys of a stranger can make each check slow.',
      owedBy: ['server'],
    },
    'COST-STRANGER-11': {
      section: 'Cost',
      behaviour:
        'At the limit of unfinished handshakes, the oldest client of the address that has sent no hello gives way, or else the oldest that has been silent for half a second after the answer to its hello, so that others can connect despite idle connections. The limit of a trusted proxy is that of many addresses.',
      owedBy: ['server'],
    },
    'COST-STRANGER-12': {
      section: 'Cost',
      behaviour:
        'A TLS handshake ends after ten seconds. A server that closes waits for no connection whose handshake or request is unfinished.',
      owedBy: ['server'],
    },
    'COST-STRANGER-14': {
      section: 'Cost',
      behaviour:
        'TLS handshakes take turns and have a limit of bytes, also without client certificates: however many hellos arrive at once, open connections are served between them.',
      owedBy: ['server'],
    },
    'COST-STRANGER-13': {
      section: 'Cost',
      behaviour:
        'A TLS connection cannot be negotiated again: the limits of handshakes do not apply to a renegotiation, and its certificates could take the place of those that were checked.',
      owedBy: ['server'],
    },
    'COST-STRANGER-50': {
      section: 'Cost',
      behaviour:
        'At the limit of connections of an address, the oldest one that has presented no valid credentials for a second gives way to a new one.',
      owedBy: ['server'],
    },
    'COST-STRANGER-51': {
      section: 'Cost',
      behaviour:
        'Handshakes over the rate of their address pass if their headers or their client certificate have valid credentials, at a rate of their own. The number of credentials that are checked for it is limited.',
      owedBy: ['server'],
    },
    'SRV-OPS-10': {
      section: 'Operators',
      behaviour: 'The log has the path of a refused operator request without its query, which may contain a key.',
      owedBy: ['server'],
    },
    'SRV-SCALE-10': {
      section: 'Sharding',
      behaviour:
        'A sharded node refuses a join if a load balancer may read another office in the query than the node: a repeated or encoded `office`, one after another separator, or another spelling than that of clients, which the refusal names.',
      owedBy: ['server'],
    },
    'WEB-HOST-01': {
      section: 'Web pages',
      behaviour:
        'A server without authentication refuses requests whose Host is neither its address, a loopback name nor an allowed name, over WebSocket and polling, with or without Origin.',
      owedBy: ['server'],
    },
    'WEB-HOST-50': {
      section: 'Web pages',
      behaviour:
        'A request that a browser marks as that of another site is refused unless its Origin is allowed, also without Origin. It opens no connection and does not count to the limits of its address.',
      owedBy: ['server', 'agent'],
    },
    'SCOPE-AGENT-01': {
      section: 'Identities',
      behaviour: 'The `agent` of a relayed request is the name of the authenticated seat, whatever the Agent wrote.',
      owedBy: ['server'],
    },
    'SCOPE-TOOLS-01': {
      section: 'Identities',
      behaviour:
        'A key, certificate or token can be limited to tools and MCP servers by allowing and denying patterns: the Server refuses other calls and passes the scope to the Computer.',
      owedBy: ['server'],
    },
    'SEAT-ATTEMPT-01': {
      section: 'Seats',
      behaviour:
        'A join of an older connection that is handled late, such as by a node that was paused, does not evict the newer connection of the same client; an evicted client that was not replaced by another process joins again.',
      owedBy: ['server', 'link'],
    },
    'FILE-KEYS-01': {
      section: 'Files',
      behaviour:
        'Files of keys and certificates are refused if they are not regular files, or if another user than root may write to them: as the owner, through a group, or as every user.',
      owedBy: ['server'],
    },
    'DRAIN-END-01': {
      section: 'Shutdown',
      behaviour: 'The process ends when the drain has ended: no timer of a call keeps it running.',
      owedBy: ['server'],
    },
    'COST-NODES-01': {
      section: 'Cost',
      behaviour:
        'The progress of a call is sent to other nodes only while the Computer has a call of another node, without unknown fields.',
      owedBy: ['server'],
    },
    'COST-IDLE-01': {
      section: 'Cost',
      behaviour: 'A member that sends nothing keeps at most 1.15 times the memory of a bare Socket.IO socket.',
      owedBy: ['server'],
    },
    'COST-TURN-01': {
      section: 'Cost',
      behaviour: 'A message that is relayed takes one turn of the event loop, in which it is read and written.',
      owedBy: ['server'],
    },
    'COST-TURN-02': {
      section: 'Cost',
      behaviour:
        'Messages for a peer that are sent in one turn of the event loop leave together, at most 16 in one write, so that the peer works on the first ones while the Server reads the next.',
      owedBy: ['server'],
    },
    'REDIS-AWAY-01': {
      section: 'Redis',
      behaviour:
        'While Redis is away, sharded nodes stay ready: their offices go on and new ones are opened; Redis receives the seats when it is back.',
      owedBy: ['server'],
    },
    'REDIS-AWAY-02': {
      section: 'Redis',
      behaviour: 'A node waits for a Redis that is away at the start; only a refusal by Redis is an error.',
      owedBy: ['server'],
    },
    'REDIS-AWAY-03': {
      section: 'Redis',
      behaviour:
        'A node logs once that Redis is away, and once that it is back, with the time and the number of requests that failed.',
      owedBy: ['server'],
    },
    'REDIS-FOREIGN-01': {
      section: 'Redis',
      behaviour: 'A message on the channels of the nodes that no node has sent is ignored and reported.',
      owedBy: ['server'],
    },
    'REDIS-TEXT-01': {
      section: 'Redis',
      behaviour:
        'A text of a client that Lua cannot read refuses at most its own join: it does not count as a Redis that is away, takes no seat, and does not stop the heartbeat or the seats of other members. Ids of processes have a plain form, or are ignored.',
      owedBy: ['server'],
    },
    'REDIS-SUBSCRIBE-01': {
      section: 'Redis',
      behaviour: 'A node whose connection for messages of other nodes is dead without being closed connects again.',
      owedBy: ['server'],
    },
    'REDIS-DEAD-01': {
      section: 'Redis',
      behaviour:
        'A connection to Redis that is dead without being closed, on which packets are lost, is replaced within seconds: the one to publish and the one to subscribe, also if Redis keeps its subscriptions.',
      owedBy: ['server'],
    },
    'REDIS-DEAD-02': {
      section: 'Redis',
      behaviour:
        'A call to another node whose message Redis has not confirmed is not sent again: it runs at most once, and fails with 503 and `a2c_execution: unknown`. Answers and notifications are sent again.',
      owedBy: ['server'],
    },
    'REDIS-SEATS-01': {
      section: 'Redis',
      behaviour: 'A node whose seats Redis has lost claims them again, and a node that is alive is not removed.',
      owedBy: ['server'],
    },
    'RELAY-NODES-01': {
      section: 'Relay',
      behaviour:
        'A request to another node is one message to that node and one back, as received, with all arguments and attachments.',
      owedBy: ['server'],
    },
    'RELAY-RAW-01': {
      section: 'Relay',
      behaviour:
        'Payloads and answers are relayed as they were received, with their attachments; one that is not JSON reaches no other peer.',
      owedBy: ['server'],
    },
    'RELAY-RAW-02': {
      section: 'Relay',
      behaviour: 'A relayed request is encoded again only in the fields that the Server changes.',
      owedBy: ['server'],
    },
    'RELAY-RAW-03': {
      section: 'Relay',
      behaviour:
        'Frames of WebSockets are read as the library `ws` reads them: the same messages, control frames and refusals, however the frames are cut.',
      owedBy: ['server'],
    },
  },
} as const satisfies Ledger;
