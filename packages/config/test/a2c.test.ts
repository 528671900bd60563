import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { convertConfig } from '../src/index.js';
import { errorsOf, read, readOne, refused, warningsOf } from './reading.js';

const nested = (type: string, server_parameters: object, more: object = {}) => ({
  name: 's',
  type,
  server_parameters,
  ...more,
});
const url = 'https://e.example/mcp';

describe('servers', () => {
  const spellings: [string, string[], object][] = [
    ['stdio', ['stdio', 'Stdio', 'STDIO'], { command: 'x' }],
    [
      'streamable_http',
      ['streamable', 'http', 'Http', 'HTTP', 'streamable_http', 'streamable-http', 'streamableHttp'],
      { url },
    ],
    ['sse', ['sse', 'Sse', 'SSE'], { url }],
    ['unix', ['unix'], { unix_path: '/s' }],
  ];
  for (const [type, written, parameters] of spellings) {
    for (const spelling of written) {
      verifies('CONF-NATIVE-01', `${spelling} is ${type}, nested and flat`, () => {
        expect(readOne(nested(spelling, parameters)).transport.type).toBe(type);
        expect(readOne({ name: 's', type: spelling, ...parameters }).transport.type).toBe(type);
      });
    }
  }

  const durations: [unknown, number | null][] = [
    ['PT20S', 20],
    ['PT1.5S', 1.5],
    ['PT5M', 300],
    ['P1DT1H', 90_000],
    [20.5, 20.5],
    [0.5, 0.5],
    [null, null],
  ];
  for (const type of ['streamable', 'sse']) {
    for (const [written, seconds] of durations) {
      verifies(['CONF-NATIVE-01', 'COMP-RULE-03'], `${type} timeout ${written} is ${seconds} s`, () => {
        const server = readOne(nested(type, { url, timeout: written, sse_read_timeout: written }));
        expect(server.timeouts).toEqual({ timeout: seconds, sse_read_timeout: seconds });
      });
    }
    for (const wrong of ['20', 'PT', 'P', 'P1DT', 'PT1Y', '-PT1S', -1, 0, 'PT0S', 'P0D', true]) {
      verifies(['CONF-NATIVE-01', 'COMP-RULE-03'], `${type} timeout ${wrong} is rejected`, () => {
        expect(errorsOf(nested(type, { url, timeout: wrong }))[0]).toContain(
          '/server_parameters/timeout: expected seconds',
        );
      });
    }
  }

  verifies(['COMP-STDIO-01', 'COMP-SERVER-02'], 'defaults', () => {
    expect(readOne(nested('stdio', { command: 'x' }))).toMatchObject({
      disabled: false,
      forbidden_tools: [],
      transport: { argv: ['x'], encoding: 'utf-8', encoding_error_handler: 'strict', inherit_env: false },
    });
  });

  verifies('COMP-STDIO-01', 'encodings and environments', () => {
    const parameters = { command: 'x', args: ['a', ''], env: { A: '' }, cwd: '/w', encoding: 'gbk', envFile: '.env' };
    for (const handler of ['strict', 'ignore', 'replace']) {
      const { transport } = readOne(nested('stdio', { ...parameters, encoding_error_handler: handler }));
      expect(transport).toMatchObject({ argv: ['x', 'a', ''], env: { A: '' }, encoding_error_handler: handler });
    }
    const [problem] = refused(nested('stdio', { ...parameters, encoding_error_handler: 'strikt' }));
    expect(problem).toMatchObject({ allowed: ['strict', 'ignore', 'replace'], did_you_mean: 'strict' });
  });

  verifies('COMP-STREAM-01', 'header values of any scalar type', () => {
    const headers = { A: 'text', B: 7, C: true, D: null };
    expect(readOne(nested('streamable', { url, headers })).transport).toMatchObject({
      http_headers: { A: 'text', B: '7', C: 'true' },
    });
    expect(errorsOf(nested('streamable', { url, headers: { A: { b: 1 } } }))[0]).toContain(
      '/server_parameters/headers/A',
    );
    expect(readOne(nested('streamable', { url, terminate_on_close: false })).transport).toMatchObject({
      terminate_on_close: false,
    });
  });

  verifies('COMP-SERVER-04', 'tool meta with null in any field and additional keys', () => {
    const tool_meta = { t: { auto_apply: null, alias: null, ret_object_mapper: null, colour: 'red' } };
    const server = readOne(nested('stdio', { command: 'x' }, { tool_meta, default_tool_meta: { tags: ['a'] } }));
    expect(server.tool_meta).toEqual(tool_meta);
    expect(server.default_tool_meta).toEqual({ tags: ['a'] });
    expect(errorsOf(nested('stdio', { command: 'x' }, { tool_meta: { t: { alias: 7 } } }))).toEqual([
      '/tool_meta/t/alias: expected a string',
    ]);
    expect(warningsOf(nested('stdio', { command: 'x' }, { default_tool_meta: { alias: 'x' } }))).toHaveLength(1);
  });

  verifies(['COMP-RULE-01', 'COMP-SERVER-01'], 'a second server with the same name replaces the first', () => {
    const document = [nested('stdio', { command: 'old' }), nested('stdio', { command: 'new' })];
    expect(readOne(document).transport).toMatchObject({ argv: ['new'] });
    expect(warningsOf(document)).toEqual(['/1: another server with this name is defined above; this one replaces it']);
  });

  verifies('COMP-SERVER-01', 'a name in a map must equal its key', () => {
    const inMap = (name?: string) => ({
      servers: { s: { ...(name ? { name } : {}), type: 'stdio', tool_meta: {}, command: 'x' } },
    });
    expect([readOne(inMap()).name, readOne(inMap('s')).name]).toEqual(['s', 's']);
    expect(errorsOf(inMap('t'))).toEqual(['/servers/s/name: the name differs from the key of the entry']);
    expect(errorsOf({ type: 'stdio', command: 'x' })).toEqual(['/name: "name" is missing']);
  });

  verifies('CONF-NATIVE-01', 'rejects unknown keys at every level', () => {
    expect(errorsOf(nested('stdio', { command: 'x', commnad: 'y' }))).toEqual([
      '/server_parameters/commnad: unknown key "commnad"',
    ]);
    expect(errorsOf(nested('stdio', { command: 'x' }, { vrll: '' }))).toEqual(['/vrll: unknown key "vrll"']);
    expect(errorsOf(nested('stdio', { command: 'x', url }))).toEqual(['/server_parameters/url: unknown key "url"']);
    expect(errorsOf({ servers: [], extra: 1 })).toEqual(['/extra: unknown key "extra"']);
  });

  verifies('SMCP-CONF-02', 'http and sse need a URL', () => {
    for (const type of ['http', 'sse']) {
      expect(errorsOf({ name: 's', type })).toEqual(['/url: "url" is missing']);
      expect(errorsOf({ name: 's', type, url: 'no url' })).toEqual([
        '/url: expected an http:// or https:// URL, or http+unix:// with the path of a socket',
      ]);
    }
  });

  verifies('SMCP-CONF-03', 'stdio needs a command', () => {
    expect(errorsOf({ name: 's', type: 'stdio' })).toEqual(['/command: "command" is missing']);
    expect(errorsOf({ name: 's', type: 'stdio', command: ' ' })).toEqual(['/command: must not be blank']);
  });

  verifies('CONF-NATIVE-03', 'a VRL script is checked by the given function', () => {
    const document = [nested('stdio', { command: 'x' }, { vrl: '.a = ' })];
    expect(readOne(document).vrl).toBe('.a = ');
    expect(refused(document, () => 'syntax error')).toMatchObject([{ pointer: '/0/vrl', message: 'syntax error' }]);
    expect(read(document, () => null).servers).toHaveLength(1);
  });

  verifies('CONF-NATIVE-04', 'scripts are limited in length, and checked up to a length of all together', () => {
    const script = (at: number, length: number) =>
      nested('stdio', { command: 'x' }, { name: `s${at}`, vrl: '.'.repeat(length) });
    const checked: number[] = [];
    const check = (source: string) => {
      checked.push(source.length);
      return null;
    };
    expect(refused([script(1, 16_385)], check)).toMatchObject([
      { pointer: '/0/vrl', message: expect.stringContaining('at most 16384 characters') },
    ]);
    expect(checked).toEqual([]);
    expect(read([script(1, 10_000), script(2, 6_384), script(3, 1)], check).servers).toHaveLength(3);
    expect(checked).toEqual([10_000, 6_384]);
  });
});

