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
        'A server goes from initialized to connected to disconnected, from any state to error, and from any state to initialized.',
      owedBy,
    },
    'HUB-STATE-02': {
      section: 'state machine',
      behaviour: 'Any other transition is refused and changes nothing.',
      owedBy,
    },
    'HUB-STATE-03': { section: 'state machine', behaviour: 'Every change of state is emitted once, in order.', owedBy },
    'HUB-STATE-04': {
      section: 'state machine',
      behaviour: 'The cause and the time of the last failure are available, with the last lines of the child’s stderr.',
      owedBy,
    },

    // ── Life cycle ──
    'HUB-LIFE-01': {
      section: 'life cycle',
      behaviour: '`initialize` stops all existing servers and adds the given ones.',
      owedBy,
    },
    'HUB-LIFE-02': {
      section: 'life cycle',
      behaviour: 'Without `autoConnect`, no server starts automatically.',
      owedBy,
    },
    'HUB-LIFE-03': {
      section: 'life cycle',
      behaviour:
        'Fifty servers, ten of them broken, start in parallel, each with its own deadline; a failure does not affect the others.',
      owedBy,
    },
    'HUB-LIFE-04': { section: 'life cycle', behaviour: 'A disabled server is never started, even on request.', owedBy },
    'HUB-LIFE-05': { section: 'life cycle', behaviour: 'Starting a running server changes nothing.', owedBy },
    'HUB-LIFE-06': {
      section: 'life cycle',
      behaviour: 'A stopped server stays stopped, and a call to it reports that.',
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
      behaviour:
        'Without `autoReconnect`, the update of a running server is refused; that of a stopped one is accepted.',
      owedBy,
    },
    'HUB-LIFE-10': {
      section: 'life cycle',
      behaviour: 'The error for an unknown server suggests the nearest known name.',
      owedBy,
    },
    'HUB-LIFE-11': {
      section: 'life cycle',
      behaviour: 'Operations on one server run in order and do not wait for those on other servers.',
      owedBy,
    },
    'HUB-LIFE-12': {
      section: 'life cycle',
      behaviour: 'Stopping a server that is starting aborts the start at once.',
      owedBy,
    },
    'HUB-LIFE-13': {
      section: 'life cycle',
      behaviour: '`close` stops all children in parallel and leaves no process behind.',
      owedBy,
    },
    'HUB-LIFE-14': {
      section: 'life cycle',
      behaviour: 'Two hundred cycles of start and stop leave no process behind and do not increase handles or memory.',
      owedBy,
    },
    'HUB-LIFE-15': {
      section: 'life cycle',
      behaviour: 'An untrusted server is neither spawned nor connected to.',
      owedBy,
    },
    'HUB-LIFE-16': {
      section: 'life cycle',
      behaviour: 'Placeholders are replaced immediately before a start; the shown configuration keeps them.',
      owedBy,
    },

    // ── Reconnection ──
    'HUB-BACK-01': {
      section: 'reconnection',
      behaviour: 'A server whose connection is lost is reconnected with exponential backoff and jitter.',
      owedBy,
    },
    'HUB-BACK-02': { section: 'reconnection', behaviour: 'A call reconnects a disconnected server at once.', owedBy },
    'HUB-BACK-03': {
      section: 'reconnection',
      behaviour: 'Without `autoReconnect` it stays disconnected, and a call reports the cause.',
      owedBy,
    },
    'HUB-BACK-04': {
      section: 'reconnection',
      behaviour: 'A failure that only a person can fix is not retried.',
      owedBy,
    },
    'HUB-BACK-05': {
      section: 'reconnection',
      behaviour:
        'An expired HTTP session is renewed, and the request is repeated once. It is not repeated if HTTP 404 has a JSON-RPC answer to it: the server may have processed it.',
      owedBy,
    },

    // ── Tools ──
    'HUB-TOOLS-01': { section: 'tool table', behaviour: 'One malformed tool does not hide the others.', owedBy },
    'HUB-TOOLS-02': { section: 'tool table', behaviour: 'All pages are read; an endless list is cut.', owedBy },
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
      behaviour:
        '`tool_meta`, with `default_tool_meta` as its defaults, is attached to the tool and to every result as `a2c_tool_meta`.',
      owedBy,
    },
    'HUB-TOOLS-06': {
      section: 'tool table',
      behaviour:
        'Adding a server whose tool name is already in use throws `ToolNameDuplicatedError` and changes nothing.',
      owedBy,
    },
    'HUB-TOOLS-07': {
      section: 'tool table',
      behaviour: 'An update that causes a conflict throws and leaves the old configuration running.',
      owedBy,
    },
    'HUB-TOOLS-08': {
      section: 'tool table',
      behaviour:
        'Of two servers with the same tool name, the first in configuration order has it, whichever starts first; the other is listed as `server.tool`, and both can be called as `server.tool` and `server/tool`.',
      owedBy,
    },
    'HUB-TOOLS-09': {
      section: 'tool table',
      behaviour: 'The table is rebuilt on `tools/list_changed`, and a change event is emitted only if it differs.',
      owedBy,
    },
    'HUB-TOOLS-10': {
      section: 'tool table',
      behaviour: 'A returned list does not change: the table is replaced as a whole.',
      owedBy,
    },
    'HUB-TOOLS-11': { section: 'tool table', behaviour: '`toolStats` counts the tools of each server.', owedBy },

    // ── Calls ──
    'HUB-CALL-01': {
      section: 'calls',
      behaviour:
        'Invalid arguments are refused before the server receives them; the error names parameter, expected value and signature.',
      owedBy,
    },
    'HUB-CALL-02': {
      section: 'calls',
      behaviour: 'The deadline is enforced, and a call that exceeds it is cancelled on the server.',
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
      behaviour: 'Results are returned completely: unknown blocks, structured content of any type, metadata.',
      owedBy,
    },
    'HUB-CALL-06': {
      section: 'calls',
      behaviour:
        'A VRL script receives result, tool name and parameters; its output is JSON text in `a2c_vrl_transformed`, and the result is unchanged.',
      owedBy,
    },
    'HUB-CALL-07': {
      section: 'calls',
      behaviour:
        'A failing script causes only a warning; a script that does not compile prevents the start of the server.',
      owedBy,
    },
    'HUB-CALL-08': {
      section: 'calls',
      behaviour: 'A server runs a limited number of calls; a limited number is queued; further calls are refused.',
      owedBy,
    },
    'HUB-CALL-15': {
      section: 'calls',
      behaviour: 'An answer belongs to the call with its id, also if the id is text; answers to no call are ignored.',
      owedBy,
    },
    'HUB-CALL-09': {
      section: 'calls',
      behaviour:
        'When a server exits during a call, the call fails at once with the cause; the next call restarts the server.',
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
      behaviour: 'All `window://` resources of all servers are listed by priority and can be filtered by URI.',
      owedBy,
    },
    'HUB-WIN-02': {
      section: 'windows',
      behaviour: 'Window contents are read; a window that cannot be read is listed with its error.',
      owedBy,
    },
    'HUB-WIN-03': {
      section: 'windows',
      behaviour: 'Windows are subscribed to once, and unsubscribed from when they disappear.',
      owedBy,
    },
    'HUB-WIN-04': {
      section: 'windows',
      behaviour: 'A change of a window, or of the set of windows, is an event.',
      owedBy,
    },
    'HUB-WIN-05': {
      section: 'windows',
      behaviour: 'A slow or failing server affects only its own windows.',
      owedBy,
    },

    // ── The rest of MCP ──
    'HUB-MCP-01': {
      section: 'resources and prompts',
      behaviour: 'Resources, resource templates and prompts can be listed and read.',
      owedBy,
    },
    'HUB-MCP-02': {
      section: 'server requests',
      behaviour:
        'Elicitation and sampling requests reach the handler of the caller if only one call can be meant, otherwise the handler of the hub.',
      owedBy,
    },
    'HUB-MCP-03': {
      section: 'server requests',
      behaviour: 'Without a handler the capability is not declared, and a server request is refused with an error.',
      owedBy,
    },
    'HUB-MCP-08': {
      section: 'resources and prompts',
      behaviour:
        'A resource is subscribed to once regardless of the number of subscribers, independent of the windows, and again after a reconnect.',
      owedBy,
    },
    'HUB-MCP-04': { section: 'events', behaviour: 'Log messages and list changes of servers become events.', owedBy },
    'HUB-MCP-05': { section: 'requests', behaviour: 'Any request and any notification can be sent.', owedBy },
    'HUB-MCP-06': {
      section: 'generations',
      behaviour:
        'server-everything and server-filesystem work over stdio, Streamable HTTP and SSE, in each generation they support.',
      owedBy,
    },
    'HUB-MCP-07': {
      section: 'generations',
      behaviour: 'The generation is negotiated without a second process, and stored with the configuration.',
      owedBy,
    },

    'HUB-GEN-01': {
      section: 'generations',
      behaviour:
        'In the newer generation, changes are received through one subscription, which is replaced when the set of windows changes.',
      owedBy,
    },
    'HUB-GEN-02': {
      section: 'generations',
      behaviour:
        'In the newer generation, a server request inside a result reaches the same handlers, and the call continues.',
      owedBy,
    },
    'HUB-GEN-03': {
      section: 'generations',
      behaviour: 'Parameters that a server of the newer generation expects as HTTP headers are sent as headers.',
      owedBy,
    },

    // ── Cache and lazy start ──
    'HUB-CACHE-01': {
      section: 'cache',
      behaviour: 'Tools of an earlier run are listed before the server has started.',
      owedBy,
    },
    'HUB-CACHE-02': {
      section: 'cache',
      behaviour:
        'A cache entry of another configuration, a damaged or an expired one is ignored; cache files are readable by their owner only.',
      owedBy,
    },
    'HUB-CACHE-03': {
      section: 'cache',
      behaviour:
        'A server with cached tools is started after `startAfter`. Its tools are listed, and calls wait. Others start at once.',
      owedBy,
    },
    'HUB-CACHE-04': {
      section: 'cache',
      behaviour: 'Tools that a server lists as before stay the same objects, also when other servers change.',
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
      behaviour: '`servers` shows the configured servers with masked secrets, and starts none.',
      owedBy: ['cli'],
    },
    'HUB-CLI-02': {
      section: 'a2c mcp',
      behaviour:
        '`tools`, `resources` and `prompts` list one server or all; a broken server is listed with its error, and the exit code is 1.',
      owedBy: ['cli'],
    },
    'HUB-CLI-03': {
      section: 'a2c mcp',
      behaviour:
        '`call` accepts a JSON object, a file or pairs, prints the result, and exits with 1 when the tool failed.',
      owedBy: ['cli'],
    },
    'HUB-CLI-04': {
      section: 'a2c mcp',
      behaviour: '`read`, `request` and `notify` send the corresponding MCP messages.',
      owedBy: ['cli'],
    },
    'HUB-CLI-05': {
      section: 'a2c mcp',
      behaviour: 'stdout is exactly one JSON document, on one line with `--json`; all other output is on stderr.',
      owedBy: ['cli'],
    },
    'HUB-CLI-06': {
      section: 'a2c mcp',
      behaviour:
        'No untrusted server is started, even with `--config`; the error names the options that allow it, and the exit code is 2.',
      owedBy: ['cli'],
    },
    'HUB-CLI-07': {
      section: 'a2c mcp',
      behaviour: 'No child process remains when the command exits, also after a signal.',
      owedBy: ['cli'],
    },
    'HUB-GEN-04': {
      section: 'generations',
      behaviour:
        'A slow server of either generation connects in its own generation at the first attempt: its answers decide, not the time it takes.',
      owedBy,
    },
    'HUB-CALL-14': {
      section: 'calls',
      behaviour:
        'A call over HTTP lives until its own deadline, whatever the HTTP timeouts; a late answer fails one request and no other.',
      owedBy,
    },
    'HUB-LIFE-20': {
      section: 'start',
      behaviour:
        'A start may take as long as the program writes to stderr or may download a package, within a limit; `start_timeout` of a server replaces these limits; the status shows what the server does.',
      owedBy,
    },
    'HUB-LIFE-21': {
      section: 'start',
      behaviour: 'A hundred servers, and many calls with one signal, leave no listener behind and cause no warning.',
      owedBy,
    },
    'HUB-STATE-07': {
      section: 'errors',
      behaviour:
        'A program that exits during the start is reported with its exit code, the line of stderr that names the error or the failed download, and its stderr in the diagnostics. It is not attributed to certificates if the registry has answered.',
      owedBy,
    },
    'HUB-STATE-08': {
      section: 'errors',
      behaviour: 'Programs, working directories and other paths in errors are shown; only secrets are redacted.',
      owedBy,
    },
    'HUB-CLI-08': {
      section: 'a2c mcp',
      behaviour: 'Without a configuration, `--stdio COMMAND` or `--url URL` gives the server; it is trusted.',
      owedBy: ['cli'],
    },
  },
} as const satisfies Ledger;
