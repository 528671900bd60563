import type { Ledger } from './requirement.js';

/**
 * What A2C-SMCP 0.2 to 0.5 ask of the wire, and how one Server serves all generations at once.
 *
 * The text forbids a Server to serve several versions; ours does so on purpose, and `strict` follows the text. It asks
 * clients not to negotiate; ours follow a refusal once. The close code 4900 is for servers that cannot answer an
 * upgrade over HTTP: ours can. Members of 0.5 are served by the policy `preview` only: their update events and
 * cancellations are acknowledged like those of others, which 0.5 does not ask for, and the texts of errors are ours.
 */
export const smcpGenerations = {
  document: 'A2C-SMCP 0.2 to 0.4 beside 0.1, and 0.5 prepared: the wire and the Server',
  requirements: {
    'GEN-TABLE-01': {
      section: 'generations',
      behaviour: 'A version selects one generation, and one table has the rules of each generation.',
      owedBy: ['protocol'],
    },
    'GEN-EVENT-01': {
      section: 'events',
      behaviour:
        '`get_resources`, `get_skills`, `get_skill`, `put_blob` and `update_skills` have their fields and answers.',
      owedBy: ['protocol'],
    },
    'GEN-EVENT-02': {
      section: 'events',
      behaviour: 'The retired requests for DPE and Finder are unknown events.',
      owedBy: ['server'],
    },
    'GEN-ERR-01': {
      section: 'errors',
      behaviour:
        'From 0.2 on an error is flat: the specific code at the top, no `error`, the MCP server beside the code.',
      owedBy: ['protocol'],
    },
    'GEN-ERR-02': {
      section: 'errors',
      behaviour: 'No error repeats the `req_id`: published Agents would read it as an empty list.',
      owedBy: ['protocol'],
    },
    'GEN-ERR-03': {
      section: 'errors',
      behaviour: 'The error of a Computer has a form that published Servers relay, and our Agent reads the real code.',
      owedBy: ['protocol'],
    },
    'GEN-ACK-01': {
      section: 'offices',
      behaviour:
        'Join and leave are acknowledged as the generation reads it: a pair, a pair with the error, or nothing.',
      owedBy: ['protocol'],
    },
    'GEN-SRV-01': {
      section: 'server',
      behaviour: 'One office holds peers of all generations, and `list_room` shows the version of each.',
      owedBy: ['server'],
    },
    'GEN-SRV-02': {
      section: 'server',
      behaviour: 'Each Agent receives errors in the form of its generation.',
      owedBy: ['server'],
    },
    'GEN-SRV-03': {
      section: 'server',
      behaviour: 'Requests that a Computer does not know are answered by the Server at once; others are relayed.',
      owedBy: ['server'],
    },
    'GEN-SRV-04': {
      section: 'server',
      behaviour: '`notify:update_skills` reaches members from 0.2 on only.',
      owedBy: ['server'],
    },
    'GEN-SRV-05': {
      section: 'server',
      behaviour: 'Tool lists, configurations and server names of a foreign Computer are converted for the Agent.',
      owedBy: ['server'],
    },
    'GEN-SRV-06': {
      section: 'server',
      behaviour: 'Blobs of a foreign Computer are inserted into results for Agents that cannot fetch them.',
      owedBy: ['server'],
    },
    'GEN-SRV-07': {
      section: 'server',
      behaviour: 'A Computer of a2c receives the generation of the Agent, and its answers pass unchanged.',
      owedBy: ['server'],
    },
    'GEN-INTEROP-01': {
      section: 'interoperability',
      behaviour: 'Our Agent, Server and Computer work with those of the published SDKs 0.1 to 0.4.',
      owedBy: ['cli'],
    },
    'GEN-INTEROP-02': {
      section: 'interoperability',
      behaviour: 'A Server that serves one generation refuses others with the HTTP answers of the published server.',
      owedBy: ['cli'],
    },
    'GEN-INTEROP-04': {
      section: 'interoperability',
      behaviour:
        'Credentials of our programs are accepted by the published servers that check them, and the other way round.',
      owedBy: ['cli'],
    },
    'GEN-INTEROP-05': {
      section: 'interoperability',
      behaviour: 'An image of 15 MB reaches every Agent of the published SDKs that has blobs.',
      owedBy: ['cli'],
    },
    'GEN-INTEROP-07': {
      section: 'interoperability',
      behaviour:
        'A published client that announces another version reads our refusal, and our client that of a published server.',
      owedBy: ['cli'],
    },
    'GEN-INTEROP-06': {
      section: 'interoperability',
      behaviour: 'Agent, Server and Computer of the published Rust SDK work with each other and with ours.',
      owedBy: ['cli'],
    },
    'GEN-INTEROP-03': {
      section: 'interoperability',
      behaviour: 'A check reports when a registry has an SDK of a newer protocol than ours.',
      owedBy: ['cli'],
    },
    'GEN-SCOPE-01': {
      section: 'server',
      behaviour:
        'An Agent whose key is limited sees and uses only those tools and MCP servers: tools, windows, resources, skills.',
      owedBy: ['cli'],
    },
    'GEN-CFG-01': {
      section: 'types',
      behaviour: 'A configuration has the keys, entries and options of a generation, with all fields that it requires.',
      owedBy: ['protocol'],
    },
    'GEN-LINK-01': {
      section: 'negotiation',
      behaviour:
        'A client announces the newest version, follows a refusal that names an older one, and announces that from then on.',
      owedBy: ['link'],
    },
    'GEN-LINK-02': {
      section: 'negotiation',
      behaviour: 'A Server of 0.1, which accepts any version, is recognised by its list of members.',
      owedBy: ['link'],
    },
    'GEN-LINK-03': {
      section: 'credentials',
      behaviour: 'The key is sent where each generation reads it, and a Server accepts it from each of these places.',
      owedBy: ['link', 'server'],
    },
    'GEN-LINK-04': {
      section: 'events',
      behaviour:
        'A Computer that speaks as the document announces changes under both names to a Server that may not know these.',
      owedBy: ['link'],
    },
    'GEN-LINK-05': {
      section: 'negotiation',
      behaviour:
        'A pinned generation holds at a Server that checks no version: what is announced, and the form of every answer.',
      owedBy: ['link', 'computer'],
    },
    'GEN-LINK-06': {
      section: 'negotiation',
      behaviour: 'The first request of a connection is polling, so that the body of a refusal can be read.',
      owedBy: ['link'],
    },
    'GEN-ROOM-01': {
      section: 'offices',
      behaviour: 'An operator decides for each office whether it has one or many Agents, and one or many Computers.',
      owedBy: ['server'],
    },
    'GEN-ROOM-02': {
      section: 'offices',
      behaviour: 'The room scenarios of 0.5 hold for its peers: acknowledgements, codes, seats and notifications.',
      owedBy: ['server'],
    },
    'GEN-ROOM-03': {
      section: 'offices',
      behaviour:
        'Unless its operator decides, an office has one Computer while its first member announced 0.5, and many otherwise.',
      owedBy: ['server', 'cli'],
    },
    'GEN-DOC-01': {
      section: 'the document',
      behaviour: 'A repeated `req_id` of the same Agent reaches a foreign Computer once.',
      owedBy: ['server'],
    },
    'GEN-DOC-02': {
      section: 'the document',
      behaviour: 'An acknowledgement of a Computer that is not an object becomes 500.',
      owedBy: ['server'],
    },
    'GEN-DOC-03': {
      section: 'the document',
      behaviour: 'The details of a Computer’s error reach the Agent without credentials.',
      owedBy: ['server'],
    },
    'GEN-DOC-04': {
      section: 'the document',
      behaviour:
        '`get_mcp_config` has the shape of the document: `type` stdio, http or sse, `command` or `url` at the top.',
      owedBy: ['server', 'protocol'],
    },
    'GEN-DOC-05': {
      section: 'the document',
      behaviour: 'The `agent` of a call is the name of the seat, whatever the payload claims.',
      owedBy: ['server'],
    },
    'GEN-DOC-06': {
      section: 'the document',
      behaviour: 'A refused join carries the error object for peers that read it.',
      owedBy: ['server'],
    },
  },
} as const satisfies Ledger;
