import type { Ledger } from './requirement.js';

/** What the wire needs beyond the document to work with the peers that exist. */
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
      behaviour: 'Five events have two names; either is understood, and each peer is addressed in its own dialect.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'WIRE-TYPE-01': {
      section: 'types',
      behaviour: 'Wrong event names, payloads and acknowledgements do not compile, in each of the four directions.',
      owedBy: ['protocol'],
    },
    'WIRE-TYPE-02': {
      section: 'types',
      behaviour: 'The event maps fit real Socket.IO servers and clients, and payloads survive the trip.',
      owedBy: ['protocol'],
    },
    'WIRE-NORM-01': { section: 'requests', behaviour: '`robot_id` is read as `agent`.', owedBy: ['protocol'] },
    'WIRE-NORM-02': { section: 'requests', behaviour: 'Null in an optional field means absent.', owedBy: ['protocol'] },
    'WIRE-NORM-03': {
      section: 'requests',
      behaviour: '`timeout` may be an integral string or a float; it becomes whole seconds with a default and a cap.',
      owedBy: ['protocol'],
    },
    'WIRE-NORM-04': {
      section: 'answers',
      behaviour: '`isError` and `is_error`, `meta` and `_meta`, `mimeType` and `mime_type` are read alike.',
      owedBy: ['protocol'],
    },
    'WIRE-NORM-05': {
      section: 'answers',
      behaviour: '`{"Ok": …}` and `{"Err": …}` wrappers and one-element arrays are taken off.',
      owedBy: ['protocol'],
    },
    'WIRE-NORM-06': {
      section: 'answers',
      behaviour: 'The join acknowledgement has two arguments, read and written, and its text carries the code.',
      owedBy: ['protocol'],
    },
    'WIRE-NORM-07': {
      section: 'answers',
      behaviour: 'An answer that is nothing at all is an error, not an empty result.',
      owedBy: ['protocol', 'server', 'agent'],
    },
    'WIRE-NORM-08': {
      section: 'answers',
      behaviour: 'The Rust Computer’s rows of server states are read as servers by name.',
      owedBy: ['protocol'],
    },
    'WIRE-ERR-01': {
      section: 'errors',
      behaviour: 'Every finer number maps to its generic code and travels in `details.a2c_code`.',
      owedBy: ['protocol'],
    },
    'WIRE-ERR-02': {
      section: 'errors',
      behaviour: 'One answer is readable by nested, flat and MCP-only readers.',
      owedBy: ['protocol'],
    },
    'WIRE-ERR-03': {
      section: 'errors',
      behaviour: 'Any peer’s error is read back into a typed error.',
      owedBy: ['protocol'],
    },
    'WIRE-ERR-04': {
      section: 'errors',
      behaviour: 'Faults of our own become 500 and do not tell what they were.',
      owedBy: ['protocol', 'server', 'computer'],
    },
    'WIRE-VER-01': {
      section: 'version',
      behaviour: 'The version is found in the query, in `auth`, in the first payload, or nowhere.',
      owedBy: ['protocol'],
    },
    'WIRE-VER-02': {
      section: 'version',
      behaviour: 'Before 1.0 minors must agree; from 1.0 on a client’s minor may be lower; patches are free.',
      owedBy: ['protocol'],
    },
    'WIRE-VER-03': {
      section: 'version',
      behaviour: 'The lenient policy serves 0.1 to 0.3 and the silent; the strict one demands a compatible version.',
      owedBy: ['protocol', 'server'],
    },
    'WIRE-VER-04': {
      section: 'version',
      behaviour: 'A refusal is HTTP 400 with the four versions and a header, on polling and on websocket upgrades.',
      owedBy: ['protocol', 'server'],
    },
    'WIRE-VER-05': {
      section: 'version',
      behaviour: 'A refused client stops retrying and tells both versions.',
      owedBy: ['protocol', 'agent', 'computer'],
    },
    'WIRE-DIALECT-01': {
      section: 'version',
      behaviour: 'The dialect is taken from what a peer declares, else from the names it uses.',
      owedBy: ['protocol', 'server'],
    },
    'WIRE-TOOL-01': { section: 'tools', behaviour: 'A tool is shown under its alias.', owedBy: ['protocol'] },
    'WIRE-TOOL-02': {
      section: 'tools',
      behaviour: '`meta` holds scalars only; everything else is JSON text.',
      owedBy: ['protocol'],
    },
    'WIRE-TOOL-03': {
      section: 'tools',
      behaviour:
        'MCP annotations travel as JSON text under `MCP_TOOL_ANNOTATION`, the tool’s metadata under `a2c_tool_meta`.',
      owedBy: ['protocol'],
    },
    'WIRE-TOOL-04': {
      section: 'tools',
      behaviour: '`return_schema` is always there, and `description` is always a string.',
      owedBy: ['protocol'],
    },
    'WIRE-TOOL-05': {
      section: 'tools',
      behaviour: 'Default and own tool metadata merge field by field; null never erases; a default alias is ignored.',
      owedBy: ['protocol'],
    },
    'WIRE-TOOL-06': {
      section: 'tools',
      behaviour: 'A result is written with `meta` at its top and keeps everything else, and reads back the same.',
      owedBy: ['protocol'],
    },
    'WIRE-TOOL-07': {
      section: 'tools',
      behaviour: 'A tool list names the MCP server of each tool under `a2c_server`; a server cannot name another.',
      owedBy: ['protocol', 'computer'],
    },
    'WIRE-WIN-01': {
      section: 'desktop',
      behaviour: 'Window URIs are read and built by the grammar; a wrong one is refused with the reason.',
      owedBy: ['protocol'],
    },
    'WIRE-WIN-02': {
      section: 'desktop',
      behaviour: 'Window metadata of both generations is read, the resource’s own before the URI’s.',
      owedBy: ['protocol'],
    },
    'WIRE-DESK-01': {
      section: 'desktop',
      behaviour: 'Servers come most recently used first, then by name; windows by priority.',
      owedBy: ['protocol'],
    },
    'WIRE-DESK-02': {
      section: 'desktop',
      behaviour: 'A server with a fullscreen window shows one of them alone; which, depends on the generation.',
      owedBy: ['protocol'],
    },
    'WIRE-DESK-03': {
      section: 'desktop',
      behaviour: 'Size caps the windows, and a size of zero or less gives none.',
      owedBy: ['protocol'],
    },
    'WIRE-DESK-04': {
      section: 'desktop',
      behaviour: 'Empty and invalid windows are left out; the rest are shown as URI and text.',
      owedBy: ['protocol'],
    },
    'WIRE-DESK-05': {
      section: 'desktop',
      behaviour: 'A window filter matches the exact URI first and an equivalent spelling second.',
      owedBy: ['protocol'],
    },
    'WIRE-BLOB-01': {
      section: 'events',
      behaviour:
        '`client:get_blob` pulls, piece by piece, what was too large for the answer it belongs to, when the Agent said `accept_blobs`.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'WIRE-CONN-01': {
      section: 'connecting',
      behaviour:
        'Every member reads a Server’s address alike: its scheme, its path, no credentials in it, no plain text to others.',
      owedBy: ['link', 'agent', 'computer'],
    },
    'WIRE-CONN-02': {
      section: 'connecting',
      behaviour:
        'Why a connection did not come about is told in words, and it is tried again only where that may help.',
      owedBy: ['link', 'agent', 'computer'],
    },
    'WIRE-CONN-03': {
      section: 'connecting',
      behaviour:
        'Pauses between attempts double up to a bound and are spread; no wait is longer than a timer can keep.',
      owedBy: ['protocol', 'agent'],
    },
    'WIRE-CONN-04': {
      section: 'connecting',
      behaviour: 'Only a member’s own departure, as the Server’s last word to it, means that its seat is another’s.',
      owedBy: ['link', 'agent', 'computer'],
    },
    'WIRE-PROP-01': {
      section: 'robustness',
      behaviour: 'Any JSON value given to any parser yields a value or an error that names event and path.',
      owedBy: ['protocol'],
    },
    'WIRE-PROP-02': { section: 'robustness', behaviour: 'What we write we read back the same.', owedBy: ['protocol'] },
    'WIRE-PROP-03': {
      section: 'robustness',
      behaviour: 'Deep, huge, polluting and odd payloads neither crash a parser nor cost it more than linear time.',
      owedBy: ['protocol'],
    },
  },
} as const satisfies Ledger;
