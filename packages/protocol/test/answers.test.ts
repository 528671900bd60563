import { type CallToolResult, officeAck, parseAnswer, SMCPError, writeToolResult } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';

const readResult = (...ack: unknown[]): CallToolResult => parseAnswer('client:tool_call', ack);

describe('tool results of every peer', () => {
  verifies('WIRE-NORM-04', 'the Python Computer writes nulls and meta', () => {
    const python = {
      meta: { a2c_tool_meta: { alias: null } },
      content: [{ type: 'text', text: 'hi', annotations: null, meta: null }],
      structuredContent: null,
      isError: false,
    };
    expect(readResult(python)).toEqual({
      content: [{ type: 'text', text: 'hi' }],
      isError: false,
      _meta: { a2c_tool_meta: { alias: null } },
    });
  });

  verifies('WIRE-NORM-04', 'the Rust Computer writes snake case', () => {
    const rust = {
      content: [
        { type: 'image', data: 'AA==', mime_type: 'image/png' },
        { type: 'resource', uri: 'file:///a', mime_type: 'text/plain' },
        { type: 'resource', resource: { uri: 'file:///b', mime_type: 'text/plain', text: 'b', blob: null } },
      ],
      is_error: true,
      _meta: { x: 1 },
    };
    expect(readResult(rust)).toEqual({
      content: [
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
        { type: 'resource_link', uri: 'file:///a', name: 'file:///a', mimeType: 'text/plain' },
        { type: 'resource', resource: { uri: 'file:///b', mimeType: 'text/plain', text: 'b' } },
      ],
      isError: true,
      _meta: { x: 1 },
    });
  });

  verifies('WIRE-NORM-04', 'both spellings of metadata are merged; unknown blocks are kept', () => {
    const odd = {
      _meta: { a: 1, b: 1 },
      meta: { b: 2 },
      content: [{ type: 'hologram', data: [1], meta: { y: 1 } }, 'bare', 7],
    };
    expect(readResult(odd)).toEqual({
      content: [
        { type: 'hologram', data: [1], _meta: { y: 1 } },
        { type: 'text', text: 'bare' },
        { type: 'text', text: '7' },
      ],
      isError: false,
      _meta: { a: 1, b: 2 },
    });
    expect(readResult({ content: null, structuredContent: [1, 2] })).toMatchObject({
      content: [],
      structuredContent: [1, 2],
    });
    for (const wrong of [{ content: 'text' }, { isError: 'no' }]) {
      expect(() => readResult(wrong)).toThrow(/^client:tool_call: (content|isError): expected/);
    }
  });

  verifies('WIRE-NORM-04', 'a failure in an unknown form is not read as a success', () => {
    for (const answer of [{ error: 'boom' }, { error: { message: 'x' } }, { error: { code: '404', message: 'x' } }]) {
      expect(() => readResult(answer)).toThrow(expect.objectContaining({ code: 500 }));
    }
    for (const answer of [{}, { tools: [] }, { code: 500 }]) expect(() => readResult(answer)).toThrow(/a tool result/);
    expect(readResult({ isError: true })).toEqual({ content: [], isError: true });
  });

  verifies('WIRE-NORM-04', 'embedded resources, annotations and both spellings of metadata are normalised', () => {
    const block = {
      type: 'resource',
      resource: { uri: 'file:///b', text: 'b', meta: { a: 1 } },
      annotations: { priority: null, audience: ['user'] },
      meta: { b: 2 },
      _meta: { c: 3 },
    };
    expect(readResult({ content: [block, { type: 7 }] }).content).toEqual([
      {
        type: 'resource',
        resource: { uri: 'file:///b', text: 'b', _meta: { a: 1 } },
        annotations: { audience: ['user'] },
        _meta: { c: 3, b: 2 },
      },
      { type: 'unknown' },
    ]);
  });

  verifies('WIRE-TOOL-06', 'a result is written with meta at the top level and reads back the same', () => {
    const result = {
      content: [{ type: 'text', text: 'x', _meta: { k: 1 } }],
      structuredContent: { n: 1 },
      _meta: { progress: 1 },
      custom: true,
    };
    const written = writeToolResult(result);
    expect(written).toEqual({
      content: [{ type: 'text', text: 'x', _meta: { k: 1 } }],
      structuredContent: { n: 1 },
      meta: { progress: 1 },
      isError: false,
      custom: true,
    });
    expect(readResult(written)).toEqual({ ...result, isError: false });
    expect(writeToolResult({ content: [] })).toEqual({ content: [], isError: false });
  });
});

