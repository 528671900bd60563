import type { Ledger } from './requirement.js';

/** MCP in full behind the proxy: generations, capabilities, lists, errors and real clients. */
export const mcpBridge = {
  document: 'MCP in full',
  requirements: {
    'BRIDGE-CLIENT-01': {
      section: 'clients',
      behaviour:
        'A server sees the capabilities of its actual client, in every combination of generations; a server of both generations is used in that of the client.',
      owedBy: ['proxy'],
    },
    'BRIDGE-CLIENT-02': {
      section: 'clients',
      behaviour: 'Questions of one server to several clients at once reach the right ones; none is refused.',
      owedBy: ['proxy'],
    },
    'BRIDGE-CLIENT-03': {
      section: 'clients',
      behaviour:
        '`connections` of a server, `shared` or `per-client`, is read from and written to the a2c and mcpServers formats.',
      owedBy: ['config'],
    },
    'BRIDGE-CLIENT-04': {
      section: 'clients',
      behaviour: 'The roots of a client reach a server that asks for them at its start, and again after they change.',
      owedBy: ['proxy', 'cli'],
    },
    'BRIDGE-CLIENT-05': {
      section: 'clients',
      behaviour: 'A server of either generation asks a client of either generation to open a URL.',
      owedBy: ['proxy'],
    },
    'BRIDGE-CLIENT-06': {
      section: 'clients',
      behaviour: 'With `connections: per-client` each client has a connection of its own; with `shared` none has.',
      owedBy: ['proxy'],
    },
    'BRIDGE-CLIENT-07': {
      section: 'clients',
      behaviour:
        'In pass-through mode each client sees what a server lists to a client with its capabilities, also if the server lists less to others; servers with the same lists for all get no further connection.',
      owedBy: ['proxy'],
    },
    'BRIDGE-CLIENT-08': {
      section: 'clients',
      behaviour:
        'A question to a client that cannot answer it is rejected with the code of the generation of the server: -32601 or -32602, or -32021 with the missing capability.',
      owedBy: ['proxy'],
    },
    'BRIDGE-CLIENT-09': {
      section: 'clients',
      behaviour: 'A client with several calls at once gets each question once, whichever of its calls ends first.',
      owedBy: ['proxy'],
    },
    'BRIDGE-CLIENT-10': {
      section: 'clients',
      behaviour:
        'When a call changes the lists of a server on one connection, the clients of that connection are notified and see the changed tools, prompts, resources and templates; clients of other connections see theirs.',
      owedBy: ['proxy'],
    },
    'BRIDGE-CLIENT-11': {
      section: 'clients',
      behaviour:
        'A client of MCP 2026 over HTTP that listens to a resource of a 2025 server gets the updates that its own calls cause.',
      owedBy: ['proxy'],
    },
    'BRIDGE-URL-01': {
      section: 'clients',
      behaviour: 'The client that was asked to open a URL learns when the server reports that a person has finished.',
      owedBy: ['proxy'],
    },
    'BRIDGE-URL-02': {
      section: 'clients',
      behaviour:
        'A request that a 2025 server refuses with -32042 until URLs were opened becomes a question to clients of MCP 2026, and runs again; clients of 2025 get the error.',
      owedBy: ['proxy'],
    },
    'BRIDGE-URL-03': {
      section: 'clients',
      behaviour: 'A report that a person has finished at a URL counts only from the server that asked for it.',
      owedBy: ['proxy'],
    },
    'BRIDGE-START-01': {
      section: 'cold start',
      behaviour:
        'Lists, reads and prompts wait for servers that are starting, within a bound; one that starts later is announced.',
      owedBy: ['proxy'],
    },
    'BRIDGE-START-02': {
      section: 'cold start',
      behaviour:
        'A server that never starts, or starts slowly a second time, delays lists only for a bounded time; what is missing is announced later.',
      owedBy: ['proxy'],
    },
    'BRIDGE-PASS-01': {
      section: 'pass-through',
      behaviour: 'Pass-through mode forwards arguments unchecked, and the code and data of errors unchanged.',
      owedBy: ['proxy'],
    },
    'BRIDGE-PASS-02': {
      section: 'pass-through',
      behaviour:
        'Everything that a server lists reaches the client unchanged: titles, icons, annotations, `_meta`, instructions, resources of user interfaces.',
      owedBy: ['proxy'],
    },
    'BRIDGE-PASS-03': {
      section: 'pass-through',
      behaviour: 'The extensions of servers are announced, and requests that only an extension defines reach them.',
      owedBy: ['proxy'],
    },
    'BRIDGE-PASS-04': {
      section: 'pass-through',
      behaviour:
        'Cancellation reasons, `_meta` of notifications, `experimental` capabilities and error codes keep their meaning in the generation of the other side.',
      owedBy: ['proxy'],
    },
    'BRIDGE-NAME-01': {
      section: 'names',
      behaviour:
        'The names of tools depend on the configuration and on the last known list of every server, not on which servers run.',
      owedBy: ['proxy'],
    },
    'BRIDGE-NAME-02': {
      section: 'names',
      behaviour: 'Resources of several servers with the same URI can all be read; those after the first are renamed.',
      owedBy: ['proxy'],
    },
    'BRIDGE-NAME-03': {
      section: 'names',
      behaviour:
        'A URI that no server lists is read from a server with a matching template, or else from one that can read it; a server that does not answer does not block the others.',
      owedBy: ['proxy'],
    },
    'BRIDGE-LOG-01': {
      section: 'logging',
      behaviour:
        'Log messages of a call reach its client at the level it asked for, also while another client owes an answer.',
      owedBy: ['proxy'],
    },
    'BRIDGE-LOG-02': {
      section: 'logging',
      behaviour:
        'No log message is lost: one that may belong to several clients reaches each of them, and one outside of calls reaches all, at the level each asked for.',
      owedBy: ['proxy'],
    },
    'BRIDGE-REAL-01': {
      section: 'real clients',
      behaviour:
        'Real MCP clients of npm and PyPI, each started once and cold, see the same lists and results on stdio and HTTP as without a2c.',
      owedBy: ['proxy'],
    },
    'BRIDGE-TASK-01': {
      section: 'tasks',
      behaviour:
        'Tasks of MCP 2025-11-25 pass: capability, task-augmented calls, their requests, questions and notifications; a task belongs to the client that began it.',
      owedBy: ['proxy'],
    },
    'BRIDGE-TASK-02': {
      section: 'tasks',
      behaviour:
        'The extension of MCP 2026-07-28 for tasks passes, and a tool that runs only as a task of an older server can be called by clients without tasks.',
      owedBy: ['proxy'],
    },
    'BRIDGE-TASK-03': {
      section: 'tasks',
      behaviour: 'The conformance scenarios of the extension for tasks have the score of the server behind the proxy.',
      owedBy: ['proxy'],
    },
    'BRIDGE-TASK-05': {
      section: 'tasks',
      behaviour:
        'A request about a task that the client does not have fails with invalid parameters and names the task.',
      owedBy: ['proxy'],
    },
    'SEC-URI-01': {
      section: 'names',
      behaviour:
        'A resource of one server never takes over a URI of another one that lists it, has a template for it, or was read from: it is renamed. Links in a result count only for the client that got it.',
      owedBy: ['proxy'],
    },
    'SEC-URI-02': {
      section: 'names',
      behaviour:
        'A URI that several servers list or have templates for belongs to the first of them in the configuration, in lists, reads, subscriptions, completions and links. What a server lists is never answered by another one: it is shown as `uri#server` if the URI belongs to another server. A tool gives its server only URIs of user interfaces.',
      owedBy: ['proxy'],
    },
    'SEC-PROMPT-01': {
      section: 'names',
      behaviour:
        '`inspect` without a server gets a prompt from the only server that lists it. The arguments go to no other server. If several list it, the error names them.',
      owedBy: ['proxy'],
    },
    'SEC-TASK-01': {
      section: 'tasks',
      behaviour:
        'A task belongs to the server that began it: clients know it by an id that names its server, so that no other server can answer for it with the same id, and the clients of two tasks with the same id do not disturb each other.',
      owedBy: ['proxy'],
    },
    'BRIDGE-TASK-04': {
      section: 'tasks',
      behaviour:
        'A client that does not know the tasks of MCP 2026-07-28 gets the result of a tool that runs as such a task, and is asked what the task asks.',
      owedBy: ['proxy'],
    },
    'BRIDGE-CONFORM-01': {
      section: 'conformance',
      behaviour: 'The shipped program has the score of the server behind it in all suites of three protocol versions.',
      owedBy: ['proxy'],
    },
    'BRIDGE-CONFORM-02': {
      section: 'conformance',
      behaviour: 'The suites pass also with crossed generations, and again on the same process.',
      owedBy: ['proxy'],
    },
    'BRIDGE-CONFORM-03': {
      section: 'conformance',
      behaviour:
        'Towards servers, the shipped program passes the client scenarios about tools, questions, request metadata, and standard and custom headers.',
      owedBy: ['proxy'],
    },
  },
} as const satisfies Ledger;
