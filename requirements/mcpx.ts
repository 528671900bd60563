import type { Ledger } from './requirement.js';

/** MCPX: two tools instead of hundreds. Sections are those of the document; "issue" marks what was asked for beyond it. */
export const mcpx = {
  document: 'mcpx-requirements.md',
  requirements: {
    'MCPX-CONTEXT-01': {
      section: '2.1',
      behaviour: 'A client sees exactly two tools, inspect and exec, however many tools stand behind them.',
      owedBy: ['proxy'],
    },
    'MCPX-CONTEXT-02': {
      section: 'issue',
      behaviour:
        'The two tools have a fixed order, the same text for every caller, honest annotations and output schemas.',
      owedBy: ['proxy'],
    },
    'MCPX-CATALOGUE-01': {
      section: '4.1',
      behaviour:
        'The description of inspect lists all servers and tools in the format of the document, servers sorted.',
      owedBy: ['proxy'],
    },
    'MCPX-CATALOGUE-02': {
      section: '4.1',
      behaviour: 'A server line carries the instructions of the server, cut with dots at 300 characters.',
      owedBy: ['proxy'],
    },
    'MCPX-CATALOGUE-03': {
      section: 'issue',
      behaviour:
        'Under a budget of tokens the catalogue falls to names, then to counts, evenly and always alike, and says how to see more.',
      owedBy: ['proxy'],
    },
    'MCPX-CATALOGUE-04': {
      section: 'issue',
      behaviour: 'Line breaks in what servers write do not break the list.',
      owedBy: ['proxy'],
    },
    'MCPX-CATALOGUE-05': {
      section: '3.3',
      behaviour:
        'The description changes only with the catalogue, and then clients are told that the list has changed.',
      owedBy: ['proxy'],
    },
    'MCPX-REGISTRY-01': {
      section: '3.1',
      behaviour: 'A server that fails is shown as failed with its cause; all others work.',
      owedBy: ['proxy'],
    },
    'MCPX-REGISTRY-02': {
      section: '8',
      behaviour: 'Registry answers getTool, listTools and getServerInfo from what it knows, without asking a server.',
      owedBy: ['proxy'],
    },
    'MCPX-EXEC-01': {
      section: '3.2',
      behaviour: 'exec reaches the tool named by server_name and tool_name, with its arguments.',
      owedBy: ['proxy'],
    },
    'MCPX-EXEC-02': {
      section: '3.2',
      behaviour: 'The connection to a server outlives a call and serves the next one.',
      owedBy: ['proxy'],
    },
    'MCPX-EXEC-03': {
      section: '6.1',
      behaviour: 'A hundred tools run at the same time.',
      owedBy: ['proxy'],
    },
    'MCPX-EXEC-04': {
      section: '8',
      behaviour: 'Executor returns the result to be read and the raw one.',
      owedBy: ['proxy'],
    },
    'MCPX-EXEC-05': {
      section: '7',
      behaviour: 'Results are not cached: every exec runs the tool.',
      owedBy: ['proxy'],
    },
    'MCPX-INSPECT-01': {
      section: '4.1',
      behaviour: 'inspect with server_name shows the schemas of all tools of that server.',
      owedBy: ['proxy'],
    },
    'MCPX-INSPECT-02': {
      section: '4.1',
      behaviour: 'inspect with tool_name shows the full schema of one tool.',
      owedBy: ['proxy'],
    },
    'MCPX-INSPECT-03': {
      section: '4.1',
      behaviour: 'content is the compressed text, structuredContent the raw data with the original JSON Schema.',
      owedBy: ['proxy'],
    },
    'MCPX-INSPECT-04': {
      section: 'issue',
      behaviour: 'query finds tools of all servers by the words of names, descriptions and parameters.',
      owedBy: ['proxy'],
    },
    'MCPX-INSPECT-05': {
      section: 'issue',
      behaviour: 'detail chooses between names, signatures and everything.',
      owedBy: ['proxy'],
    },
    'MCPX-INSPECT-06': {
      section: 'issue',
      behaviour: 'Long lists come in pages that cursor leads through, each tool once.',
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
        'Basic types, arrays, tuples, objects, maps, unions, allOf, enums, const, nullable and references convert, in both dialects.',
      owedBy: ['proxy'],
    },
    'MCPX-SCHEMA-03': {
      section: 'issue',
      behaviour: 'No value that is valid under the schema is refused by the type.',
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
        'On public catalogues types cost at most 18 % of the tokens of the schemas, lists of tools at most 27 % of the full list.',
      owedBy: ['proxy'],
    },
    'MCPX-SCHEMA-06': {
      section: 'issue',
      behaviour:
        'Whatever leads to whatever in a schema, it is converted in a time that grows as its size, and never throws.',
      owedBy: ['proxy'],
    },
    'MCPX-RESULT-01': {
      section: '4.2',
      behaviour: 'Text, images, audio, embedded resources, resource links and unknown blocks pass through unchanged.',
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
      behaviour: 'Contents of files and text that is not data are never rewritten.',
      owedBy: ['proxy'],
    },
    'MCPX-RESULT-05': {
      section: '4.2',
      behaviour: 'What is shown as TOON stands uncompressed in structuredContent.',
      owedBy: ['proxy'],
    },
    'MCPX-RESULT-06': {
      section: 'issue',
      behaviour: 'A long result is cut at a limit and can be read on to its end.',
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
      behaviour: 'An unknown server is answered with the servers there are and the one that was probably meant.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-02': {
      section: '5.2',
      behaviour:
        'An unknown tool is answered with the tools there are, those probably meant, and the server that has it.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-03': {
      section: '5.2',
      behaviour: 'Invalid arguments are answered with the parameter, what was expected, and the signature of the tool.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-04': {
      section: '6.1',
      behaviour: 'A server that has gone is reported with its state and cause.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-05': {
      section: '5.2',
      behaviour: 'What a tool or its server says about an error arrives word for word.',
      owedBy: ['proxy'],
    },
    'MCPX-ERROR-06': {
      section: 'issue',
      behaviour: 'Errors are results with isError, never successes and never protocol errors.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-01': {
      section: '3.4',
      behaviour: 'stdio and HTTP do the same.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-02': {
      section: 'issue',
      behaviour: 'Clients of 2025 and of 2026 are served at one address, the former with sessions, the latter without.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-03': {
      section: 'issue',
      behaviour: 'Requests with a foreign Host or Origin are refused.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-04': {
      section: 'issue',
      behaviour: 'With a token only its bearer is served; listening beyond loopback requires one.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-05': {
      section: 'issue',
      behaviour: 'The health page answers without a token and names no server.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-06': {
      section: '3.4',
      behaviour: 'On stdio nothing but JSON-RPC is written to the output.',
      owedBy: ['proxy'],
    },
    'MCPX-SERVE-07': {
      section: 'issue',
      behaviour: 'Sessions of clients that vanished are bounded in number and age.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-01': {
      section: 'issue',
      behaviour: 'A cancellation by the client reaches the server that works.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-02': {
      section: 'issue',
      behaviour: 'Progress of the server reaches the client.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-03': {
      section: 'issue',
      behaviour: 'A question of the server reaches the person behind the client, and the answer the server.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-04': {
      section: 'issue',
      behaviour: 'A tool with auto_apply false runs only with consent; a client that cannot ask is refused.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-05': {
      section: 'issue',
      behaviour: 'The work of a client that disconnects is cancelled.',
      owedBy: ['proxy'],
    },
    'MCPX-FLOW-06': {
      section: 'issue',
      behaviour:
        'A question goes to the client whose call caused it; where a server of 2025 leaves that open, to the client that all of its calls are of, else to nobody.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-01': {
      section: 'issue',
      behaviour: 'In pass-through mode the tools, resources and prompts of all servers appear as one server has them.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-02': {
      section: 'issue',
      behaviour:
        'Names that several servers use are told apart, alike whatever the order, and stay within 64 characters.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-03': {
      section: 'issue',
      behaviour:
        'A resource is followed at the server it is of; its changes reach those who follow it, also after a reconnect.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-04': {
      section: 'issue',
      behaviour: 'What a server logs reaches only the client whose calls it is working on.',
      owedBy: ['proxy'],
    },
    'MCPX-PASS-05': {
      section: 'issue',
      behaviour: 'Changes that come together are told together.',
      owedBy: ['proxy'],
    },
    'MCPX-PARITY-01': {
      section: 'issue',
      behaviour: 'The same call gives the same content through exec as directly.',
      owedBy: ['proxy'],
    },
    'MCPX-HUB-01': {
      section: '3.1',
      behaviour:
        'The servers of a configuration are reached through the hub, with their aliases and without forbidden tools.',
      owedBy: ['proxy'],
    },
    'MCPX-HUB-02': {
      section: '3.2',
      behaviour: 'Arguments are checked before the tool runs, and what does not fit is told with the signature.',
      owedBy: ['proxy'],
    },
    'MCPX-HUB-03': {
      section: 'issue',
      behaviour:
        'inspect and exec wait for a server that is starting for the first time; one that failed is told at once.',
      owedBy: ['proxy'],
    },
    'MCPX-BOX-01': {
      section: 'design',
      behaviour:
        'Every toolbox shows servers and tools, returns results whole, names what is wrong, cancels, and tells of changes.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-01': {
      section: 'issue',
      behaviour:
        'The MCP servers of every Computer in an office appear as `computer/server`; a Computer that does not tell is one server.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-02': {
      section: 'issue',
      behaviour: 'Computers and tools that arrive and leave change the catalogue, and nothing else does.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-03': {
      section: 'issue',
      behaviour: 'A cancelled call stops at the Computer; one that takes too long is stopped and told as such.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-04': {
      section: 'issue',
      behaviour:
        'A Computer that has gone, a refusal, a limit and an office that was taken are told as what they are, and why.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-05': {
      section: 'issue',
      behaviour:
        'The proxy starts while its office is away, says so where a model reads it, and is there when the office is.',
      owedBy: ['proxy', 'cli'],
    },
    'MCPX-OFFICE-06': {
      section: 'issue',
      behaviour: 'What needs a consent is asked for at the Computer, and there only.',
      owedBy: ['proxy'],
    },
    'MCPX-OFFICE-07': {
      section: 'issue',
      behaviour:
        '`a2c proxy --url … --office …` serves an office to any MCP client; together with --config it is refused.',
      owedBy: ['cli'],
    },
    'MCPX-CLI-01': {
      section: '3.4',
      behaviour:
        '`a2c proxy` with a configuration as Claude Desktop has it serves two tools on stdio, and only JSON-RPC.',
      owedBy: ['cli'],
    },
    'MCPX-CLI-02': {
      section: '3.4',
      behaviour: '`a2c proxy --http` says when it is ready, serves the same, and ends cleanly on a signal.',
      owedBy: ['cli'],
    },
    'MCPX-CLI-03': {
      section: '5.3',
      behaviour:
        'A configuration that is missing, no JSON or wrong ends the command with exit code 2 and what is wrong.',
      owedBy: ['cli'],
    },
    'MCPX-CLI-04': {
      section: '3.5',
      behaviour: 'The keys of MCPX and variables of the environment in a configuration are honoured.',
      owedBy: ['cli'],
    },
    'MCPX-CLI-05': {
      section: 'issue',
      behaviour: 'The catalogue is there at once from an earlier run, while servers start.',
      owedBy: ['cli'],
    },
    'MCPX-CLI-06': {
      section: 'issue',
      behaviour:
        'One command over the configuration of five real servers gives a client two tools that find and use all of them.',
      owedBy: ['cli'],
    },
    'MCPX-CONFORM-01': {
      section: 'issue',
      behaviour:
        'The official conformance suite passes, pass-through over a fixture and its protocol part with two tools.',
      owedBy: ['proxy'],
    },
  },
} as const satisfies Ledger;
