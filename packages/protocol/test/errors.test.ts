import {
  type ErrorName,
  errorAnswer,
  errorFromText,
  officeAck,
  parseAnswer,
  REDACTED,
  readErrorAnswer,
  redactValues,
  SMCPError,
  toolCallErrorAnswer,
} from '@a2c/protocol';
import { type RequirementId, verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';

const roundTrip = (error: SMCPError) => readErrorAnswer(JSON.parse(JSON.stringify(errorAnswer(error)))) as SMCPError;

describe('codes', () => {
  const GENERIC: readonly (readonly [number, ErrorName, RequirementId])[] = [
    [400, 'BadRequest', 'SMCP-ERR-01'],
    [403, 'Forbidden', 'SMCP-ERR-02'],
    [404, 'NotFound', 'SMCP-ERR-03'],
    [408, 'Timeout', 'SMCP-ERR-04'],
    [500, 'InternalError', 'SMCP-ERR-05'],
  ];
  for (const [code, name, id] of GENERIC) {
    verifies([id, 'SMCP-ERR-07'], `${name} is ${code} in every form of the answer`, () => {
      const answer = errorAnswer(new SMCPError(name, 'why'));
      expect([answer.code, answer.error?.code]).toEqual([code, code]);
      expect(answer.details).not.toHaveProperty('a2c_code');
    });
  }

  const FINE: readonly (readonly [number, number, ErrorName])[] = [
    [4001, 404, 'ToolNotFound'],
    [4002, 403, 'ToolDisabled'],
    [4003, 500, 'ToolExecutionFailed'],
    [4004, 408, 'ToolTimeout'],
    [4005, 403, 'ToolRequiresConfirmation'],
    [4006, 401, 'ToolAuthorizationRequired'],
    [4007, 403, 'ToolAuthorizationFailed'],
    [4008, 400, 'VersionMismatch'],
    [4014, 404, 'MCPServerNotFound'],
    [4015, 400, 'CapabilityNotSupported'],
    [4016, 400, 'InvalidSkillName'],
    [4017, 403, 'SkillResourceNotAccessible'],
    [4018, 404, 'BlobNotAccessible'],
    [4019, 403, 'BlobWriteFailed'],
    [4101, 403, 'RoomFull'],
    [4102, 404, 'RoomNotFound'],
    [4103, 403, 'NotInRoom'],
    [4104, 403, 'CrossRoomAccess'],
    [4105, 403, 'NameTaken'],
    [4106, 403, 'AgentInAnotherRoom'],
  ];
  verifies('WIRE-ERR-01', 'each specific code maps to its generic code and is read back', () => {
    for (const [a2cCode, code, kind] of FINE) {
      const error = new SMCPError(kind, 'why', { details: { computer: 'pc' } });
      expect(errorAnswer(error).error).toMatchObject({ code, details: { computer: 'pc', a2c_code: a2cCode } });
      expect(roundTrip(error)).toMatchObject({ kind, code, a2cCode, message: 'why', details: { computer: 'pc' } });
      expect(readErrorAnswer({ code: a2cCode, message: 'why' })).toMatchObject({ kind, code, a2cCode });
    }
  });
});

describe('an error answer', () => {
  verifies(['WIRE-ERR-02', 'SMCP-ERR-06'], 'is readable as nested error, flat error and MCP result', () => {
    const error = new SMCPError('ToolNotFound', 'no tool "x"', { details: { toolId: 'x' } });
    const body = { code: 404, message: '资源不存在 / no tool "x"', details: { toolId: 'x', a2c_code: 4001 } };
    expect(errorAnswer(error)).toEqual({ ...body, error: body });
    expect(toolCallErrorAnswer(error)).toEqual({
      ...body,
      error: body,
      content: [{ type: 'text', text: body.message }],
      isError: true,
      structuredContent: { error: body.message, error_type: 'ToolNotFound' },
      meta: { error_code: 4001, a2c_error: body },
    });
    expect(() => parseAnswer('client:tool_call', [toolCallErrorAnswer(error)])).toThrow(
      expect.objectContaining({ kind: 'ToolNotFound', message: 'no tool "x"' }),
    );
  });

  verifies('SMCP-ERR-08', 'the message is short and contains Chinese', () => {
    const { message } = errorAnswer(new SMCPError('NotFound', `no computer ${'x'.repeat(10_000)}`));
    expect(message).toMatch(/^\p{Script=Han}+ \/ no computer/u);
    expect(message.length).toBeLessThan(2_020);
  });

  verifies('WIRE-ERR-03', 'errors of every peer are parsed', () => {
    const forms: readonly (readonly [unknown, Partial<SMCPError>])[] = [
      [
        { error: { code: 404, message: '请求的工具不存在', details: { toolId: 'i' } } },
        { kind: 'NotFound', message: '请求的工具不存在', details: { toolId: 'i' } },
      ],
      [
        { code: 4014, message: 'no server', mcp_server: 's' },
        { kind: 'MCPServerNotFound', code: 404, details: { mcp_server: 's' } },
      ],
      [
        { code: 418, message: 'a teapot' },
        { kind: 'BadRequest', details: { peer_code: 418 } },
      ],
      [
        { code: 429, message: 'slow down', retry_after: 2 },
        { kind: 'TooManyRequests', code: 429, details: { retry_after: 2 } },
      ],
      [
        { code: 503, message: 'later' },
        { kind: 'Unavailable', code: 503 },
      ],
      [{ Err: 'Timeout error: 30s' }, { kind: 'Timeout', message: 'Timeout error: 30s' }],
      [{ Err: { code: 403, message: 'no' } }, { kind: 'Forbidden', message: 'no' }],
      [{ Err: { odd: true } }, { kind: 'InternalError', details: { err: { odd: true } } }],
    ];
    for (const [answer, expected] of forms) expect(readErrorAnswer(answer)).toMatchObject(expected);
    expect(errorFromText('404 no such office')).toMatchObject({ kind: 'NotFound', message: 'no such office' });
    expect(errorFromText('403/4104 elsewhere')).toMatchObject({ kind: 'CrossRoomAccess', message: 'elsewhere' });
    expect(errorFromText('1000 connections is the limit').message).toBe('1000 connections is the limit');
  });

  verifies('WIRE-ERR-03', 'other answers are not read as errors', () => {
    const results = [
      { content: [], code: 400, message: 'a tool that returns these fields' },
      { tools: [], req_id: 'r' },
      { error: 'text of a tool', content: [] },
      { error: { kind: 'tool data' }, content: [] },
      { code: 0, message: 'ok', tools: [] },
      { code: '400', message: 'x' },
      null,
      'Err',
      [],
    ];
    for (const result of results) expect(readErrorAnswer(result)).toBeUndefined();
  });

  verifies('WIRE-ERR-04', 'internal failures do not reveal their message', () => {
    const fault = new TypeError('cannot read x of undefined at /srv/app.js');
    const error = SMCPError.from(fault);
    expect(JSON.stringify([errorAnswer(error), officeAck(error)])).not.toContain('srv');
    expect([error.code, error.cause]).toEqual([500, fault]);
    expect(SMCPError.from(error)).toBe(error);
  });
});

describe('redaction', () => {
  const SECRETS = [
    'Bearer abcdef123456',
    'Basic dXNlcjpwYXNz',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'sk-proj-abcdefgh12345678',
    'ghp_abcdefghijklmnop1234',
    'github_pat_11ABCDEFG0abcdef',
    'xoxb-1234567890-abcdef',
    'glpat-abcdefghij1234567890',
    'AKIAIOSFODNN7EXAMPLE',
    'AIzaSyA1234567890abcdefghijklmnopqrstuv',
    'sk_live_abcdefgh1234',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----',
  ];
  const carriers = (secret: string) => [`before ${secret} after`, `"${secret}"`, `x=${secret}`, `(${secret})`];

  verifies('SMCP-ERR-09', 'text that looks like a credential is redacted in message and details', () => {
    for (const secret of SECRETS) {
      for (const text of carriers(secret)) {
        const error = new SMCPError('InternalError', text, { details: { note: text, list: [{ text }] } });
        const everything = JSON.stringify([errorAnswer(error), error.message, error.details]);
        expect(everything, text).not.toContain(secret.split('\n')[0]?.slice(8));
        expect(everything).toContain(REDACTED);
      }
    }
  });

  verifies('SMCP-ERR-09', 'a value with the name of a secret is redacted, in any notation', () => {
    const written = [
      'access_token=hunter2',
      'client_secret: hunter2',
      'GITHUB_TOKEN=hunter2 npm start',
      'AWS_SECRET_ACCESS_KEY=hunter2',
      'accessToken: hunter2',
      '{"refreshToken":"hunter2"}',
      '{\\"token\\":\\"hunter2\\"}',
      'token:  hunter2',
      'password = "my hunter2"',
      'Authorization: Token hunter2',
      'Cookie: sid=hunter2; other=hunter2',
      'server --token hunter2 --port 1',
      'passphrase=hunter2',
      'private_key: hunter2',
      'session_id=hunter2',
      'https://joe:hunter2@host/x',
      'https://joe:p@ss:hunter2@host/x',
      '?sig=hunter2&x=1',
      '&key=hunter2',
    ];
    for (const text of written) {
      expect(new SMCPError('BadRequest', text).message, text).not.toContain('hunter2');
    }
    const details = { argv: ['--api-key', 'hunter2'], env: [{ name: 'TOKEN', value: 'hunter2' }], pass: 'hunter2' };
    expect(JSON.stringify(new SMCPError('BadRequest', 'x', { details }).details)).not.toContain('hunter2');
  });

  verifies('SMCP-ERR-09', 'ordinary text that resembles a secret is kept', () => {
    const ordinary = [
      "Tool 'hf_doc_search' not found",
      "Tool 'npm_install_package' not found in npm-registry-mirror",
      'no server "sk-learn-server" in office "hf-research-team"',
      'Basic authentication failed',
      'signature: add(a: number, b: number)',
      'the tokenizer counted 512 tokens',
      'version 10.2 of 1.2.3 at 12:34:56',
      'client:tool_call: timeout: expected a positive number of seconds',
      's: env TOKEN: input "shop" has no value; set A2C_SMCP_shop, or run a2c in a terminal to be asked',
      's: header X-Api-Key: the environment variable KEY is not set',
    ];
    for (const text of ordinary)
      expect(errorAnswer(new SMCPError('NotFound', text)).message).toBe(`资源不存在 / ${text}`);
    const details = { max_tokens: 5, tokenizer: 'bpe', authorization_url: 'https://a', secretary: 'Ann', token: null };
    expect(new SMCPError('NotFound', 'x', { details }).details).toEqual(details);
  });

  verifies('SMCP-ERR-09', 'a known secret beside its name is redacted once', () => {
    const text = redactValues('TOKEN=abcd1234 [token: abcd1234] password=abcd1234xyz,', ['abcd1234']);
    expect(text).toBe('TOKEN=[redacted] [token: [redacted]] password=[redacted],');
  });

  verifies('SMCP-ERR-09', 'values under keys that name a secret are redacted, in any spelling', () => {
    const keys = [
      'token',
      'accessToken',
      'API_KEY',
      'x-api-key',
      'Authorization',
      'password',
      'clientSecret',
      'Set-Cookie',
      'private_key',
      'sessionId',
      'credentials',
    ];
    for (const key of keys) {
      const { details } = new SMCPError('BadRequest', 'x', {
        details: { [key]: 'v4lue', nested: { [key]: { deep: 'v4lue' } } },
      });
      expect(JSON.stringify(details), key).not.toContain('v4lue');
    }
    const { details } = new SMCPError('BadRequest', 'x', {
      details: { tool: 'hammer', keyboard: 'qwerty', count: 3, token: null },
    });
    expect(details).toEqual({ tool: 'hammer', keyboard: 'qwerty', count: 3, token: null });
  });

  verifies('SMCP-ERR-09', 'internal addresses are kept locally and redacted when the error is sent', () => {
    for (const address of [
      '10.1.2.3',
      '127.0.0.1',
      '192.168.7.9',
      '172.16.0.4',
      '169.254.169.254',
      '100.64.1.1',
      'fd00::1',
      'fe80::1',
      '::1',
      '0:0:0:0:0:0:0:1',
      '0.0.0.0',
      '[::1]',
    ]) {
      const error = new SMCPError('InternalError', `cannot reach ${address}:80`, { details: { at: address } });
      expect(error.message).toContain(address);
      expect(JSON.stringify([errorAnswer(error), toolCallErrorAnswer(error), officeAck(error)])).not.toContain(address);
    }
    const outside = new SMCPError('InternalError', 'cannot reach 93.184.216.34 (version 110.2.3.45)');
    expect(errorAnswer(outside).message).toContain('93.184.216.34 (version 110.2.3.45)');
  });

  verifies('SMCP-ERR-09', 'details become plain JSON of limited size', () => {
    const cyclic: Record<string, unknown> = { big: 10n, nan: Number.NaN, fn: () => 1, error: new Error('inner') };
    cyclic.self = cyclic;
    const { details } = new SMCPError('InternalError', 'x', {
      details: { cyclic, wide: Array.from({ length: 5_000 }, () => 1) },
    });
    expect(JSON.stringify(details).length).toBeLessThan(20_000);
    const wide = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`k${i}`, cyclic]));
    for (const key of Object.keys(wide)) cyclic[key] = cyclic;
    const texts = Array.from({ length: 1_000 }, () => 'eyJ-----'.repeat(250));
    const bounded = new SMCPError('InternalError', 'x', { details: { wide, texts } }).details;
    expect(JSON.stringify(bounded).length).toBeLessThan(40_000);
    expect(details).toMatchObject({ cyclic: { big: '10', nan: null, error: 'inner' } });
  });
});

verifies('SEC-RESULT-02', 'details that are cut keep whether the call has run', () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`k${n}`, 'x'.repeat(40)]));
  const { details } = new SMCPError('Forbidden', 'no', { details: { ...many, a2c_execution: 'unknown' } });
  expect(Object.keys(details).length).toBeLessThan(600);
  expect(details.a2c_execution).toBe('unknown');
});
