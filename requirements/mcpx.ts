import type { Ledger } from './requirement.js';

/** MCPX: two tools instead of hundreds. Sections are those of the document; "issue" marks later requirements. */
export const mcpx = {
  document: 'mcpx-requirements.md',
  requirements: {
    'MCPX-CONTEXT-01': {
      section: '2.1',
      behaviour: 'A client sees exactly two tools, inspect and exec, for any number of tools behind them.',
      owedBy: ['proxy'],
    },
    'MCPX-CONTEXT-02': {
      section: 'issue',
      behaviour:
        'The two tools have a fixed order, the same text for every caller, correct annotations and output schemas.',
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
        'Within a budget of tokens the catalogue is reduced to names, then to counts, deterministically, and says how to see more.',
      owedBy: ['proxy'],
    },
    'MCPX-CATALOGUE-04': {
      section: 'issue',
      behaviour: 'Line breaks in texts of servers do not break the list.',
      owedBy: ['proxy'],
    },
    'MCPX-CATALOGUE-05': {
      section: '3.3',
      behaviour:
        'The description changes only with the catalogue, and then clients are notified that the list has changed.',
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
      behaviour: 'Executor returns the rendered result and the raw one.',
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
      behaviour: 'detail selects names, signatures or full descriptions.',
      owedBy: ['proxy'],
    },
    'MCPX-INSPECT-06': {
      section: 'issue',
      behaviour: 'Long lists are split into pages that cursor continues, each tool once.',
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
      behaviour: 'The type accepts every value that is valid under the schema.',
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
      behaviour: 'Any schema, with any references, is converted in linear time and without an exception.',
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
      behaviour: 'A long result is truncated at a limit and can be read to its end.',
      owedBy: ['proxy'],
    },
    'MCPX-RESULT-07': {
      section: 'issue',
      behaviour:
        'A result is serialised once on its way to the client, and a JSON text in it is parsed at most once; arguments are not serialised.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-01': {
      section: '5.2',
      behaviour: 'The error for an unknown server names the existing servers and the one that was probably meant.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-02': {
      section: '5.2',
      behaviour:
        'The error for an unknown tool names the existing tools, those probably meant, and another server that has it.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-03': {
      section: '5.2',
      behaviour:
        'The error for invalid arguments names the parameter, the expected type and the signature of the tool.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-04': {
      section: '6.1',
      behaviour: 'An unavailable server is reported with its state and cause.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-05': {
      section: '5.2',
      behaviour: 'Error messages of a tool or its server are passed on unchanged.',
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
      behaviour: 'Clients of MCP 2025 and 2026 are served at one URL, the former with sessions, the latter without.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-03': {
      section: 'issue',
      behaviour: 'Requests with a foreign Host or Origin are rejected.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-04': {
      section: 'issue',
      behaviour: 'If a token is set, requests need it; listening on other addresses than loopback requires one.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-05': {
      section: 'issue',
      behaviour:
        'The health endpoint answers without a token and names no server. It refuses requests for other hosts.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-06': {
      section: '3.4',
      behaviour: 'On stdio only JSON-RPC is written to the output.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-07': {
      section: 'issue',
      behaviour: 'Idle sessions are limited in number and age.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-08': {
      section: 'issue',
      behaviour:
        'A request whose parameters nest too deeply or have too many values is refused with a JSON-RPC error that names the limit.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-09': {
      section: 'issue',
      behaviour:
        'A call that the proxy dispatches itself has the outcome that the SDK would give it: results, errors, progress, questions, cancellation, refusals.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-10': {
      section: 'issue',
      behaviour: 'On stdio an invalid message is answered with its id and what is wrong, and the connection goes on.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-11': {
      section: 'issue',
      behaviour:
        'Over HTTP, Host, Origin, token and the declared length are checked before the body of a request is read.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-12': {
      section: 'issue',
      behaviour: 'A message with too many values, or too many keys in one object, is refused before it is parsed.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-01': {
      section: 'issue',
      behaviour: 'A cancellation by the client reaches the MCP server.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-02': {
      section: 'issue',
      behaviour: 'Progress of the server reaches the client.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-03': {
      section: 'issue',
      behaviour: 'A server request reaches the client, and the answer reaches the server.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-04': {
      section: 'issue',
      behaviour:
        'A tool with auto_apply false runs only with consent; without elicitation at the client it is refused.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-05': {
      section: 'issue',
      behaviour: 'Pending calls of a client that disconnects are cancelled.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-06': {
      section: 'issue',
      behaviour:
        'A server request goes to the client of its call. If a server of MCP 2025 does not name the call, it is passed on only while all pending calls are of one client.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-01': {
      section: 'issue',
      behaviour: 'In pass-through mode the tools, resources and prompts of all servers appear as those of one server.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-02': {
      section: 'issue',
      behaviour:
        'Names that several servers use get a prefix, independent of their order, and have at most 64 characters.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-03': {
      section: 'issue',
      behaviour:
        'A resource is subscribed at its own server; updates reach the subscribed clients, also after a reconnect.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-04': {
      section: 'issue',
      behaviour: 'Log messages of a server reach only the client of its pending calls.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-05': {
      section: 'issue',
      behaviour: 'Changes that follow each other quickly are one notification.',
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
      behaviour: 'Arguments are checked before the tool runs; the error contains the problems and the signature.',
      owedBy: ['proxy'],
    },
    'MCPX-HUB-03': {
      section: 'issue',
      behaviour:
        'inspect and exec wait for a server that is starting for the first time; one that failed is reported at once.',
      owedBy: ['proxy'],
    },
    'MCPX-BOX-01': {
      section: 'design',
      behaviour:
        'Every toolbox shows servers and tools, returns complete results, reports errors by kind, cancels calls and emits changes.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-01': {
      section: 'issue',
      behaviour:
        'The MCP servers of every Computer in an office appear as `computer/server`; a Computer that does not name its servers is one server.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-02': {
      section: 'issue',
      behaviour: 'The catalogue changes when Computers or tools are added or removed, and only then.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-03': {
      section: 'issue',
      behaviour:
        'A cancelled call stops at the Computer; a call that exceeds its timeout is cancelled and reported as timed out.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-04': {
      section: 'issue',
      behaviour: 'A Computer that left, a refusal, a limit and a takeover are reported with their reason.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-05': {
      section: 'issue',
      behaviour:
        'The proxy starts while its office is unavailable, shows the reason in the catalogue, and joins when the office is available.',
      owedBy: ['proxy', 'cli'],
    },
    'MCPX-OFFICE-06': {
      section: 'issue',
      behaviour:
        'Consent is asked for at the Computer only. Why there is none is explained in English, in all fields of the result.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-07': {
      section: 'issue',
      behaviour:
        '`a2c proxy --url … --office …` serves an office to any MCP client; the combination with --config is refused.',
      owedBy: ['cli'],
    },
    'MCPX-OFFICE-08': {
      section: 'issue',
      behaviour: 'The tools of a Computer are listed up to a limit; that there are more is reported.',
      owedBy: ['proxy'],
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
    'MCPX-CLI-08': {
      section: 'issue',
      behaviour: 'The proxy on stdio ends with its client.',
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
    'MCPX-CODE-01': {
      section: 'issue',
      behaviour:
        'With code mode a client sees a third tool, run, in at most 200 tokens; with auto only while there are ten tools or more.',
      owedBy: ['proxy', 'cli'],
    },
    'MCPX-CODE-02': {
      section: 'issue',
      behaviour:
        'One run pages, joins, filters, retries and fans out over tools of several servers, and only the returned value reaches the client.',
      owedBy: ['cli'],
    },
    'MCPX-CODE-03': {
      section: 'issue',
      behaviour:
        'A call from code returns the structured content, or the content with JSON parsed; a failure throws with code and message.',
      owedBy: ['proxy'],
    },
    'MCPX-CODE-04': {
      section: 'issue',
      behaviour:
        'A call from code is checked, cancelled and limited like a call of exec, and progress reports how many calls are done.',
      owedBy: ['proxy'],
    },
    'MCPX-CODE-05': {
      section: 'issue',
      behaviour: 'Cancelling the request of the client ends the code and cancels its calls.',
      owedBy: ['proxy'],
    },
    'MCPX-CODE-06': {
      section: 'issue',
      behaviour:
        'A tool that needs consent is asked about once per run, with the code and the first arguments; a refusal is an exception in the code.',
      owedBy: ['proxy'],
    },
    'MCPX-CODE-07': {
      section: 'issue',
      behaviour: 'Tools that declare that they only read need no consent if the configuration trusts the declaration.',
      owedBy: ['proxy', 'cli'],
    },
    'MCPX-CODE-08': {
      section: 'issue',
      behaviour: 'In an office, code calls the tools of each Computer by the names of Computer, server and tool.',
      owedBy: ['proxy'],
    },
    'MCPX-CODE-09': {
      section: 'issue',
      behaviour:
        'Errors of code show what to repair: line and caret, nearest names, path of an argument, missing await, size of the result.',
      owedBy: ['proxy'],
    },
    'MCPX-CODE-10': {
      section: 'issue',
      behaviour: 'In code mode, inspect shows how code calls each tool.',
      owedBy: ['proxy'],
    },
    'MCPX-CODE-11': {
      section: 'issue',
      behaviour: 'Hostile code ends within its limits, and the proxy continues to serve.',
      owedBy: ['proxy'],
    },
    'MCPX-CODE-12': {
      section: 'issue',
      behaviour:
        'The result of code names the calls that had not ended: those that were sent and may have run, and those that were not sent.',
      owedBy: ['proxy'],
    },
  },
} as const satisfies Ledger;
