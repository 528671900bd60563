import type { Ledger } from './requirement.js';

/** Every rule and table row of the protocol document, 0.1.2-rc1, in its order. */
export const smcpProtocol = {
  document: 'A2C-SMCP protocol specification 0.1.2-rc1',
  requirements: {
    // ── 2.1 Terminology ──
    'SMCP-TERM-01': {
      section: '2.1',
      behaviour: 'An Agent is identified by its `agent` name and the `office_id` it is bound to.',
      owedBy: ['protocol', 'agent'],
    },
    'SMCP-TERM-02': {
      section: '2.1',
      behaviour:
        'A Computer is identified by the string `computer` and presents the tools of many MCP servers as one list.',
      owedBy: ['protocol', 'computer'],
    },
    'SMCP-TERM-03': {
      section: '2.1',
      behaviour: 'The Server manages connections, offices, routing and broadcasts, and is a Socket.IO server.',
      owedBy: ['server'],
    },
    'SMCP-TERM-04': {
      section: '2.1',
      behaviour: 'An event is a name plus a JSON payload, of one of the categories client, server and notify.',
      owedBy: ['protocol'],
    },
    'SMCP-TERM-05': {
      section: '2.1',
      behaviour: 'The Computer manages the life cycle of MCP servers over stdio, HTTP and SSE.',
      owedBy: ['hub'],
    },
    'SMCP-ROOM-01': {
      section: '2.1',
      behaviour: 'An `office_id` identifies one office on the whole Server.',
      owedBy: ['server'],
    },
    'SMCP-ROOM-02': {
      section: '2.1',
      behaviour: 'An office has at most one Agent and any number of Computers.',
      owedBy: ['server'],
    },
    'SMCP-ROOM-03': {
      section: '2.1',
      behaviour: 'An Agent is in one office at a time.',
      owedBy: ['server', 'agent'],
    },

    // ── 3 Overview ──
    'SMCP-ROLE-01': {
      section: '3.1',
      behaviour: 'There are many Computers, and each is bound to one office.',
      owedBy: ['server', 'computer'],
    },
    'SMCP-ROLE-02': {
      section: '3.1',
      behaviour:
        'An Agent initiates calls; it may serve several offices one after the other, as 2.1 allows one at a time.',
      owedBy: ['server', 'agent'],
    },
    'SMCP-ROLE-03': {
      section: '3.1',
      behaviour: 'The Server is logically one, also when it runs as several processes.',
      owedBy: ['server'],
    },
    'SMCP-NS-01': {
      section: '3.2',
      behaviour: 'The protocol works over websocket and over HTTP long polling.',
      owedBy: ['server', 'computer', 'agent'],
    },
    'SMCP-NS-02': {
      section: '3.2',
      behaviour: 'All events use the Socket.IO namespace `/smcp`.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-CAT-01': {
      section: '3.3',
      behaviour: '`client:` events go from an Agent to a Computer.',
      owedBy: ['protocol', 'server'],
    },
    'SMCP-CAT-02': {
      section: '3.3',
      behaviour: '`server:` events go from an Agent or a Computer to the Server.',
      owedBy: ['protocol', 'server'],
    },
    'SMCP-CAT-03': {
      section: '3.3',
      behaviour: '`notify:` events go from the Server to the members of an office; only the Server sends them.',
      owedBy: ['protocol', 'server'],
    },
    'SMCP-CAT-04': {
      section: '3.3',
      behaviour: 'The three prefixes are used only for events of this protocol.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },

    // ── 4 Rooms ──
    'SMCP-ROOM-04': {
      section: '4.1',
      behaviour: 'The configured office of an Agent is the one it has joined.',
      owedBy: ['agent'],
    },
    'SMCP-JOIN-01': {
      section: '4.2',
      behaviour:
        'A successful join is acknowledged to the member and announced to the office with `notify:enter_office`.',
      owedBy: ['server'],
    },
    'SMCP-JOIN-02': {
      section: '4.2',
      behaviour: 'A refused join is answered with an error and not announced.',
      owedBy: ['server'],
    },
    'SMCP-JOIN-03': {
      section: '4.2',
      behaviour: 'The Server checks that the `office_id` is well formed and allowed for the identity.',
      owedBy: ['protocol', 'server'],
    },
    'SMCP-JOIN-04': {
      section: '4.2',
      behaviour: 'The role of the connection decides whether a join is allowed.',
      owedBy: ['server'],
    },
    'SMCP-MEMBER-01': {
      section: '4.3',
      behaviour: 'When a member joins, the office receives `notify:enter_office`.',
      owedBy: ['server'],
    },
    'SMCP-MEMBER-02': {
      section: '4.3',
      behaviour: 'When a member leaves or disconnects, the office receives `notify:leave_office`.',
      owedBy: ['server'],
    },
    'SMCP-MEMBER-03': {
      section: '4.3',
      behaviour: 'Membership notifications contain `office_id` and the member under `computer` or `agent`.',
      owedBy: ['protocol', 'server'],
    },
    'SMCP-ISO-01': {
      section: '4.4',
      behaviour: 'A second Agent is refused.',
      owedBy: ['server'],
    },
    'SMCP-ISO-02': {
      section: '4.4',
      behaviour: 'The refusal of a second Agent has the code 403.',
      owedBy: ['protocol', 'server'],
    },
    'SMCP-ISO-03': {
      section: '4.4',
      behaviour: 'A Computer that joins another office is removed from its previous one.',
      owedBy: ['server'],
    },
    'SMCP-ISO-04': {
      section: '4.4',
      behaviour: 'No event reaches a member of another office.',
      owedBy: ['server'],
    },

    // ── 5 Messages ──
    'SMCP-MSG-01': {
      section: '5.1',
      behaviour: 'Every payload is a JSON object; anything else is answered with 400.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-MSG-02': {
      section: '5.1',
      behaviour: 'The fields of our payloads are in snake case.',
      owedBy: ['protocol'],
    },
    'SMCP-MSG-03': {
      section: '5.1',
      behaviour: 'Times on the wire are whole seconds.',
      owedBy: ['protocol'],
    },
    'SMCP-MSG-04': {
      section: '5.1',
      behaviour: 'The Computer defines the meaning of inputs; its definitions reach the Agent unchanged.',
      owedBy: ['protocol'],
    },
    'SMCP-CALL-01': {
      section: '5.2',
      behaviour: 'A tool call has `agent`, `req_id`, `computer`, `tool_name`, `params` and `timeout`.',
      owedBy: ['protocol'],
    },
    'SMCP-CALL-02': {
      section: '5.2',
      behaviour: '`req_id` is unique per Agent, and a repeated id does not run the tool again.',
      owedBy: ['agent', 'computer'],
    },
    'SMCP-CALL-03': {
      section: '5.2',
      behaviour: 'The Computer finishes within `timeout` or answers with a timeout error.',
      owedBy: ['computer'],
    },
    'SMCP-CONF-01': {
      section: '5.3',
      behaviour: 'A server configuration has `type`, `url` or `command`, `disabled` and `tool_meta`.',
      owedBy: ['config'],
    },
    'SMCP-CONF-02': {
      section: '5.3',
      behaviour: 'Type `http` or `sse` needs a `url` that is a valid URL.',
      owedBy: ['config'],
    },
    'SMCP-CONF-03': {
      section: '5.3',
      behaviour: 'Type `stdio` needs a `command`; one that cannot be executed is reported.',
      owedBy: ['config', 'hub'],
    },
    'SMCP-CONF-04': {
      section: '5.3',
      behaviour: 'A disabled server has no callable tools.',
      owedBy: ['hub'],
    },

    // ── 6 Events ──
    'SMCP-EVENT-01': {
      section: '6',
      behaviour: 'Names, directions and payloads of the events are exactly those of the document.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },

    // ── 6.1 Tools ──
    'SMCP-TOOL-01': {
      section: '6.1',
      behaviour: '`client:tool_call` goes from the Agent through the Server to the Computer and calls a tool.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-TOOL-02': {
      section: '6.1',
      behaviour: '`client:get_mcp_config` goes the same way and requests the configuration.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-TOOL-03': {
      section: '6.1',
      behaviour: '`client:get_tools` goes the same way and requests the tool list.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-TOOL-04': {
      section: '6.1',
      behaviour: '`server:tool_call_cancel` goes from the Agent through the Server to the Computer and cancels a call.',
      owedBy: ['protocol', 'server', 'agent', 'computer'],
    },
    'SMCP-TOOL-05': {
      section: '6.1',
      behaviour: '`notify:tool_call_cancel` goes from the Server to the members and announces a cancelled call.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-TOOL-06': {
      section: '6.1',
      behaviour: 'The payload of `client:tool_call` is a complete tool call request.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-TOOL-07': {
      section: '6.1',
      behaviour: '`server:tool_call_cancel` names the `req_id` to cancel and its Agent.',
      owedBy: ['protocol', 'server', 'agent'],
    },
    'SMCP-TOOL-08': {
      section: '6.1',
      behaviour: 'A cancellation is announced at least to the Agent and the Computer of the call.',
      owedBy: ['server'],
    },

    // ── 6.2 Desktop ──
    'SMCP-DESK-01': {
      section: '6.2',
      behaviour:
        '`client:get_desktop` goes from the Agent through the Server to the Computer and requests the desktop.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-DESK-02': {
      section: '6.2',
      behaviour:
        '`server:desktop_refresh` goes from the Computer through the Server to the Agent when a desktop has changed.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-DESK-03': {
      section: '6.2',
      behaviour: '`notify:desktop_refresh` goes from the Server to the members of the office.',
      owedBy: ['protocol', 'server', 'agent'],
    },

    // ── 6.3 Status ──
    'SMCP-STAT-01': {
      section: '6.3',
      behaviour: '`server:join_office` goes from an Agent or a Computer to the Server.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-STAT-02': {
      section: '6.3',
      behaviour: '`server:leave_office` goes from an Agent or a Computer to the Server.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-STAT-03': {
      section: '6.3',
      behaviour: '`server:update_mcp_config` goes from the Computer through the Server to the Agent.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-STAT-04': {
      section: '6.3',
      behaviour: '`notify:enter_office` goes from the Server to the members.',
      owedBy: ['protocol', 'server', 'agent'],
    },
    'SMCP-STAT-05': {
      section: '6.3',
      behaviour: '`notify:leave_office` goes from the Server to the members.',
      owedBy: ['protocol', 'server', 'agent'],
    },
    'SMCP-STAT-06': {
      section: '6.3',
      behaviour: '`notify:update_mcp_config` goes from the Server to the members.',
      owedBy: ['protocol', 'server', 'agent'],
    },
    'SMCP-STAT-07': {
      section: '6.3',
      behaviour: 'Join and leave contain `office_id` and identify the member.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-STAT-08': {
      section: '6.3',
      behaviour: 'A changed configuration is announced to the Agent of the office, which refreshes its cache.',
      owedBy: ['server', 'agent'],
    },

    // ── 7 Flows ──
    'SMCP-FLOW-01': {
      section: '7.1',
      behaviour: 'An Agent that has not joined an office refuses to send a tool call.',
      owedBy: ['agent'],
    },
    'SMCP-FLOW-02': {
      section: '7.1',
      behaviour: 'The Server relays a request only when Agent and Computer are in the same office.',
      owedBy: ['server'],
    },
    'SMCP-FLOW-03': {
      section: '7.1',
      behaviour:
        'A tool that is disabled, forbidden or unknown is refused: by the Server if it knows the list, otherwise by the Computer.',
      owedBy: ['server', 'computer'],
    },
    'SMCP-FLOW-04': {
      section: '7.1',
      behaviour: 'A Computer answers a tool call that exceeds its timeout with a timeout error.',
      owedBy: ['computer'],
    },
    'SMCP-FLOW-05': {
      section: '7.1',
      behaviour: 'The result of the Computer reaches the Agent unchanged.',
      owedBy: ['server'],
    },
    'SMCP-FLOW-06': {
      section: '7.2',
      behaviour: 'On `notify:enter_office` of a Computer the Agent fetches its tools.',
      owedBy: ['agent'],
    },

    // ── 8 Errors ──
    'SMCP-ERR-01': {
      section: '8.1',
      behaviour: '400: the request is malformed, lacks a field or has a field of a wrong type.',
      owedBy: ['protocol', 'server', 'computer'],
    },
    'SMCP-ERR-02': {
      section: '8.1',
      behaviour: '403: access across offices, a second Agent, or an operation that the caller is not permitted.',
      owedBy: ['protocol', 'server', 'computer'],
    },
    'SMCP-ERR-03': {
      section: '8.1',
      behaviour: '404: no such tool, Computer or configuration.',
      owedBy: ['protocol', 'server', 'computer'],
    },
    'SMCP-ERR-04': {
      section: '8.1',
      behaviour: '408: a tool call did not return in time.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-ERR-05': {
      section: '8.1',
      behaviour: '500: internal failure of the Server or the Computer.',
      owedBy: ['protocol', 'server', 'computer'],
    },
    'SMCP-ERR-06': {
      section: '8.2',
      behaviour: 'An error answer is `{"error": {"code", "message", "details"}}`.',
      owedBy: ['protocol', 'server', 'computer'],
    },
    'SMCP-ERR-07': {
      section: '8.2',
      behaviour: '`code` is an integer.',
      owedBy: ['protocol'],
    },
    'SMCP-ERR-08': {
      section: '8.2',
      behaviour: '`message` is a short text for people that contains Chinese.',
      owedBy: ['protocol'],
    },
    'SMCP-ERR-09': {
      section: '8.2',
      behaviour: '`details` may help with debugging but never contains a token, a key or an internal address.',
      owedBy: ['protocol', 'server', 'computer'],
    },

    // ── 9 Extension and versions ──
    'SMCP-EXT-01': {
      section: '9.1',
      behaviour: 'An event with a new sub-prefix such as `client:x_custom_action` is recognised by its category.',
      owedBy: ['protocol'],
    },
    'SMCP-EXT-02': {
      section: '9.1',
      behaviour: 'No event is added under a name that the document defines.',
      owedBy: ['protocol'],
    },
    'SMCP-EXT-03': {
      section: '9.1',
      behaviour: 'Agents and Computers ignore unknown `notify:` events.',
      owedBy: ['agent', 'computer'],
    },
    'SMCP-EXT-04': {
      section: '9.1',
      behaviour: 'The Server answers unknown `client:` and `server:` events with 400 and logs them.',
      owedBy: ['server'],
    },
    'SMCP-EXT-05': {
      section: '9.2',
      behaviour: 'Additions to the protocol are optional; a peer that omits them works as before.',
      owedBy: ['protocol'],
    },
    'SMCP-EXT-06': {
      section: '9.2',
      behaviour: 'Unknown fields are not an error.',
      owedBy: ['protocol', 'server', 'computer', 'agent'],
    },
    'SMCP-VER-01': {
      section: '9.3',
      behaviour: 'A peer may declare `{protocol, version}` in the handshake or in its first event; ours do.',
      owedBy: ['protocol', 'agent', 'computer'],
    },
    'SMCP-VER-02': {
      section: '9.3',
      behaviour: 'Versions with different major numbers are incompatible.',
      owedBy: ['protocol'],
    },
    'SMCP-VER-03': {
      section: '9.3',
      behaviour: 'The Server refuses an incompatible version with an error that names the reason.',
      owedBy: ['protocol', 'server'],
    },

    // ── 10 Security ──
    'SMCP-SEC-01': {
      section: '10.1',
      behaviour: 'On a public network the connection uses TLS; serving without it needs an explicit option.',
      owedBy: ['server'],
    },
    'SMCP-SEC-02': {
      section: '10.1',
      behaviour: 'Client certificates can be required (mTLS).',
      owedBy: ['server', 'computer', 'agent'],
    },
    'SMCP-SEC-03': {
      section: '10.2',
      behaviour:
        'No token is sent without TLS between Agent and Server: unencrypted connections to other hosts are refused.',
      owedBy: ['agent', 'computer'],
    },
    'SMCP-SEC-04': {
      section: '10.2',
      behaviour: 'Credentials stay on the Computer, which calls external systems itself.',
      owedBy: ['computer'],
    },
    'SMCP-SEC-05': {
      section: '10.3',
      behaviour: 'Joins and leaves are checked against identity and permissions.',
      owedBy: ['server'],
    },
    'SMCP-SEC-06': {
      section: '10.3',
      behaviour: 'A request that violates isolation is not relayed.',
      owedBy: ['server'],
    },
    'SMCP-SEC-07': {
      section: '10.3',
      behaviour: 'A request that violates isolation is recorded in the audit log.',
      owedBy: ['server'],
    },
    'SMCP-SEC-08': {
      section: '10.4',
      behaviour: 'Call rate, pending calls and timeouts are limited.',
      owedBy: ['protocol', 'server', 'hub', 'computer'],
    },
    'SMCP-SEC-09': {
      section: '10.4',
      behaviour: 'Above a limit the Server refuses requests temporarily instead of failing.',
      owedBy: ['server'],
    },

    // ── 12 Full event list: names, directions and payloads ──
    'SMCP-LIST-01': { section: '12', behaviour: '`client:tool_call` A→C: `ToolCallReq`.', owedBy: ['protocol'] },
    'SMCP-LIST-02': { section: '12', behaviour: '`client:get_tools` A→C: `GetToolsReq`.', owedBy: ['protocol'] },
    'SMCP-LIST-03': {
      section: '12',
      behaviour: '`client:get_mcp_config` A→C: `GetMCPConfigReq`.',
      owedBy: ['protocol'],
    },
    'SMCP-LIST-04': { section: '12', behaviour: '`client:get_desktop` A→C: `GetDesktopReq`.', owedBy: ['protocol'] },
    'SMCP-LIST-05': { section: '12', behaviour: '`server:join_office` A/C→S: `EnterOfficeReq`.', owedBy: ['protocol'] },
    'SMCP-LIST-06': {
      section: '12',
      behaviour: '`server:leave_office` A/C→S: `LeaveOfficeReq`.',
      owedBy: ['protocol'],
    },
    'SMCP-LIST-07': {
      section: '12',
      behaviour: '`server:update_mcp_config` C→S: the Computer whose configuration changed.',
      owedBy: ['protocol'],
    },
    'SMCP-LIST-08': {
      section: '12',
      behaviour: '`server:tool_call_cancel` A→S: `AgentCallData`.',
      owedBy: ['protocol'],
    },
    'SMCP-LIST-09': {
      section: '12',
      behaviour: '`notify:tool_call_cancel` S→room: `AgentCallData`.',
      owedBy: ['protocol'],
    },
    'SMCP-LIST-10': {
      section: '12',
      behaviour: '`server:desktop_refresh` C→S: the Computer whose desktop changed.',
      owedBy: ['protocol'],
    },
    'SMCP-LIST-11': {
      section: '12',
      behaviour: '`notify:desktop_refresh` S→room: the Computer whose desktop changed.',
      owedBy: ['protocol'],
    },
    'SMCP-LIST-12': {
      section: '12',
      behaviour: '`notify:enter_office` S→room: `EnterOfficeNotification`.',
      owedBy: ['protocol'],
    },
    'SMCP-LIST-13': {
      section: '12',
      behaviour: '`notify:leave_office` S→room: `LeaveOfficeNotification`.',
      owedBy: ['protocol'],
    },
  },
} as const satisfies Ledger;
