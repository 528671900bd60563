import {
  buildWindowUri,
  declaredGeneration,
  declaredVersion,
  type ErrorName,
  errorAnswer,
  errorFromText,
  judgeVersion,
  NOTIFICATION_EVENTS,
  organiseDesktop,
  parseAnswer,
  parseNotification,
  parseRequest,
  parseWindowUri,
  REQUEST_EVENTS,
  readErrorAnswer,
  SMCPError,
  toSMCPTool,
  WIRE_LIMITS,
  writeToolResult,
} from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import fc from 'fast-check';
import { describe, expect } from 'vitest';

/** JSON values that often look like payloads, so that they reach the inner schemas. */
const FIELDS = [
  'agent',
  'robot_id',
  'req_id',
  'computer',
  'tool_name',
  'params',
  'timeout',
  'role',
  'name',
  'office_id',
  'tools',
  'servers',
  'inputs',
  'desktops',
  'sessions',
  'content',
  'isError',
  'meta',
  '_meta',
  'Ok',
  'Err',
  'error',
  'code',
  'message',
  'details',
  'window',
  '__proto__',
  'constructor',
  'toString',
  'protocol',
  'version',
  'a2c_version',
  'dialect',
];
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e300,
      '',
      '7',
      'agent',
      'window://h',
      'a2c-smcp',
      '\ud800',
      '\u0000',
      'é',
      'e\u0301',
    ),
    fc.string(),
    fc.double({ noNaN: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), fc.string()), tie('value'), { maxKeys: 8 }),
  ),
})).value;

/** The value, or an error that names the event; anything else thrown fails the property. */
function answerOf(event: string, action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    expect(error).toBeInstanceOf(SMCPError);
    return { event, error: error as SMCPError };
  }
}

