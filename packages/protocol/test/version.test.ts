import {
  declaredGeneration,
  declaredVersion,
  handshakeHint,
  isCompatible,
  judgeVersion,
  PROTOCOL_VERSION,
  parseVersion,
  readVersionRefusal,
  type Version,
  type VersionPolicy,
} from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';

const version = (text: string) => parseVersion(text) as Version;

describe('the declared version', () => {
  const hint = { protocol: 'a2c-smcp', version: '0.1.0' };

  verifies(
    ['WIRE-VER-01', 'SMCP-VER-01'],
    'in the query, in auth, in the first payload, or absent, in this order',
    () => {
      expect(declaredVersion({ query: { a2c_version: '0.3.0' }, auth: hint })).toBe('0.3.0');
      expect(declaredVersion({ query: { a2c_version: ['0.2.0', '9.9.9'] } })).toBe('0.2.0');
      expect(declaredVersion({ auth: hint, payload: { ...hint, version: '0.2.0' } })).toBe('0.1.0');
      expect(declaredVersion({ query: {}, auth: { token: 'x' }, payload: { role: 'agent', ...hint } })).toBe('0.1.0');
      expect(declaredVersion({})).toBeUndefined();
      expect(declaredVersion({ auth: { protocol: 'other', version: '1.1' }, payload: null })).toBeUndefined();
      expect(declaredVersion({ auth: { ...hint, version: null } })).toBeUndefined();
      for (const odd of [7, {}, [['x']], { toString: 1, valueOf: 1 }]) {
        expect(judgeVersion(declaredVersion({ auth: { ...hint, version: odd } })).ok).toBe(false);
      }
    },
  );

  verifies('SMCP-VER-01', 'the hint of our own clients is found', () => {
    expect(declaredVersion({ auth: handshakeHint('0.4') })).toBe(PROTOCOL_VERSION);
    expect(parseVersion(PROTOCOL_VERSION)).toEqual({ major: 0, minor: 4, patch: 0 });
  });

  verifies('WIRE-DIALECT-01', 'the version decides; below 0.2 the document and the SDKs differ', () => {
    const query = { a2c_version: '0.1.2' };
    expect(declaredGeneration({ query, auth: handshakeHint('spec') })).toBe('spec');
    expect(declaredGeneration({ query, auth: { dialect: 'klingon' } })).toBe('0.1');
    expect(declaredGeneration({ query: {}, auth: { ...hint, dialect: 'sdk' } })).toBe('0.1');
    expect(declaredGeneration({ auth: hint })).toBe('spec');
    expect(declaredGeneration({ payload: hint })).toBe('spec');
    expect(declaredGeneration({ auth: { api_key: 'x' } })).toBeUndefined();
    for (const generation of ['0.2', '0.3', '0.4', '0.5'] as const) {
      expect(declaredGeneration({ query: { a2c_version: `${generation}.7` }, auth: { dialect: 'spec' } })).toBe(
        generation,
      );
      expect(declaredGeneration({ auth: handshakeHint(generation) })).toBe(generation);
    }
  });
});

describe('compatibility', () => {
  const TABLE: readonly (readonly [client: string, server: string, compatible: boolean])[] = [
    ['0.3.0', '0.3.0', true],
    ['0.3.0', '0.3.7', true],
    ['0.3.7', '0.3.0', true],
    ['0.2.0', '0.3.0', false],
    ['0.3.0', '0.2.0', false],
    ['1.0.0', '0.3.0', false],
    ['0.3.0', '1.0.0', false],
    ['1.0.0', '1.2.0', true],
    ['1.2.0', '1.0.0', false],
    ['2.0.0', '1.9.0', false],
    ['0.1.2-rc1', '0.1.2', true],
  ];

  verifies(['WIRE-VER-02', 'SMCP-VER-02'], 'the rule, row by row, alone and with the strict policy', () => {
    for (const [client, server, compatible] of TABLE) {
      expect(isCompatible(version(client), version(server)), `${client} on ${server}`).toBe(compatible);
      expect(judgeVersion(client, 'strict', server).ok, `${client} on ${server}`).toBe(compatible);
    }
  });

  verifies('WIRE-VER-02', 'only MAJOR.MINOR.PATCH is a version', () => {
    for (const garbage of [
      '',
      '1',
      '1.2',
      'v1.2.3',
      '1.2.3.4',
      '1.2.x',
      ' 1.2.3',
      '1.2.3-',
      '-1.2.3',
      '9'.repeat(50),
    ]) {
      expect(parseVersion(garbage), garbage).toBeUndefined();
    }
  });
});

