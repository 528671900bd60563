import {
  createRequestParser,
  DEFAULT_TIMEOUT_SECONDS,
  NOTIFICATION_EVENTS,
  parseAnswer,
  parseNotification,
  parseRequest,
  RELAYED_EVENTS,
  REQUEST_EVENTS,
  SMCPError,
  WIRE_LIMITS,
} from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';

const CALL = { agent: 'a', req_id: 'r', computer: 'pc', tool_name: 'add', params: { a: 1 }, timeout: 30 };

function refusal(action: () => unknown): SMCPError {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(SMCPError);
    return error as SMCPError;
  }
  throw new Error('expected a refusal');
}

const timeoutOf = (timeout: unknown) => parseRequest('client:tool_call', { ...CALL, timeout }).timeout;

describe('the shape of requests', () => {
  verifies(['SMCP-CALL-01', 'SMCP-TOOL-06', 'SMCP-TERM-02'], 'a tool call needs all its identifiers', () => {
    expect(parseRequest('client:tool_call', CALL)).toEqual(CALL);
    for (const field of ['agent', 'req_id', 'computer', 'tool_name'] as const) {
      for (const wrong of [undefined, '', 7, ['x'], 'a\u0000b', 'a\nb']) {
        const error = refusal(() => parseRequest('client:tool_call', { ...CALL, [field]: wrong }));
        expect([error.code, error.details.issues]).toEqual([400, [expect.objectContaining({ path: field })]]);
        expect(error.message).toContain(`client:tool_call: ${field}:`);
      }
    }
    expect(refusal(() => parseRequest('client:tool_call', { ...CALL, params: [1] })).message).toContain('params');
  });

  verifies('SMCP-ERR-01', 'all problems are reported at once', () => {
    const { message } = refusal(() => parseRequest('client:tool_call', { agent: 1, req_id: 2, computer: 3 }));
    for (const field of ['agent', 'req_id', 'computer', 'tool_name']) expect(message).toContain(`${field}:`);
  });

  verifies('SMCP-MSG-01', 'a payload that is not an object is rejected, for every event', () => {
    for (const event of NOTIFICATION_EVENTS) {
      expect(refusal(() => parseNotification(event, [])).code).toBe(400);
    }
    for (const event of REQUEST_EVENTS) {
      for (const payload of [undefined, null, 1, 'x', true, [], [CALL]]) {
        const error = refusal(() => parseRequest(event, payload));
        expect([error.code, error.message]).toEqual([400, `${event}: payload: expected a JSON object`]);
        expect(error.details).toEqual({ event, issues: [{ path: 'payload', problem: 'expected a JSON object' }] });
      }
    }
  });

  verifies('SMCP-MSG-02', 'every required field is in snake case', () => {
    const demanded = REQUEST_EVENTS.flatMap((event) => {
      const { issues } = refusal(() => parseRequest(event, {})).details as { issues: { path: string }[] };
      return issues.map(({ path }) => path);
    });
    expect(new Set(demanded)).toEqual(
      new Set([
        ...['agent', 'req_id', 'computer', 'tool_name', 'blob_handle', 'role', 'name', 'office_id'],
        ...['mcp_server', 'chunk_offset', 'eof', 'blob', 'progress'],
      ]),
    );
    for (const field of [...demanded, 'desktop_size', 'params', 'timeout']) expect(field).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  verifies('SMCP-TERM-01', 'an Agent sends its name with every request and its office when it joins', () => {
    for (const event of [...RELAYED_EVENTS, 'server:list_room', 'server:tool_call_cancel'] as const) {
      expect(refusal(() => parseRequest(event, { ...CALL, office_id: 'o', agent: undefined })).message).toContain(
        'agent:',
      );
    }
    expect(refusal(() => parseRequest('server:join_office', { role: 'agent', name: 'a' })).message).toContain(
      'office_id:',
    );
  });

  verifies('SMCP-TOOL-07', 'a cancellation names the call and its Agent', () => {
    expect(parseRequest('server:tool_call_cancel', { agent: 'a', req_id: 'r' })).toEqual({ agent: 'a', req_id: 'r' });
    expect(refusal(() => parseRequest('server:tool_call_cancel', { agent: 'a' })).message).toContain('req_id');
  });

  verifies(['SMCP-STAT-07', 'SMCP-JOIN-03'], 'a join names member and office; an invalid office is rejected', () => {
    const join = { role: 'computer', name: 'pc', office_id: 'o' };
    expect(parseRequest('server:join_office', join)).toEqual(join);
    expect(parseRequest('server:leave_office', join)).toEqual(join);
    expect(parseRequest('server:leave_office', { office_id: 'o', name: null })).toEqual({ office_id: 'o' });
    expect(refusal(() => parseRequest('server:leave_office', { ...join, name: 7 })).message).toContain('name');
    for (const wrong of ['', 'x'.repeat(WIRE_LIMITS.identifierLength + 1), 'a\u0007', null, 5]) {
      expect(refusal(() => parseRequest('server:join_office', { ...join, office_id: wrong })).message).toContain(
        'office_id',
      );
      expect(refusal(() => parseRequest('server:leave_office', { office_id: wrong })).message).toContain('office_id');
    }
    expect(refusal(() => parseRequest('server:join_office', { ...join, role: 'admin' })).message).toBe(
      'server:join_office: role: expected "agent" or "computer"',
    );
  });

  verifies(['SMCP-EXT-06', 'SMCP-EXT-05'], 'unknown fields are kept, optional ones may be missing', () => {
    const extended = { ...CALL, traceparent: '00-1-2-03', x_new: { deep: [1] } };
    expect(parseRequest('client:tool_call', extended)).toEqual(extended);
    const desktop = { agent: 'a', req_id: 'r', computer: 'pc' };
    expect(parseRequest('client:get_desktop', desktop)).toEqual(desktop);
    const entered = { office_id: 'o', agent: 'a', since: 7 };
    expect(parseNotification('notify:enter_office', entered)).toEqual(entered);
    const room = { sessions: [], req_id: 'r', total: 0 };
    expect(parseAnswer('server:list_room', [room])).toEqual(room);
  });

  verifies('SMCP-MEMBER-03', 'a membership notification names its member', () => {
    const entered = { office_id: 'o', agent: 'a', computer: null };
    expect(parseNotification('notify:enter_office', entered)).toEqual({ office_id: 'o', agent: 'a' });
    expect(refusal(() => parseNotification('notify:leave_office', { office_id: 'o' })).message).toContain('"computer"');
  });
});

describe('what older peers send', () => {
  verifies('WIRE-NORM-01', 'robot_id is read as agent unless agent is present', () => {
    const { agent: _, ...older } = CALL;
    expect(parseRequest('client:tool_call', { ...older, robot_id: 'r2' }).agent).toBe('r2');
    expect(parseRequest('client:tool_call', { ...CALL, robot_id: 'r2' }).agent).toBe('a');
    const desktop = { agent: 'a', req_id: 'r', computer: 'pc', size: 2, window_uri: 'window://w' };
    expect(parseRequest('client:get_desktop', desktop)).toMatchObject({ desktop_size: 2, window: 'window://w' });
  });

  verifies('WIRE-NORM-02', 'null means absent in optional fields only', () => {
    const parsed = parseRequest('client:get_desktop', {
      agent: 'a',
      req_id: 'r',
      computer: 'pc',
      desktop_size: null,
      window: null,
    });
    expect(parsed).toEqual({ agent: 'a', req_id: 'r', computer: 'pc' });
    expect(parseRequest('client:tool_call', { ...CALL, params: null }).params).toEqual({});
    expect(refusal(() => parseRequest('client:get_tools', { ...CALL, agent: null })).code).toBe(400);
  });

  verifies(
    ['WIRE-NORM-03', 'SMCP-MSG-03', 'SMCP-SEC-08'],
    'every valid timeout becomes whole seconds within the limit',
    () => {
      expect([30, '30', 30.0, ' 7 ', '2.0', 2.5, 0.5].map(timeoutOf)).toEqual([30, 30, 30, 7, 2, 3, 1]);
      expect([timeoutOf(null), timeoutOf(undefined)]).toEqual([DEFAULT_TIMEOUT_SECONDS, DEFAULT_TIMEOUT_SECONDS]);
      expect(timeoutOf(1e12)).toBe(WIRE_LIMITS.timeoutSeconds);
      for (const wrong of [0, -1, '0', 'soon', '', '1e3', true, {}, '9'.repeat(400)]) {
        expect(refusal(() => timeoutOf(wrong)).message, String(wrong)).toContain('timeout: expected');
      }
    },
  );

  verifies('SMCP-SEC-08', 'the limits are options', () => {
    const parse = createRequestParser({
      ...WIRE_LIMITS,
      identifierLength: 4,
      toolNameLength: 4,
      depth: 2,
      timeoutSeconds: 10,
    });
    expect(parse('client:tool_call', { ...CALL, timeout: null }).timeout).toBe(10);
    expect(refusal(() => parse('client:tool_call', { ...CALL, tool_name: 'adder' })).message).toContain('4 characters');
    expect(refusal(() => parse('client:tool_call', { ...CALL, params: { a: { b: {} } } })).message).toContain(
      '2 levels',
    );
    expect(parse('client:tool_call', { ...CALL, params: { a: {} } }).params).toEqual({ a: {} });
  });
});