describe('bundle ids', () => {
  const server = (more: object) => nested('stdio', { command: 'x' }, more);

  verifies('MEM-BUNDLE-02', 'a configured bundle id is read in both spellings, and refused if it is none', () => {
    expect(readOne(server({ bundle_id: 'custom_id' })).bundle_id).toBe('custom_id');
    expect(readOne(server({ bundleId: 'custom-id' })).bundle_id).toBe('custom-id');
    expect(readOne(server({ bundle_id: null }))).not.toHaveProperty('bundle_id');
    for (const bundle_id of ['', 'a__b', 'a.b', '服务器'])
      expect(errorsOf(server({ bundle_id }))).toEqual(['/bundle_id: expected letters, digits, "-" and single "_"']);
  });

  verifies('MEM-BUNDLE-02', 'two servers with one bundle id are an error that names both', () => {
    const named = (name: string, more: object = {}) => ({ ...server(more), name });
    expect(errorsOf([named('a', { bundle_id: 'x' }), named('b', { bundle_id: 'x' })])).toEqual([
      '/1/bundle_id: server "a" has the same bundle id',
    ]);
    expect(read([named('a', { bundle_id: 'x' }), named('b', { bundle_id: 'y' })]).servers).toHaveLength(2);
  });
});

describe('inputs', () => {
  const definitions = {
    promptString: { default: 'd', password: true },
    pickString: { options: [{ label: 'D', value: 'd' }], default: 'd' },
    command: { command: 'date', args: { a: 'b' } },
  };
  for (const [type, fields] of Object.entries(definitions)) {
    verifies(['CONF-NATIVE-02', 'COMP-DEF-02', 'COMP-DEF-03', 'COMP-DEF-04'], `${type} in both spellings`, () => {
      const expected = { type, id: 'i', description: '', ...fields };
      for (const tag of [type, `${type[0]?.toUpperCase()}${type.slice(1)}`]) {
        expect(read({ id: 'i', type: tag, ...fields }).inputs).toEqual([expected]);
        expect(read([{ id: 'i', type: tag, ...fields }]).inputs).toEqual([expected]);
      }
    });
  }

  verifies(['COMP-DEF-01', 'CONF-NATIVE-02'], 'every optional field may be null; unknown keys are errors', () => {
    const nothing = { description: null, default: null, password: null };
    expect(read([{ id: 'i', type: 'promptString', ...nothing }]).inputs).toMatchObject([
      { default: null, password: false },
    ]);
    expect(errorsOf([{ id: 'i', type: 'promptString', options: [] }])).toEqual(['/0/options: unknown key "options"']);
    expect(errorsOf([{ id: 'a}', type: 'promptString' }])).toEqual(['/0/id: must not contain "}"']);
    expect(errorsOf([{ id: 'c', type: 'command' }])).toEqual(['/0/command: "command" is missing']);
  });

  verifies('COMP-RULE-01', 'a second input with the same id replaces the first', () => {
    const document = [1, 2].map((n) => ({ id: 'i', type: 'promptString', default: `${n}` }));
    expect(read(document).inputs).toMatchObject([{ default: '2' }]);
    expect(warningsOf(document)).toHaveLength(1);
  });

  verifies(
    'MEM-INPUT-01',
    'options are texts, or objects with label and value, and are written back as they were',
    () => {
      const options = ['plain', { label: 'Europe', value: 'eu' }];
      const document = {
        servers: [],
        inputs: [{ id: 'p', type: 'pickString', description: '', options, default: 'eu' }],
      };
      const config = read(document);
      expect(config.inputs).toMatchObject([{ options: [{ label: 'plain', value: 'plain' }, options[1]] }]);
      expect(convertConfig(config, 'a2c').document).toEqual(document);
      const wrong = (option: unknown) => errorsOf([{ id: 'p', type: 'pickString', options: [option] }]);
      for (const option of [1, { label: 'x' }, { label: '', value: 'x' }, { label: 'x', value: 'x', more: 1 }])
        expect(wrong(option)).toHaveLength(1);
      expect(read([{ id: 'p', type: 'pickString', options: ['a', 'a'], default: null }]).inputs).toHaveLength(1);
      expect(errorsOf([{ id: 'p', type: 'pickString', options: [options[1]], default: 'Europe' }])).toEqual([
        '/0/default: the default is not one of the options',
      ]);
    },
  );

  verifies(['MEM-INPUT-03', 'CONF-NATIVE-02'], 'two inputs with one environment variable are an error', () => {
    const sharing = (...ids: string[]) => ids.map((id) => ({ id, type: 'promptString' }));
    expect(errorsOf(sharing('a-b', 'a_b'))).toEqual([
      ': inputs "a-b" and "a_b" share the environment variable A2C_SMCP_a_b',
    ]);
    expect(warningsOf(sharing('key', 'KEY'))[0]).toContain('share the environment variable A2C_SMCP_KEY');
  });
});