describe('the version policy', () => {
  const welcome = (declared: string | undefined, policy: VersionPolicy) => judgeVersion(declared, policy).ok;

  verifies('WIRE-VER-03', 'lenient serves all published generations and peers without a version', () => {
    for (const declared of [undefined, '0.1.0', '0.1.2-rc1', '0.2.3', '0.3.0', '0.3.99', '0.4.0', '0.4.7']) {
      expect(welcome(declared, 'lenient'), declared).toBe(true);
    }
    for (const declared of ['0.0.9', '0.5.0', '1.0.0', 'latest', '']) {
      expect(welcome(declared, 'lenient'), declared).toBe(false);
    }
    expect(judgeVersion('0.3.0')).toEqual({ ok: true, version: '0.3.0' });
    expect([welcome('0.5.0', 'preview'), welcome('0.1.0', 'preview'), welcome('0.6.0', 'preview')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  verifies('WIRE-VER-03', 'strict requires a compatible version', () => {
    expect(welcome(PROTOCOL_VERSION, 'strict')).toBe(true);
    for (const declared of [undefined, '0.3.0', 'latest']) expect(welcome(declared, 'strict'), declared).toBe(false);
  });

  const refusalOf = (...args: Parameters<typeof judgeVersion>) => {
    const verdict = judgeVersion(...args);
    if (verdict.ok) throw new Error('expected a refusal');
    return verdict.refusal;
  };

  verifies(['WIRE-VER-04', 'SMCP-VER-03'], 'a refusal is an HTTP answer with all versions', () => {
    expect(refusalOf('0.4.0', 'strict', '0.3.1')).toEqual({
      status: 400,
      headers: { 'Content-Type': 'application/json', 'X-A2C-Error-Code': '4008' },
      body: {
        code: 4008,
        message: 'Protocol version mismatch',
        server_version: '0.3.1',
        client_version: '0.4.0',
        min_supported: '0.3.0',
        max_supported: '0.3.999',
      },
    });
    expect(refusalOf('1.4.0', 'strict', '1.3.1').body).toMatchObject({
      min_supported: '1.0.0',
      max_supported: '1.3.999',
    });
    expect(refusalOf('7.0.0', 'lenient', '1.4.0').body).toMatchObject({
      min_supported: '0.1.0',
      max_supported: '1.4.999',
    });
    expect(refusalOf('7.0.0', 'lenient').body).toMatchObject({ min_supported: '0.1.0', max_supported: '0.4.999' });
    expect(refusalOf(undefined, 'strict').body).toEqual({ code: 400, message: 'Missing a2c_version query parameter' });
    expect(refusalOf('x'.repeat(500)).body.message).toBe(`Invalid a2c_version: Invalid version: ${'x'.repeat(40)}`);
  });

  verifies('WIRE-VER-05', 'the client parses the refusal', () => {
    const error = readVersionRefusal(JSON.parse(JSON.stringify(refusalOf('0.9.0').body)));
    expect(error).toMatchObject({
      kind: 'VersionMismatch',
      details: { client_version: '0.9.0', server_version: PROTOCOL_VERSION },
    });
    expect(readVersionRefusal(refusalOf(undefined, 'strict').body)).toMatchObject({ kind: 'BadRequest' });
    const strangers = [
      null,
      'x',
      { code: 4, message: 'Forbidden' },
      { code: 4008 },
      { code: 400, message: 'Session ID unknown' },
    ];
    for (const other of strangers) {
      expect(readVersionRefusal(other)).toBeUndefined();
    }
  });
});