describe('wrappers', () => {
  const tools = { tools: [{ name: 't', description: null, params_schema: null, meta: null }], req_id: 'r' };
  const read = {
    tools: [{ name: 't', description: '', params_schema: { type: 'object' }, return_schema: null, meta: {} }],
    req_id: 'r',
  };

  verifies('WIRE-NORM-05', 'Ok and one-element arrays are removed, in any order', () => {
    for (const ack of [[tools], [[tools]], [{ Ok: tools }], [[{ Ok: [tools] }]], [tools, 'second argument']]) {
      expect(parseAnswer('client:get_tools', ack)).toEqual(read);
    }
  });

  verifies('WIRE-NORM-05', 'Err is an error whose code is derived from its text', () => {
    const codeOf = (text: string) => {
      try {
        return parseAnswer('client:get_tools', [{ Err: text }]);
      } catch (error) {
        return (error as SMCPError).code;
      }
    };
    expect(codeOf('Timeout error: no answer')).toBe(408);
    expect(codeOf('Session error: Session not found: abc')).toBe(404);
    expect(codeOf('Invalid request: missing field')).toBe(400);
    expect(codeOf('Permission denied')).toBe(403);
    expect(codeOf('boom')).toBe(500);
  });

  verifies('WIRE-NORM-07', 'an empty answer is an error, except for announcements', () => {
    for (const ack of [[], [null], [undefined], [[]], [{ Ok: null }]]) {
      expect(() => parseAnswer('client:get_config', ack)).toThrow(/client:get_config/);
      expect(() => parseAnswer('server:join_office', ack)).toThrow(/server:join_office/);
    }
    for (const fine of [[], ['ok'], [{}], [true]]) expect(parseAnswer('server:update_config', fine)).toBeUndefined();
    expect(parseAnswer('server:tool_call_cancel', [null])).toBeUndefined();
  });
});

describe('answers of the Server', () => {
  verifies(['WIRE-NORM-06', 'SMCP-ISO-02'], 'join is acknowledged with two arguments and the code in the text', () => {
    expect(officeAck()).toEqual([true, null]);
    const refused = officeAck(new SMCPError('RoomFull', 'an Agent is already in office "o"'));
    expect(refused).toEqual([false, '403/4101 an Agent is already in office "o"']);
    expect(() => parseAnswer('server:join_office', refused)).toThrow(expect.objectContaining({ kind: 'RoomFull' }));
    expect(officeAck(new SMCPError('Forbidden', 'no'))).toEqual([false, '403 no']);
    for (const ack of [[true, null], [true], [[true, null]], [{ Ok: [true, null] }]]) {
      expect(parseAnswer('server:join_office', ack)).toBeUndefined();
    }
    const refusals: readonly (readonly [readonly unknown[], number, RegExp])[] = [
      [refused, 403, /^an Agent is already/],
      [[[false, 'Internal server error: Agent already in room']], 403, /already in room$/],
      [[false, "Internal server error: Computer with name 'pc' already exists in room 'o'"], 403, /already exists/],
      [[false, 'Role mismatch: existing session has role Agent'], 403, /Role mismatch/],
      [[false], 500, /without a message/],
      [[{ error: { code: 401, message: 'who are you' } }], 401, /who are you/],
      [['yes'], 400, /expected \[ok, reason\]/],
    ];
    for (const [ack, code, message] of refusals) {
      expect(() => parseAnswer('server:join_office', ack)).toThrow(
        expect.objectContaining({ code, message: expect.stringMatching(message) }),
      );
    }
  });

  verifies('WIRE-NORM-08', 'rows of server states become servers by name', () => {
    expect(parseAnswer('client:get_config', [{ servers: [['fs', true, 'connected']], inputs: null }])).toEqual({
      servers: { fs: { name: 'fs', active: true, state: 'connected' } },
    });
  });

  verifies('SMCP-MSG-04', 'input definitions are passed on unchanged', () => {
    const inputs = [{ id: 'x', type: 'PromptString', password: true, default: null, vendor: { a: [1] } }, 'odd'];
    expect(parseAnswer('client:get_config', [{ servers: { a: { type: 'stdio' } }, inputs }])).toEqual({
      servers: { a: { type: 'stdio' } },
      inputs,
    });
  });

  verifies('WIRE-NORM-02', 'sessions and desktops are read with additional fields', () => {
    const session = { sid: 's', name: 'pc', role: 'computer', office_id: 'o', a2c_version: '0.3.0' };
    expect(parseAnswer('server:list_room', [{ sessions: [session], req_id: 'r' }])).toEqual({
      sessions: [session],
      req_id: 'r',
    });
    expect(parseAnswer('client:get_desktop', [{ desktops: ['window://w'], req_id: 'r' }]).desktops).toEqual([
      'window://w',
    ]);
    const odd = [{ ...session, a2c_version: null }, { ...session, role: 'observer' }, 'x', session];
    expect(parseAnswer('server:list_room', [{ sessions: odd, req_id: 'r' }]).sessions).toHaveLength(2);
    expect(parseAnswer('client:get_desktop', [{ desktops: null, req_id: 'r' }]).desktops).toEqual([]);
    const tools = [{ name: 't', params_schema: true, description: 7 }, { description: 'nameless' }, null];
    expect(parseAnswer('client:get_tools', [{ tools, req_id: 'r' }]).tools).toEqual([
      { name: 't', description: '', params_schema: { type: 'object' }, return_schema: null, meta: {} },
    ]);
    expect(() => parseAnswer('server:list_room', [{ sessions: {}, req_id: 'r' }])).toThrow(
      /^server:list_room: sessions:/,
    );
  });
});
