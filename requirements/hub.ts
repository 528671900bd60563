import type { Ledger } from './requirement.js';

const owedBy = ['hub'] as const;

/** The pool of MCP connections, method by method. */
export const hub = {
  document: 'The hub: MCPServerManager',
  requirements: {
    // ── State ──
    'HUB-STATE-01': {
      section: 'state machine',
      behaviour:
        'A server goes initialized → connected → disconnected, from anywhere to error, from anywhere to initialized.',
      owedBy,
    },
    'HUB-STATE-02': { section: 'state machine', behaviour: 'Any other step is refused and changes nothing.', owedBy },
    'HUB-STATE-03': { section: 'state machine', behaviour: 'Every change of state is emitted once, in order.', owedBy },
    'HUB-STATE-04': {
      section: 'state machine',
      behaviour: 'The cause and the time of the last failure are visible, with the end of the stderr of the child.',
      owedBy,
    },

    // ── Life ──
    'HUB-LIFE-01': {
      section: 'life cycle',
      behaviour: '`initialize` ends every server there was and takes the given ones.',
      owedBy,
    },
    'HUB-LIFE-02': { section: 'life cycle', behaviour: 'Without `autoConnect` nothing starts by itself.', owedBy },
    'HUB-LIFE-03': {
      section: 'life cycle',
      behaviour:
        'Fifty servers, ten of them broken, start side by side, each within its own deadline; a failure changes nothing for the rest.',
      owedBy,
    },
    'HUB-LIFE-04': { section: 'life cycle', behaviour: 'A disabled server is never started, also when asked.', owedBy },
    'HUB-LIFE-05': { section: 'life cycle', behaviour: 'Starting a server that runs changes nothing.', owedBy },
    'HUB-LIFE-06': {
      section: 'life cycle',
      behaviour: 'A stopped server stays stopped; a call fails with that reason.',
      owedBy,
    },
    'HUB-LIFE-07': { section: 'life cycle', behaviour: 'A server can be added and removed at run time.', owedBy },
    'HUB-LIFE-08': {
      section: 'life cycle',
      behaviour: 'Updating a running server restarts it with the new configuration.',
      owedBy,
    },
    'HUB-LIFE-09': {
      section: 'life cycle',
      behaviour: 'Without `autoReconnect` an update of a running server is refused; of a stopped one it is taken.',
      owedBy,
    },
    'HUB-LIFE-10': {
      section: 'life cycle',
      behaviour: 'An unknown server is an error that names the nearest known one.',
      owedBy,
    },
    'HUB-LIFE-11': {
      section: 'life cycle',
      behaviour: 'Operations on one server keep their order; those on others do not wait.',
      owedBy,
    },
    'HUB-LIFE-12': {
      section: 'life cycle',
      behaviour: 'Stopping a server that is starting ends the start at once.',
      owedBy,
    },
    'HUB-LIFE-13': {
      section: 'life cycle',
      behaviour: '`close` ends all children side by side and leaves no process.',
      owedBy,
    },
    'HUB-LIFE-14': {
      section: 'life cycle',
      behaviour: 'Two hundred cycles of start and stop leave no process and no growth in handles or memory.',
      owedBy,
    },
    'HUB-LIFE-15': {
      section: 'life cycle',
      behaviour: 'Untrusted servers are neither started nor connected to.',
      owedBy,
    },
    'HUB-LIFE-16': {
      section: 'life cycle',
      behaviour: 'Placeholders are filled in right before a start; what is shown stays as written.',
      owedBy,
    },

    // ── Coming back ──
    'HUB-BACK-01': {
      section: 'reconnection',
      behaviour: 'A lost server comes back by itself, after a wait that grows and varies.',
      owedBy,
    },
    'HUB-BACK-02': { section: 'reconnection', behaviour: 'A call brings a lost server back at once.', owedBy },
    'HUB-BACK-03': {
      section: 'reconnection',
      behaviour: 'Without `autoReconnect` it stays disconnected, and a call fails with the cause.',
      owedBy,
    },
    'HUB-BACK-04': { section: 'reconnection', behaviour: 'What only a person can mend is not tried again.', owedBy },
    'HUB-BACK-05': {
      section: 'reconnection',
      behaviour: 'An HTTP session the server forgot is renewed, and the request asked once more.',
      owedBy,
    },

    // ── Tools ──
    'HUB-TOOLS-01': { section: 'tool table', behaviour: 'One odd tool hides none of the others.', owedBy },
    'HUB-TOOLS-02': { section: 'tool table', behaviour: 'All pages are read; a list without end is cut.', owedBy },
    'HUB-TOOLS-03': {
      section: 'tool table',
      behaviour: 'A tool is listed and called by its alias; its own name works too while only one tool has it.',
      owedBy,
    },
    'HUB-TOOLS-04': {
      section: 'tool table',
      behaviour: 'A forbidden tool is hidden and refused, by its name and by its alias.',
      owedBy,
    },
    'HUB-TOOLS-05': {
      section: 'tool table',
      behaviour: '`default_tool_meta` under `tool_meta` goes with the tool and with every result as `a2c_tool_meta`.',
      owedBy,
    },
    'HUB-TOOLS-06': {
      section: 'tool table',
      behaviour: 'Adding a server whose tool name is taken throws `ToolNameDuplicatedError` and changes nothing.',
      owedBy,
    },
    'HUB-TOOLS-07': {
      section: 'tool table',
      behaviour: 'Updating a server into a conflict throws and leaves the old configuration running.',
      owedBy,
    },
    'HUB-TOOLS-08': {
      section: 'tool table',
      behaviour: 'When servers start with one name twice, the first has it, and both can be called by server.',
      owedBy,
    },
    'HUB-TOOLS-09': {
      section: 'tool table',
      behaviour: 'The table is rebuilt on `tools/list_changed`, and a real change is emitted.',
      owedBy,
    },
    'HUB-TOOLS-10': {
      section: 'tool table',
      behaviour: 'A list once handed out does not change: the table is swapped whole.',
      owedBy,
    },
    'HUB-TOOLS-11': { section: 'tool table', behaviour: '`toolStats` counts the tools of each server.', owedBy },

    // ── Calls ──
    'HUB-CALL-01': {
      section: 'calls',
      behaviour:
        'Arguments that do not fit are refused before the server sees them, naming parameter, expectation and signature.',
      owedBy,
    },
    'HUB-CALL-02': {
      section: 'calls',
      behaviour: 'The deadline is real, and a call that passed it is cancelled at the server.',
      owedBy,
    },
    'HUB-CALL-03': {
      section: 'calls',
      behaviour: 'Aborting a call sends `notifications/cancelled` to the server.',
      owedBy,
    },
    'HUB-CALL-04': { section: 'calls', behaviour: 'Progress is passed on.', owedBy },
    'HUB-CALL-05': {
      section: 'calls',
      behaviour: 'Results are kept whole: unknown blocks, structured content of any kind, metadata.',
      owedBy,
    },
    'HUB-CALL-06': {
      section: 'calls',
      behaviour:
        'A VRL script sees result, tool name and parameters; what it makes is JSON text in `a2c_vrl_transformed`, the result stays.',
      owedBy,
    },
    'HUB-CALL-07': {
      section: 'calls',
      behaviour: 'A script that fails costs a warning only; one that does not compile keeps the server from starting.',
      owedBy,
    },
    'HUB-CALL-08': {
      section: 'calls',
      behaviour: 'A server works on a limited number of calls; a limited number waits; more are refused.',
      owedBy,
    },
    'HUB-CALL-09': {
      section: 'calls',
      behaviour: 'A server that dies during a call fails it at once with the cause; the next call restarts it.',
      owedBy,
    },
    'HUB-CALL-12': {
      section: 'calls',
      behaviour:
        'Consent is asked for every call after the arguments were checked and before the tool runs; a refusal, a timeout and a failure are errors of their own kind, and the time counts against the deadline.',
      owedBy,
    },
    'HUB-EXT-01': {
      section: 'extension',
      behaviour: 'A transport that is registered from outside passes the suite of the built-in transports.',
      owedBy,
    },
    'HUB-EXT-02': {
      section: 'extension',
      behaviour: 'The option `clients` registers a client for a transport type, new or built-in.',
      owedBy,
    },
    'HUB-EXT-03': {
      section: 'extension',
      behaviour: 'A custom transport needs a registered client and a trusted configuration.',
      owedBy,
    },
    'HUB-CALL-10': {
      section: 'calls',
      behaviour: 'A JSON-RPC error keeps its code, text and data; a failed tool is a result.',
      owedBy,
    },
    'HUB-CALL-11': { section: 'calls', behaviour: 'Trace context and other metadata reach the server.', owedBy },

    // ── Windows ──
    'HUB-WIN-01': {
      section: 'windows',
      behaviour: 'All `window://` resources of all servers are listed, by priority, and can be filtered by URI.',
      owedBy,
    },
    'HUB-WIN-02': {
      section: 'windows',
      behaviour: 'Their contents are read; a window that cannot be read stays, with an error text.',
      owedBy,
    },
    'HUB-WIN-03': {
      section: 'windows',
      behaviour: 'Windows are subscribed to once, and unsubscribed from when they vanish.',
      owedBy,
    },
    'HUB-WIN-04': {
      section: 'windows',
      behaviour: 'A change of a window, or of the set of windows, is an event.',
      owedBy,
    },
    'HUB-WIN-05': {
      section: 'windows',
      behaviour: 'A server that is slow or fails costs its own windows only.',
      owedBy,
    },

    // ── The rest of MCP ──
    'HUB-MCP-01': {
      section: 'resources and prompts',
      behaviour: 'Resources, templates and prompts are listed, read and got.',
      owedBy,
    },
    'HUB-MCP-02': {
      section: 'questions',
      behaviour:
        'Elicitation and sampling reach the owner’s handler, or the caller’s where only one call can be meant.',
      owedBy,
    },
    'HUB-MCP-03': {
      section: 'questions',
      behaviour: 'Without a handler the capability is not declared and the server request is refused.',
      owedBy,
    },
    'HUB-MCP-08': {
      section: 'resources and prompts',
      behaviour:
        'A resource is subscribed to once, however many callers and windows need it, and again after a reconnect.',
      owedBy,
    },
    'HUB-MCP-04': { section: 'events', behaviour: 'Server logs and changes of lists become events.', owedBy },
    'HUB-MCP-05': { section: 'requests', behaviour: 'Any request and any notification can be sent.', owedBy },
    'HUB-MCP-06': {
      section: 'generations',
      behaviour:
        'server-everything and server-filesystem work over stdio, streamable HTTP and SSE, in each generation they speak.',
      owedBy,
    },
    'HUB-MCP-07': {
      section: 'generations',
      behaviour: 'The generation is found on the one process that is started, and remembered with the configuration.',
      owedBy,
    },

    'HUB-GEN-01': {
      section: 'generations',
      behaviour: 'In the modern generation changes come through one subscription, which a new set of windows replaces.',
      owedBy,
    },
    'HUB-GEN-02': {
      section: 'generations',
      behaviour:
        'In the modern generation an input request in a result reaches the same handlers, and the call goes on.',
      owedBy,
    },
    'HUB-GEN-03': {
      section: 'generations',
      behaviour: 'Parameters that a modern server marks are sent as HTTP headers.',
      owedBy,
    },

    // ── Memory and rest ──
    'HUB-CACHE-01': {
      section: 'cache',
      behaviour: 'Tools of an earlier run are listed before the server has started.',
      owedBy,
    },
    'HUB-CACHE-02': {
      section: 'cache',
      behaviour: 'Another configuration, a damaged file or an old one is not used; the files are their owner’s alone.',
      owedBy,
    },
    'HUB-LAZY-01': {
      section: 'lazy start',
      behaviour: 'A lazy server whose tools are known starts on the first call.',
      owedBy,
    },
    'HUB-LAZY-02': {
      section: 'lazy start',
      behaviour: 'It stops after its idle time and starts again on the next call.',
      owedBy,
    },

    // ── From a shell ──
    'HUB-CLI-01': {
      section: 'a2c mcp',
      behaviour: '`servers` shows what is configured, secrets masked, and starts nothing.',
      owedBy: ['cli'],
    },
    'HUB-CLI-02': {
      section: 'a2c mcp',
      behaviour:
        '`tools`, `resources` and `prompts` list one server or all, a broken one with its error; exit code 1 then.',
      owedBy: ['cli'],
    },
    'HUB-CLI-03': {
      section: 'a2c mcp',
      behaviour: '`call` takes a JSON object, a file or pairs, prints the result, and exits 1 when the tool failed.',
      owedBy: ['cli'],
    },
    'HUB-CLI-04': { section: 'a2c mcp', behaviour: '`read`, `request` and `notify` do what MCP can.', owedBy: ['cli'] },
    'HUB-CLI-05': {
      section: 'a2c mcp',
      behaviour: 'stdout is exactly one JSON document, on one line with `--json`; all else is on stderr.',
      owedBy: ['cli'],
    },
    'HUB-CLI-06': {
      section: 'a2c mcp',
      behaviour:
        'Nothing untrusted is started, also with `--config`; the error says what allows it, and the exit code is 2.',
      owedBy: ['cli'],
    },
    'HUB-CLI-07': {
      section: 'a2c mcp',
      behaviour: 'No child is left when the command ends, also by a signal.',
      owedBy: ['cli'],
    },
  },
} as const satisfies Ledger;