describe('any JSON value', () => {
  verifies('WIRE-PROP-01', 'as a request or notification yields a value or a 400 with the path', () => {
    const parsers: readonly (readonly [string, (value: unknown) => unknown])[] = [
      ...REQUEST_EVENTS.map((event) => [event, (value: unknown) => parseRequest(event, value)] as const),
      ...NOTIFICATION_EVENTS.map((event) => [event, (value: unknown) => parseNotification(event, value)] as const),
    ];
    fc.assert(
      fc.property(json, (value) => {
        for (const [event, parse] of parsers) {
          const outcome = answerOf(event, () => parse(value));
          if (outcome instanceof Object && 'error' in outcome && outcome.error instanceof SMCPError) {
            expect(outcome.error.code).toBe(400);
            expect(outcome.error.message).toMatch(new RegExp(`^${event}: [\\w.]+: `));
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  verifies('WIRE-PROP-01', 'in a tool call has the same effect with and without the check for usual calls', () => {
    const usual = { agent: 'a', req_id: 'r', computer: 'pc', tool_name: 't', params: {}, timeout: 30 };
    const field = fc.constantFrom(
      ...Object.keys(usual),
      ...['accept_blobs', 'progress', 'tool_names', 'bundle_id', 'agent_scope'],
      ...['repeated_after_ms', 'computer_epoch'],
    );
    const value = fc.oneof(json, fc.constantFrom(true, 'display', 'x'.repeat(300), 1, 3_600, 1e9, undefined));
    // Only usual calls skip the schema. An unknown field, which is kept, makes any call unusual.
    const withSchema = (call: object) => {
      const parsed = answerOf('', () => parseRequest('client:tool_call', { ...call, unknown: 1 }));
      const { unknown: _added, ...rest } = parsed as Record<string, unknown>;
      return rest;
    };
    fc.assert(
      fc.property(fc.dictionary(field, value, { maxKeys: 3 }), (changes) => {
        const call = { ...usual, ...changes };
        expect(answerOf('', () => parseRequest('client:tool_call', call))).toEqual(withSchema(call));
      }),
      { numRuns: 500 },
    );
  });

  verifies('WIRE-PROP-01', 'as an acknowledgement yields a value or a typed error', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 3 }), (ack) => {
        for (const event of REQUEST_EVENTS) answerOf(event, () => parseAnswer(event, ack));
      }),
      { numRuns: 400 },
    );
  });

  verifies('WIRE-PROP-01', 'in every other parser causes typed errors only', () => {
    fc.assert(
      fc.property(json, json, json, fc.string(), (query, auth, payload, text) => {
        const handshake = {
          query: query instanceof Object ? (query as Record<string, unknown>) : undefined,
          auth,
          payload,
        };
        judgeVersion(declaredVersion(handshake));
        declaredGeneration(handshake);
        readErrorAnswer(auth);
        errorFromText(text);
        answerOf('uri', () => parseWindowUri(`window://${text}`));
        const window = {
          server: text,
          resource: { uri: `window://${text}`, annotations: auth, _meta: payload },
          contents: [{ text }],
        };
        expect(organiseDesktop([window]).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 400 },
    );
  });
});

describe('round trips', () => {
  const id = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => !/\p{Cc}/u.test(text));
  const record = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 });

  verifies('WIRE-PROP-02', 'a valid request is parsed unchanged, also twice', () => {
    const call = fc.record({
      agent: id,
      req_id: id,
      computer: id,
      tool_name: id,
      params: record,
      timeout: fc.integer({ min: 1, max: 3_600 }),
    });
    fc.assert(
      fc.property(call, (request) => {
        const sent = JSON.parse(JSON.stringify(request));
        const parsed = parseRequest('client:tool_call', sent);
        expect(JSON.stringify(parsed)).toBe(JSON.stringify(sent));
        expect(parseRequest('client:tool_call', parsed)).toEqual(parsed);
      }),
    );
  });

  verifies('WIRE-PROP-02', 'errors are read back unchanged', () => {
    const kinds: ErrorName[] = [
      'BadRequest',
      'Forbidden',
      'NotFound',
      'Timeout',
      'InternalError',
      'CrossRoomAccess',
      'ToolTimeout',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.lorem(),
        fc.dictionary(fc.constantFrom('tool', 'office', 'n'), fc.nat()),
        (kind, message, details) => {
          const error = new SMCPError(kind, message, { details });
          expect(readErrorAnswer(JSON.parse(JSON.stringify(errorAnswer(error))))).toMatchObject({
            kind,
            message,
            details,
          });
        },
      ),
    );
  });

  verifies('WIRE-PROP-02', 'tool results and tools are read back unchanged', () => {
    const block = fc.record({ type: fc.constantFrom('text', 'image', 'x'), text: fc.string() });
    const result = fc.record({ content: fc.array(block), isError: fc.boolean() }, { requiredKeys: ['content'] });
    fc.assert(
      fc.property(result, id, record, (value, name, _meta) => {
        const written = writeToolResult(value);
        expect(parseAnswer('client:tool_call', [JSON.parse(JSON.stringify(written))])).toEqual(written);
        const tool = toSMCPTool({ name, inputSchema: { type: 'object' }, _meta }, { alias: name, tags: [name] });
        const [read] = parseAnswer('client:get_tools', [
          JSON.parse(JSON.stringify({ tools: [tool], req_id: 'r' })),
        ]).tools;
        expect(JSON.stringify(read)).toBe(JSON.stringify(tool));
      }),
    );
  });

  verifies('WIRE-PROP-02', 'window URIs are read back unchanged', () => {
    const host = fc.stringMatching(/^[a-z0-9.-]{1,20}$/);
    const segment = fc.string({ minLength: 1, unit: 'grapheme' });
    const uri = fc.record(
      {
        host,
        segments: fc.array(segment, { maxLength: 4 }),
        priority: fc.integer({ min: 0, max: 100 }),
        fullscreen: fc.boolean(),
      },
      { requiredKeys: ['host', 'segments'] },
    );
    fc.assert(
      fc.property(uri, (window) => {
        expect(parseWindowUri(buildWindowUri(window))).toEqual(window);
      }),
    );
  });
});

