import type { Ledger } from './requirement.js';

/** Requirements of the Agent SDK and of `a2c agent` beyond the protocol. */
export const agent = {
  document: 'packages/agent/README.md',
  requirements: {
    'AGT-CONNECT-01': {
      section: 'Connecting',
      behaviour:
        'Agent.connect joins and waits for the answer; every Computer and its tools become known, however late it joins.',
      owedBy: ['agent'],
    },
    'AGT-CONNECT-02': {
      section: 'Connecting',
      behaviour: 'An Agent that cannot join rejects with a typed error and leaves nothing open.',
      owedBy: ['agent'],
    },
    'AGT-CONNECT-03': {
      section: 'Connecting',
      behaviour: '`await using` and close give up the seat at once and reject pending requests.',
      owedBy: ['agent'],
    },
    'AGT-CONNECT-04': {
      section: 'Connecting',
      behaviour: 'API keys, auth objects created per connection, headers and certificates reach the Server.',
      owedBy: ['agent'],
    },
    'AGT-CONNECT-05': {
      section: 'Connecting',
      behaviour: 'The handshake of every connection contains office, role, version, dialect and instance.',
      owedBy: ['agent'],
    },
    'AGT-CONNECT-06': {
      section: 'Connecting',
      behaviour: 'A browser bundle contains no Node module and works without Node.',
      owedBy: ['agent'],
    },
    'AGT-BUNDLE-01': {
      section: 'Connecting',
      behaviour: 'A bundle contains only the parts of the package that are used.',
      owedBy: ['agent'],
    },
    'AGT-READY-01': {
      section: 'Connecting',
      behaviour: 'join resolves when joined: a Computer that never sends its tools delays no request to others.',
      owedBy: ['agent'],
    },
    'AGT-READY-02': {
      section: 'Connecting',
      behaviour: 'ready resolves when the tools of all Computers, or of one, are known, or after discoveryMs.',
      owedBy: ['agent'],
    },
    'AGT-VIEW-01': {
      section: 'Computers',
      behaviour: '`agent.computers` is live: Computers are added, removed and replaced as a whole.',
      owedBy: ['agent'],
    },
    'AGT-VIEW-02': {
      section: 'Computers',
      behaviour:
        'A Computer that does not return its tools is marked as failed, and neither hides nor delays the others.',
      owedBy: ['agent'],
    },
    'AGT-VIEW-03': {
      section: 'Computers',
      behaviour: 'A failed request for the room or a tool list is repeated while the Agent is joined.',
      owedBy: ['agent'],
    },
    'AGT-CALL-01': {
      section: 'Calls',
      behaviour: 'A failed tool returns a result with isError; every other failure is an SMCPError with a code.',
      owedBy: ['agent'],
    },
    'AGT-CALL-02': {
      section: 'Calls',
      behaviour: 'Aborting the signal or reaching the deadline cancels the call on its Computer.',
      owedBy: ['agent'],
    },
    'AGT-CALL-03': {
      section: 'Calls',
      behaviour: 'The Agent waits longer than the Server, and the Server longer than the Computer.',
      owedBy: ['agent'],
    },
    'AGT-CALL-04': {
      section: 'Calls',
      behaviour:
        'A cancelled call ends with the answer of the Computer, and the Agent is notified of the cancellation.',
      owedBy: ['agent'],
    },
    'AGT-CALL-05': {
      section: 'Calls',
      behaviour: 'A request answered with 429 is repeated after the given pause, within the deadline.',
      owedBy: ['agent'],
    },
    'AGT-CALL-06': {
      section: 'Calls',
      behaviour: 'An answer with another request id is refused.',
      owedBy: ['agent'],
    },
    'AGT-CALL-08': {
      section: 'Calls',
      behaviour:
        'The progress of a tool reaches the Agent that asked for it, between Agents, Servers and Computers of a2c, and no other member.',
      owedBy: ['agent', 'server'],
    },
    'AGT-CALL-07': {
      section: 'Calls',
      behaviour: 'A call to a Computer of another office is refused.',
      owedBy: ['agent'],
    },
    'AGT-BLOB-01': {
      section: 'Large results',
      behaviour:
        'Parts of a result that are too large for one message are fetched in chunks and inserted into the result.',
      owedBy: ['agent'],
    },
    'AGT-BLOB-02': {
      section: 'Large results',
      behaviour:
        'Fetched blobs are limited, and verified by size and SHA-256; a blob that cannot be fetched is replaced by an error.',
      owedBy: ['agent'],
    },
    'AGT-BLOB-03': {
      section: 'Large results',
      behaviour: 'The blobs of a result cannot hold a call past its time limit: those that are left become errors.',
      owedBy: ['agent'],
    },
    'AGT-BLOB-04': {
      section: 'Large results',
      behaviour:
        'Structured content that is fetched as a blob has the limits of one in a message: 250,000 values, 10,000 keys of an object and 1,000 levels.',
      owedBy: ['agent'],
    },
    'AGT-EVENT-01': {
      section: 'Events',
      behaviour: 'Joins, leaves, and changes of configuration, tools and desktop, and cancelled calls are events.',
      owedBy: ['agent'],
    },
    'AGT-EVENT-02': {
      section: 'Events',
      behaviour:
        'Announcements of one change, under either name, cause one event and one fetch; the last change is never missed.',
      owedBy: ['agent'],
    },
    'AGT-EVENT-03': {
      section: 'Events',
      behaviour: 'A listener that throws affects neither the Agent nor other listeners.',
      owedBy: ['agent'],
    },
    'AGT-BACK-01': {
      section: 'Reconnecting',
      behaviour: 'After a lost connection the Agent re-joins under its name and refreshes its lists.',
      owedBy: ['agent'],
    },
    'AGT-BACK-02': {
      section: 'Reconnecting',
      behaviour:
        'Calls that are pending when the connection is lost are repeated with their req_id: none is lost, none runs twice.',
      owedBy: ['agent'],
    },
    'AGT-BACK-03': {
      section: 'Reconnecting',
      behaviour: 'With retry off, pending calls fail with 503 and are not sent again.',
      owedBy: ['agent'],
    },
    'AGT-BACK-04': {
      section: 'Reconnecting',
      behaviour: 'A takeover by another Agent is reported once, and the Agent does not try to take the seat back.',
      owedBy: ['agent'],
    },
    'AGT-BACK-05': {
      section: 'Reconnecting',
      behaviour: 'A final refusal ends the Agent; a temporary refusal is retried.',
      owedBy: ['agent'],
    },
    'AGT-BACK-06': {
      section: 'Reconnecting',
      behaviour:
        'If the Server may mistake the lost connection of this Agent for another Agent, the Agent retries for a limited time.',
      owedBy: ['agent'],
    },
    'AGT-BACK-07': {
      section: 'Reconnecting',
      behaviour: 'A member that a load balancer routed to the wrong node reconnects with its office in the query.',
      owedBy: ['agent'],
    },
    'AGT-BACK-08': {
      section: 'Reconnecting',
      behaviour:
        'A call whose Computer loses its connection waits for the Computer for a limited time and is repeated; one whose Computer left is not.',
      owedBy: ['agent'],
    },
    'AGT-NAME-01': {
      section: 'Tools for models',
      behaviour: 'Tool names for models are valid, unique, the same in every run, and independent of other Computers.',
      owedBy: ['agent'],
    },
    'AGT-NAME-02': {
      section: 'Tools for models',
      behaviour: 'A call by such a name reaches its tool.',
      owedBy: ['agent'],
    },
    'AGT-ADAPT-01': {
      section: 'Tools for models',
      behaviour: 'Tools are provided in the formats of MCP, OpenAI, Anthropic and the AI SDK.',
      owedBy: ['agent'],
    },
    'AGT-ADAPT-02': {
      section: 'Tools for models',
      behaviour:
        'Results are provided as messages for OpenAI and Anthropic and as outputs of the AI SDK, images as images.',
      owedBy: ['agent'],
    },
    'AGT-ADAPT-04': {
      section: 'Tools for models',
      behaviour:
        'Schemas for models are accepted by OpenAI and Anthropic: an object at the top, references that lead somewhere, known keywords, valid names of properties; arguments are converted back.',
      owedBy: ['agent'],
    },
    'AGT-ADAPT-03': {
      section: 'Tools for models',
      behaviour: 'Tools and messages have the types of the current libraries; the documented LangChain program runs.',
      owedBy: ['agent'],
    },
    'AGT-PEER-01': {
      section: 'Foreign peers',
      behaviour: 'The Agent works with the Python server; a missing answer becomes 408 at the deadline.',
      owedBy: ['agent'],
    },
    'AGT-PEER-02': {
      section: 'Foreign peers',
      behaviour:
        'The Agent works with the Rust server: wrapped answers are unwrapped and error texts become typed errors.',
      owedBy: ['agent'],
    },
    'CLI-AGENT-01': {
      section: 'Command',
      behaviour: '`room`, `tools`, `config` and `desktop` print text for people, and JSON with --json.',
      owedBy: ['cli'],
    },
    'CLI-AGENT-02': {
      section: 'Command',
      behaviour:
        '`call` prints the result on stdout and progress on stderr, and exits with 1 when the tool or the call failed. A failure is explained in the language of the user, also in JSON.',
      owedBy: ['cli'],
    },
    'CLI-AGENT-03': {
      section: 'Command',
      behaviour:
        'Images and files of a result are written to the folder of --out, never outside it and never over existing files. Thousands of files take linear time, and a signal ends the command.',
      owedBy: ['cli'],
    },
    'CLI-AGENT-04': {
      section: 'Command',
      behaviour: 'Interrupting a call cancels it on the Computer and exits with 130.',
      owedBy: ['cli'],
    },
    'CLI-AGENT-05': {
      section: 'Command',
      behaviour:
        '`cancel` ends a call of another shell with the same identity and name, and otherwise fails with the reason.',
      owedBy: ['cli'],
    },
    'CLI-AGENT-06': {
      section: 'Command',
      behaviour: '`watch` prints the events of the office, one per line, until it is interrupted.',
      owedBy: ['cli'],
    },
    'CLI-AGENT-07': {
      section: 'Command',
      behaviour: 'Server, office and key come from options or the environment; a missing or wrong value exits with 2.',
      owedBy: ['cli'],
    },
    'CLI-ARGS-01': {
      section: 'Command',
      behaviour:
        'Tool arguments are a JSON object, a file that contains one, or key=value pairs converted by the schema of the tool.',
      owedBy: ['cli'],
    },
    'AGT-CONNECT-07': {
      section: 'Connection',
      behaviour: 'In a browser, the package with its defaults works on a page whose origin the Server allows.',
      owedBy: ['agent'],
    },
  },
} as const satisfies Ledger;
