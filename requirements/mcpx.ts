import type { Ledger } from './requirement.js';

/** MCPX: two tools instead of hundreds. Sections are those of the document; "issue" marks later requirements. */
export const mcpx = {
  document: 'mcpx-requirements.md',
  requirements: {
    'MCPX-CONTEXT-01': {
      section: '2.1',
      behaviour: 'A client sees exactly two tools, inspect and exec, regardless of the number of tools behind them.',
      owedBy: ['proxy'],
    },
    'MCPX-CONTEXT-02': {
      section: 'issue',
      behaviour:
        'The two tools have a fixed order, the same text for every client, accurate annotations and output schemas.',
      owedBy: ['proxy'],
    },
    'MCPX-CATALOGUE-01': {
      section: '4.1',
      behaviour:
        'The description of inspect lists all servers and tools in the format of the document, with sorted servers.',
      owedBy: ['proxy'],
    },
    'MCPX-CATALOGUE-02': {
      section: '4.1',
      behaviour: 'A server line contains the instructions of the server, truncated with an ellipsis at 300 characters.',
      owedBy: ['proxy'],
    },
    'MCPX-CATALOGUE-03': {
      section: 'issue',
      behaviour:
        'Within a token budget the catalogue is reduced to names, then to counts, evenly and deterministically, and explains how to see more.',
      owedBy: ['proxy'],
    },
    'MCPX-CATALOGUE-04': {
      section: 'issue',
      behaviour: 'Line breaks in texts of servers do not break the list.',
      owedBy: ['proxy'],
    },
    'MCPX-CATALOGUE-05': {
      section: '3.3',
      behaviour: 'The description changes only with the catalogue, and each change sends `list_changed` to clients.',
      owedBy: ['proxy'],
    },
    'MCPX-REGISTRY-01': {
      section: '3.1',
      behaviour: 'A failed server is shown as failed with its cause; all others work.',
      owedBy: ['proxy'],
    },
    'MCPX-REGISTRY-02': {
      section: '8',
      behaviour: 'Registry answers getTool, listTools and getServerInfo from memory, without a request to a server.',
      owedBy: ['proxy'],
    },
    'MCPX-EXEC-01': {
      section: '3.2',
      behaviour: 'exec calls the tool given by server_name and tool_name with its arguments.',
      owedBy: ['proxy'],
    },
    'MCPX-EXEC-02': {
      section: '3.2',
      behaviour: 'A connection to a server is reused for later calls.',
      owedBy: ['proxy'],
    },
    'MCPX-EXEC-03': {
      section: '6.1',
      behaviour: 'A hundred tools can run at the same time.',
      owedBy: ['proxy'],
    },
    'MCPX-EXEC-04': {
      section: '8',
      behaviour: 'Executor returns the readable result and the raw one.',
      owedBy: ['proxy'],
    },
    'MCPX-EXEC-05': {
      section: '7',
      behaviour: 'Results are not cached: every exec runs the tool.',
      owedBy: ['proxy'],
    },
    'MCPX-INSPECT-01': {
      section: '4.1',
      behaviour: 'inspect with server_name returns the schemas of all tools of that server.',
      owedBy: ['proxy'],
    },
    'MCPX-INSPECT-02': {
      section: '4.1',
      behaviour: 'inspect with tool_name returns the full schema of one tool.',
      owedBy: ['proxy'],
    },
    'MCPX-INSPECT-03': {
      section: '4.1',
      behaviour: 'content is the compressed text; structuredContent is the raw data with the original JSON Schema.',
      owedBy: ['proxy'],
    },
    'MCPX-INSPECT-04': {
      section: 'issue',
      behaviour: 'query finds tools of all servers by words of names, descriptions and parameters.',
      owedBy: ['proxy'],
    },
    'MCPX-INSPECT-05': {
      section: 'issue',
      behaviour: 'detail selects names, signatures or full definitions.',
      owedBy: ['proxy'],
    },
    'MCPX-INSPECT-06': {
      section: 'issue',
      behaviour: 'Long lists are paged by cursor and contain each tool once.',
      owedBy: ['proxy'],
    },
    'MCPX-SCHEMA-01': {
      section: '4.3',
      behaviour: 'An input schema is shown as a TypeScript type unless schema_compression_enabled is false.',
      owedBy: ['proxy'],
    },
    'MCPX-SCHEMA-02': {
      section: '4.3',
      behaviour:
        'Basic types, arrays, tuples, objects, maps, unions, allOf, enums, const, nullable and references are converted, in both dialects of JSON Schema.',
      owedBy: ['proxy'],
    },
    'MCPX-SCHEMA-03': {
      section: 'issue',
      behaviour: 'The type rejects no value that is valid under the schema.',
      owedBy: ['proxy'],
    },
    'MCPX-SCHEMA-04': {
      section: '4.3',
      behaviour: 'Descriptions are kept as comments up to max_description_len, with defaults, formats and bounds.',
      owedBy: ['proxy'],
    },
    'MCPX-SCHEMA-05': {
      section: 'issue',
      behaviour:
        'On public catalogues, types take at most 18 % of the tokens of the schemas, and tool lists at most 27 % of the full list.',
      owedBy: ['proxy'],
    },
    'MCPX-SCHEMA-06': {
      section: 'issue',
      behaviour: 'Any schema, including recursive ones, is converted in linear time and without an exception.',
      owedBy: ['proxy'],
    },
    'MCPX-RESULT-01': {
      section: '4.2',
      behaviour:
        'Text, images, audio, embedded resources, resource links and unknown blocks are passed through unchanged.',
      owedBy: ['proxy'],
    },
    'MCPX-RESULT-02': {
      section: 'issue',
      behaviour: 'structuredContent, isError and _meta of the tool are kept.',
      owedBy: ['proxy'],
    },
    'MCPX-RESULT-03': {
      section: '4.2',
      behaviour:
        'JSON text that is data is shown as TOON where that is clearly shorter, and never longer than compact JSON.',
      owedBy: ['proxy'],
    },
    'MCPX-RESULT-04': {
      section: 'issue',
      behaviour: 'File contents and text that is not data are never rewritten.',
      owedBy: ['proxy'],
    },
    'MCPX-RESULT-05': {
      section: '4.2',
      behaviour: 'Data shown as TOON is also in structuredContent, uncompressed.',
      owedBy: ['proxy'],
    },
    'MCPX-RESULT-06': {
      section: 'issue',
      behaviour: 'A long result is cut at a limit, and the rest can be read to its end.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-01': {
      section: '5.2',
      behaviour: 'The error for an unknown server lists the servers and suggests the nearest name.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-02': {
      section: '5.2',
      behaviour:
        'The error for an unknown tool lists the tools, suggests the nearest names, and names the server that has the tool.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-03': {
      section: '5.2',
      behaviour:
        'The error for invalid arguments names the parameter, the expected value and the signature of the tool.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-04': {
      section: '6.1',
      behaviour: 'An unavailable server is reported with its state and cause.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-05': {
      section: '5.2',
      behaviour: 'Error texts of a tool or its server are passed on word for word.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-06': {
      section: 'issue',
      behaviour: 'Errors are results with isError, never successes and never protocol errors.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-01': {
      section: '3.4',
      behaviour: 'stdio and HTTP behave the same.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-02': {
      section: 'issue',
      behaviour:
        'Clients of both MCP generations are served on one address, those of 2025 with sessions, those of 2026 without.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-03': {
      section: 'issue',
      behaviour: 'Requests with a foreign Host or Origin are refused.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-04': {
      section: 'issue',
      behaviour:
        'If a token is set, every request must carry it; listening on an address other than loopback requires one.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-05': {
      section: 'issue',
      behaviour: 'The health endpoint answers without a token and names no server.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-06': {
      section: '3.4',
      behaviour: 'On stdio, the output contains only JSON-RPC.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-07': {
      section: 'issue',
      behaviour: 'Sessions of clients that disappeared are limited in number and age.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-01': {
      section: 'issue',
      behaviour: 'A cancellation by the client reaches the server that runs the tool.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-02': {
      section: 'issue',
      behaviour: 'Progress of the server reaches the client.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-03': {
      section: 'issue',
      behaviour: 'A server request reaches the client, and its response reaches the server.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-04': {
      section: 'issue',
      behaviour: 'A tool with auto_apply false runs only with consent; if the client cannot ask, the call is refused.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-05': {
      section: 'issue',
      behaviour: 'The pending calls of a client that disconnects are cancelled.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-06': {
      section: 'issue',
      behaviour:
        'A server request goes to the client whose call caused it; if a server of 2025 does not identify the call, it goes to the client only if all its pending calls belong to that one client.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-01': {
      section: 'issue',
      behaviour:
        'In pass-through mode, the tools, resources and prompts of all servers are listed as those of one server.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-02': {
      section: 'issue',
      behaviour:
        'Names that several servers use are made unique, independent of the order, and stay within 64 characters.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-03': {
      section: 'issue',
      behaviour:
        'A resource subscription is made at the server that owns the resource; changes reach its subscribers, also after a reconnect.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-04': {
      section: 'issue',
      behaviour: 'Log messages of a server reach only the client whose calls it is running.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-05': {
      section: 'issue',
      behaviour: 'Changes that occur together are notified together.',
      owedBy: ['proxy'],
    },
    'MCPX-PARITY-01': {
      section: 'issue',
      behaviour: 'A call returns the same content through exec as directly.',
      owedBy: ['proxy'],
    },
    'MCPX-HUB-01': {
      section: '3.1',
      behaviour:
        'The servers of a configuration are used through the hub, with their aliases and without forbidden tools.',
      owedBy: ['proxy'],
    },
    'MCPX-HUB-02': {
      section: '3.2',
      behaviour: 'Arguments are validated before the tool runs, and the error contains the signature.',
      owedBy: ['proxy'],
    },
    'MCPX-HUB-03': {
      section: 'issue',
      behaviour:
        'inspect and exec wait for a server that is starting for the first time; a failed one is reported at once.',
      owedBy: ['proxy'],
    },
    'MCPX-BOX-01': {
      section: 'design',
      behaviour:
        'Every toolbox lists servers and tools, returns complete results, reports typed errors, cancels calls and emits changes.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-01': {
      section: 'issue',
      behaviour:
        'The MCP servers of every Computer in an office are listed as `computer/server`; a Computer that does not name its servers is one server.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-02': {
      section: 'issue',
      behaviour: 'The catalogue changes only when Computers or tools appear, disappear or change.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-03': {
      section: 'issue',
      behaviour:
        'A cancelled call is stopped on the Computer; a call that exceeds its timeout is stopped and reported as such.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-04': {
      section: 'issue',
      behaviour:
        'A disconnected Computer, a refusal, a limit and a takeover of the office are each reported with their kind and cause.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-05': {
      section: 'issue',
      behaviour:
        'The proxy starts while its office is unreachable, reports this to the model, and connects when the office is reachable.',
      owedBy: ['proxy', 'cli'],
    },
    'MCPX-OFFICE-06': {
      section: 'issue',
      behaviour: 'Consent is asked for at the Computer, and only there.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-07': {
      section: 'issue',
      behaviour:
        '`a2c proxy --url … --office …` serves an office to any MCP client; the combination with --config is refused.',
      owedBy: ['cli'],
    },
    'MCPX-CLI-01': {
      section: '3.4',
      behaviour:
        '`a2c proxy` with a configuration of Claude Desktop serves two tools on stdio, and writes only JSON-RPC.',
      owedBy: ['cli'],
    },
    'MCPX-CLI-02': {
      section: '3.4',
      behaviour: '`a2c proxy --http` prints when it is ready, serves the same tools, and exits cleanly on a signal.',
      owedBy: ['cli'],
    },
    'MCPX-CLI-03': {
      section: '5.3',
      behaviour:
        'With a configuration that is missing, not JSON or wrong, the command exits with code 2 and names the problem.',
      owedBy: ['cli'],
    },
    'MCPX-CLI-04': {
      section: '3.5',
      behaviour: 'The keys of MCPX and the environment variables in a configuration are applied.',
      owedBy: ['cli'],
    },
    'MCPX-CLI-05': {
      section: 'issue',
      behaviour: 'The catalogue of an earlier run is available at once, while servers start.',
      owedBy: ['cli'],
    },
    'MCPX-CLI-06': {
      section: 'issue',
      behaviour:
        'One command with a configuration of five real servers gives a client two tools that find and call the tools of all of them.',
      owedBy: ['cli'],
    },
    'MCPX-CONFORM-01': {
      section: 'issue',
      behaviour:
        'The official conformance suite passes: pass-through mode with a fixture, and its protocol part with two tools.',
      owedBy: ['proxy'],
    },
  },
} as const satisfies Ledger;