describe('hostile payloads', () => {
  const CALL = { agent: 'a', req_id: 'r', computer: 'pc', tool_name: 't', timeout: 5 };
  const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

  verifies('WIRE-PROP-03', 'nesting is limited everywhere', () => {
    expect(parseRequest('client:tool_call', { ...CALL, params: nested(WIRE_LIMITS.depth - 1) }).params).toBeDefined();
    const deep = nested(100_000);
    for (const event of REQUEST_EVENTS) {
      expect(() => parseRequest(event, { ...CALL, extra: deep })).toThrow(/: payload: nests deeper than 100 levels/);
    }
    const list = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(() => parseRequest('client:tool_call', { ...CALL, params: { list } })).toThrow(SMCPError);
    for (const event of REQUEST_EVENTS) answerOf(event, () => parseAnswer(event, [list]));
    const errs = JSON.parse(`${'{"Err":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    for (const event of REQUEST_EVENTS) answerOf(event, () => parseAnswer(event, [errs]));
    const tools = [{ name: 't', meta: { deep } }];
    expect(toSMCPTool({ name: 't', inputSchema: {}, _meta: { deep } }).meta).toEqual({ deep: 'null' });
    expect(() => parseAnswer('client:get_tools', [{ tools, req_id: 'r' }])).toThrow(
      /^client:get_tools: answer: nests deeper/,
    );
    expect(() => parseAnswer('client:tool_call', [{ content: [list] }])).toThrow(/nests deeper than 1000 levels/);
    expect(parseAnswer('client:tool_call', [{ content: [], structuredContent: nested(900) }]).isError).toBe(false);
    expect(readErrorAnswer({ code: 400, message: 'x', details: deep })?.details).toBeDefined();
  });

  verifies('WIRE-PROP-03', '__proto__ pollutes nothing and is not read as a field', () => {
    const payload = JSON.parse(
      '{"agent":"a","req_id":"r","computer":"pc","tool_name":"t","__proto__":{"polluted":1,"timeout":9}}',
    );
    const parsed = parseRequest('client:tool_call', payload) as unknown as Record<string, unknown>;
    expect([parsed.polluted, ({} as Record<string, unknown>).polluted, Object.getPrototypeOf(parsed)]).toEqual([
      undefined,
      undefined,
      Object.prototype,
    ]);
    const result = parseAnswer('client:tool_call', [
      JSON.parse('{"content":[],"meta":{"__proto__":{"x":1}},"__proto__":{"isError":true}}'),
    ]);
    expect([result.isError, ({} as Record<string, unknown>).x]).toEqual([false, undefined]);
    expect(
      parseAnswer('client:get_config', [JSON.parse('{"servers":[["__proto__",true,"connected"]]}')]),
    ).toBeDefined();
    expect(({} as Record<string, unknown>).active).toBeUndefined();
  });

  verifies('WIRE-PROP-03', 'similar-looking names are different, and unusual Unicode does not crash', () => {
    const composed = parseRequest('client:tool_call', { ...CALL, agent: '\u00e9' }).agent;
    const decomposed = parseRequest('client:tool_call', { ...CALL, agent: 'e\u0301' }).agent;
    expect(composed).not.toBe(decomposed);
    expect(parseRequest('client:tool_call', { ...CALL, agent: '\ud800\u202e' }).agent).toBe('\ud800\u202e');
  });

  verifies(
    'WIRE-PROP-03',
    'megabytes of anything take linear time',
    () => {
      // A quadratic step over millions of characters or 10⁵ items would take hours; the timeout is minutes.
      const huge = 'aé: token=/@.'.repeat(250_000);
      const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, null]));
      for (const field of ['agent', 'req_id', 'computer', 'tool_name', 'timeout']) {
        expect(() => parseRequest('client:tool_call', { ...CALL, [field]: huge })).toThrow(SMCPError);
      }
      expect(parseRequest('client:tool_call', { ...CALL, params: { huge, wide } }).params.huge).toBe(huge);
      expect(parseRequest('client:tool_call', { ...CALL, ...wide })).toEqual({ ...CALL, params: {} });
      expect(
        parseAnswer('client:tool_call', [
          { content: Array.from({ length: 100_000 }, () => ({ type: 'text', text: 'x' })) },
        ]).content,
      ).toHaveLength(100_000);
      const numbers = Array.from({ length: 100_000 }, () => 7);
      expect(parseAnswer('client:get_desktop', [{ desktops: numbers, req_id: 'r' }]).desktops).toEqual([]);
      for (const text of [
        huge,
        'eyJ-----'.repeat(1e6),
        '://'.repeat(3e6),
        'fd00:'.repeat(2e6),
        `-----BEGIN ${'A'.repeat(1e7)}`,
      ]) {
        expect(
          new SMCPError('BadRequest', text, { details: { text, [text.slice(0, 1e6)]: 1 } }).message.length,
        ).toBeLessThan(10_000);
        errorFromText(text);
        answerOf('uri', () => parseWindowUri(`window://h/${text}`));
        expect(judgeVersion(text).ok).toBe(false);
      }
    },
    { timeout: 100_000 },
  );
});
