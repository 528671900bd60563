import type { Ledger } from './requirement.js';

/** Requirements on the wire beyond the document, for interoperability with the published peers. */
export const wire = {
  document: 'Behaviour of the shipped A2C-SMCP peers',
  requirements: {
    'WIRE-EVENT-01': {
      section: 'events',
      behaviour: '`server:update_tool_list`, `notify:update_tool_list` and `server:list_room` exist, as in every peer.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'WIRE-EVENT-02': {
      section: 'events',
      behaviour: 'Five events have two names; both are accepted, and each peer is addressed in its own dialect.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'WIRE-TYPE-01': {
      section: 'types',
      behaviour: 'Wrong event names, payloads and acknowledgements do not compile, in each of the four directions.',
      owedBy: ['protocol'],
    },
    'WIRE-TYPE-02': {
      section: 'types',
      behaviour: 'The event maps work with real Socket.IO servers and clients, and payloads arrive unchanged.',
      owedBy: ['protocol'],
    },
    'WIRE-NORM-01': { section: 'requests', behaviour: '`robot_id` is read as `agent`.', owedBy: ['protocol'] },
    'WIRE-NORM-02': { section: 'requests', behaviour: 'Null in an optional field means absent.', owedBy: ['protocol'] },
    'WIRE-NORM-03': {
      section: 'requests',
      behaviour: '`timeout` may be a decimal string or a float; it becomes whole seconds with a default and a maximum.',
      owedBy: ['protocol'],
    },
    'WIRE-NORM-04': {
      section: 'answers',
      behaviour: '`isError` and `is_error`, `meta` and `_meta`, `mimeType` and `mime_type` are synonyms.',
      owedBy: ['protocol'],
    },
    'WIRE-NORM-05': {
      section: 'answers',
      behaviour: '`{"Ok": …}` and `{"Err": …}` wrappers and one-element arrays are removed.',
      owedBy: ['protocol'],
    },
    'WIRE-NORM-06': {
      section: 'answers',
      behaviour: 'The acknowledgement of a join has two arguments, and its error text starts with the code.',
      owedBy: ['protocol'],
    },
    'WIRE-NORM-07': {
      section: 'answers',
      behaviour: 'An empty answer is an error, not an empty result.',
      owedBy: ['protocol', 'server', 'agent'],
    },
    'WIRE-NORM-08': {
      section: 'answers',
      behaviour: 'The rows of server states of the Rust Computer are read as servers by name.',
      owedBy: ['protocol'],
    },
    'WIRE-ERR-01': {
      section: 'errors',
      behaviour: 'Every specific code maps to its generic code and is sent in `details.a2c_code`.',
      owedBy: ['protocol'],
    },
    'WIRE-ERR-02': {
      section: 'errors',
      behaviour: 'Readers of nested errors, flat errors and MCP results can all read one answer.',
      owedBy: ['protocol'],
    },
    'WIRE-ERR-03': {
      section: 'errors',
      behaviour: 'The error of any peer is parsed to a typed error.',
      owedBy: ['protocol'],
    },
    'WIRE-ERR-04': {
      section: 'errors',
      behaviour: 'Internal failures become 500 without their message.',
      owedBy: ['protocol', 'server', 'computer'],
    },
    'WIRE-VER-01': {
      section: 'version',
      behaviour: 'The version is read from the query, from `auth` or from the first payload; it may be absent.',
      owedBy: ['protocol'],
    },
    'WIRE-VER-02': {
      section: 'version',
      behaviour:
        'Below 1.0 the minor versions must be equal; from 1.0 on the client’s may be lower; patches are ignored.',
      owedBy: ['protocol'],
    },
    'WIRE-VER-03': {
      section: 'version',
      behaviour:
        'The lenient policy serves 0.1 to 0.4 and peers without a version; the strict one requires a compatible version.',
      owedBy: ['protocol', 'server'],
    },
    'WIRE-VER-04': {
      section: 'version',
      behaviour:
        'A version refusal is HTTP 400 with four versions and a header, for polling and for websocket upgrades.',
      owedBy: ['protocol', 'server'],
    },
    'WIRE-VER-05': {
      section: 'version',
      behaviour: 'A client with a refused version stops retrying and reports both versions.',
      owedBy: ['protocol', 'agent', 'computer'],
    },
    'WIRE-DIALECT-01': {
      section: 'version',
      behaviour: 'The dialect is the one that a peer declares, or otherwise that of the event names it uses.',
      owedBy: ['protocol', 'server'],
    },
    'WIRE-TOOL-01': { section: 'tools', behaviour: 'A tool is listed under its alias.', owedBy: ['protocol'] },
    'WIRE-TOOL-02': {
      section: 'tools',
      behaviour: '`meta` contains scalars only; everything else is JSON text.',
      owedBy: ['protocol'],
    },
    'WIRE-TOOL-03': {
      section: 'tools',
      behaviour:
        'MCP annotations are sent as JSON text under `MCP_TOOL_ANNOTATION`, the tool meta under `a2c_tool_meta`.',
      owedBy: ['protocol'],
    },
    'WIRE-TOOL-04': {
      section: 'tools',
      behaviour: '`return_schema` is always present, and `description` is always a string.',
      owedBy: ['protocol'],
    },
    'WIRE-TOOL-05': {
      section: 'tools',
      behaviour:
        'Default and own tool meta are merged field by field; null does not erase; a default alias is ignored.',
      owedBy: ['protocol'],
    },
    'WIRE-TOOL-06': {
      section: 'tools',
      behaviour: 'A result is written with `meta` at the top level, keeps everything else, and reads back the same.',
      owedBy: ['protocol'],
    },
    'WIRE-TOOL-07': {
      section: 'tools',
      behaviour:
        'A tool list names the MCP server of each tool under `a2c_server`; a server cannot claim another name.',
      owedBy: ['protocol', 'computer'],
    },
    'WIRE-WIN-01': {
      section: 'desktop',
      behaviour: 'Window URIs are parsed and built by the grammar; an invalid one is rejected with the reason.',
      owedBy: ['protocol'],
    },
    'WIRE-WIN-02': {
      section: 'desktop',
      behaviour: 'Window metadata of both generations is read; that of the resource precedes that of the URI.',
      owedBy: ['protocol'],
    },
    'WIRE-DESK-01': {
      section: 'desktop',
      behaviour: 'Servers are ordered by most recent use, then by name; windows by priority.',
      owedBy: ['protocol'],
    },
    'WIRE-DESK-02': {
      section: 'desktop',
      behaviour: 'A server with fullscreen windows shows one of them alone; the generation decides which.',
      owedBy: ['protocol'],
    },
    'WIRE-DESK-03': {
      section: 'desktop',
      behaviour: 'The size limits the number of windows; zero or less means none.',
      owedBy: ['protocol'],
    },
    'WIRE-DESK-04': {
      section: 'desktop',
      behaviour: 'Empty and invalid windows are left out; the others are shown as URI and text.',
      owedBy: ['protocol'],
    },
    'WIRE-DESK-05': {
      section: 'desktop',
      behaviour: 'A window filter matches the exact URI first, then an equivalent URI.',
      owedBy: ['protocol'],
    },
    'WIRE-BLOB-01': {
      section: 'events',
      behaviour:
        '`client:get_blob` fetches, in chunks, parts of a result that are too large for one message, if the Agent sent `accept_blobs`.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'WIRE-CONN-01': {
      section: 'connecting',
      behaviour:
        'Every member checks the address of a Server in the same way: scheme, path, no credentials, TLS for remote hosts.',
      owedBy: ['link', 'agent', 'computer'],
    },
    'WIRE-CONN-02': {
      section: 'connecting',
      behaviour: 'A failed connection is reported with its reason, and retried only if the refusal is not final.',
      owedBy: ['link', 'agent', 'computer'],
    },
    'WIRE-PENDING-01': {
      section: 'connecting',
      behaviour:
        'A request that waits for its answer ends at its deadline. Many of them need one timer, and leave nothing behind in memory when they have ended.',
      owedBy: ['protocol'],
    },
    'WIRE-CONN-03': {
      section: 'connecting',
      behaviour: 'Delays between attempts double up to a maximum, with jitter; no delay exceeds the limit of a timer.',
      owedBy: ['protocol', 'agent'],
    },
    'WIRE-CONN-04': {
      section: 'connecting',
      behaviour:
        'A leave notification about the member itself, as the last message of the connection, means that its seat was taken over.',
      owedBy: ['link', 'agent', 'computer'],
    },
    'WIRE-PROP-01': {
      section: 'robustness',
      behaviour: 'Any JSON value given to any parser yields a value or an error that names event and path.',
      owedBy: ['protocol'],
    },
    'WIRE-PROP-02': {
      section: 'robustness',
      behaviour: 'Written messages are read back unchanged.',
      owedBy: ['protocol'],
    },
    'WIRE-PROP-03': {
      section: 'robustness',
      behaviour:
        'Deep, large, prototype-polluting and malformed payloads neither crash a parser nor take more than linear time.',
      owedBy: ['protocol'],
    },
  },
} as const satisfies Ledger;
