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
      behaviour: 'An Agent that cannot join rejects with the reason as a typed error and leaves nothing open.',
      owedBy: ['agent'],
    },
    'AGT-CONNECT-03': {
      section: 'Connecting',
      behaviour: '`await using` and close give up the seat at once and reject pending requests.',
      owedBy: ['agent'],
    },
    'AGT-CONNECT-04': {
      section: 'Connecting',
      behaviour: 'Keys, auth objects made for each connection, headers and certificates reach the Server.',
      owedBy: ['agent'],
    },
    'AGT-CONNECT-05': {
      section: 'Connecting',
      behaviour: 'Office, role, version, dialect and instance are in the handshake of every connection.',
      owedBy: ['agent'],
    },
    'AGT-CONNECT-06': {
      section: 'Connecting',
      behaviour: 'A bundle for browsers needs no module of Node and works without one.',
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
      behaviour: 'agent.computers is live: Computers come, go and change in it, and none is ever seen half changed.',
      owedBy: ['agent'],
    },
    'AGT-VIEW-02': {
      section: 'Computers',
      behaviour: 'A Computer that does not give its tools is shown as failed, and neither hides nor delays the others.',
      owedBy: ['agent'],
    },
    'AGT-VIEW-03': {
      section: 'Computers',
      behaviour: 'A room or tool list that cannot be had at present is asked for again while the Agent is there.',
      owedBy: ['agent'],
    },
    'AGT-CALL-01': {
      section: 'Calls',
      behaviour: 'A tool that failed is a result with isError; everything else that fails is an SMCPError with a code.',
      owedBy: ['agent'],
    },
    'AGT-CALL-02': {
      section: 'Calls',
      behaviour: 'Aborting the signal or passing the deadline cancels the call on its Computer.',
      owedBy: ['agent'],
    },
    'AGT-CALL-03': {
      section: 'Calls',
      behaviour: 'The Agent waits longer than the Server and the Server longer than the Computer.',
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
      behaviour: 'A Server that asks for a pause (429) is asked again after it, within the deadline.',
      owedBy: ['agent'],
    },
    'AGT-CALL-06': {
      section: 'Calls',
      behaviour: 'An answer to another request is refused.',
      owedBy: ['agent'],
    },
    'AGT-CALL-07': {
      section: 'Calls',
      behaviour: 'A call to a Computer of another office is refused.',
      owedBy: ['agent'],
    },
    'AGT-BLOB-01': {
      section: 'Large results',
      behaviour: 'Parts of a result that are too large for a message are fetched in pieces and simply are there.',
      owedBy: ['agent'],
    },
    'AGT-BLOB-02': {
      section: 'Large results',
      behaviour:
        'What is fetched is bounded and checked by size and SHA-256; a part that cannot be had is an error in its place.',
      owedBy: ['agent'],
    },
    'AGT-EVENT-01': {
      section: 'Events',
      behaviour: 'Entering, leaving, configuration, tools, desktop and cancelled calls are events.',
      owedBy: ['agent'],
    },
    'AGT-EVENT-02': {
      section: 'Events',
      behaviour:
        'Announcements of one change, under either name, are one event and one fetch; the last change is never missed.',
      owedBy: ['agent'],
    },
    'AGT-EVENT-03': {
      section: 'Events',
      behaviour: 'A listener that throws disturbs neither the Agent nor other listeners.',
      owedBy: ['agent'],
    },
    'AGT-BACK-01': {
      section: 'Reconnecting',
      behaviour: 'After a lost connection the Agent joins again under its name and learns what it missed.',
      owedBy: ['agent'],
    },
    'AGT-BACK-02': {
      section: 'Reconnecting',
      behaviour:
        'Calls in flight when the connection is lost are repeated with their req_id: none is lost, none runs twice.',
      owedBy: ['agent'],
    },
    'AGT-BACK-03': {
      section: 'Reconnecting',
      behaviour: 'With retry off they fail with 503, and nothing is sent again.',
      owedBy: ['agent'],
    },
    'AGT-BACK-04': {
      section: 'Reconnecting',
      behaviour: 'An office taken over by another Agent is reported once and not fought for.',
      owedBy: ['agent'],
    },
    'AGT-BACK-05': {
      section: 'Reconnecting',
      behaviour: 'A refusal that will not change ends the Agent; one that may pass is tried again.',
      owedBy: ['agent'],
    },
    'AGT-BACK-06': {
      section: 'Reconnecting',
      behaviour: 'Where the Server may take our own lost connection for another Agent, that is waited out for a time.',
      owedBy: ['agent'],
    },
    'AGT-BACK-07': {
      section: 'Reconnecting',
      behaviour: 'A member that a balancer sent to the wrong node connects again, naming its office.',
      owedBy: ['agent'],
    },
    'AGT-BACK-08': {
      section: 'Reconnecting',
      behaviour:
        'A Computer whose connection is lost with a call is waited for, for a time, and asked again; one that left is not.',
      owedBy: ['agent'],
    },
    'AGT-NAME-01': {
      section: 'Tools for models',
      behaviour: 'Names for models are valid, unique, the same in every run, and do not depend on other Computers.',
      owedBy: ['agent'],
    },
    'AGT-NAME-02': {
      section: 'Tools for models',
      behaviour: 'A call by such a name reaches its tool.',
      owedBy: ['agent'],
    },
    'AGT-ADAPT-01': {
      section: 'Tools for models',
      behaviour: 'Tools are given in the forms of MCP, OpenAI, Anthropic and the AI SDK.',
      owedBy: ['agent'],
    },
    'AGT-PEER-01': {
      section: 'Foreign peers',
      behaviour: 'Behind the Python server the Agent works, and its silence becomes 408 in time.',
      owedBy: ['agent'],
    },
    'AGT-PEER-02': {
      section: 'Foreign peers',
      behaviour: 'Behind the Rust server wrapped answers are unwrapped and error texts become typed errors.',
      owedBy: ['agent'],
    },
    'CLI-AGENT-01': {
      section: 'Command',
      behaviour: 'room, tools, config and desktop print what they found, for people and with --json for programs.',
      owedBy: ['cli'],
    },
    'CLI-AGENT-02': {
      section: 'Command',
      behaviour: 'call prints the result, its progress on stderr, and exits with 1 when the tool or the call failed.',
      owedBy: ['cli'],
    },
    'CLI-AGENT-03': {
      section: 'Command',
      behaviour: 'Images and files of a result are written into the folder of --out, never outside and over nothing.',
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
        'cancel ends a call of another shell with the same identity and name, and says why it cannot otherwise.',
      owedBy: ['cli'],
    },
    'CLI-AGENT-06': {
      section: 'Command',
      behaviour: 'watch prints what happens in the office, line by line, until it is interrupted.',
      owedBy: ['cli'],
    },
    'CLI-AGENT-07': {
      section: 'Command',
      behaviour: 'Server, office and key come from options or the environment; what is missing or wrong exits with 2.',
      owedBy: ['cli'],
    },
    'CLI-ARGS-01': {
      section: 'Command',
      behaviour:
        'Arguments of a tool are a JSON object, a file with one, or key=value pairs typed by the tool’s schema.',
      owedBy: ['cli'],
    },
  },
} as const satisfies Ledger;
