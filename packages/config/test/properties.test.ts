import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import {
  checkPrograms,
  convertConfig,
  InputResolver,
  loadRequiredConfig,
  MAX_SERVERS,
  maskConfig,
  readConfig,
  resolveServer,
  TrustGuard,
  UNTRUSTED,
} from '../src/index.js';
import { temporaryFolder } from './reading.js';

const problemsOf = (text: string) => readConfig(text, { file: 'mcp.json' }).problems;

/** Any code point. Cheaper than the unit `binary`, which first builds a table of all of them. */
const codePoint = fc.integer({ min: 0, max: 0x10_ff_ff }).map((point) => String.fromCodePoint(point));

describe('properties', () => {
  const text = fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/).filter((name) => name !== '__proto__');
  const map = fc.dictionary(text, text, { maxKeys: 3 });
  const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const url = fc.constantFrom('https://e.example/mcp', 'http://127.0.0.1:1/x', 'https://${HOST}/');
  const server = fc.oneof(
    fc.record({
      transport: fc.constant('stdio'),
      argv: fc.array(text, { minLength: 1, maxLength: 3 }),
      inherit_env: some(fc.boolean()),
      env: some(map),
      stdout_log: some(
        fc.record({ path: text, max_parts: some(fc.nat(9)), max_bytes_per_part: some(fc.integer({ min: 1, max: 9 })) }),
      ),
    }),
    fc.record({ transport: fc.constant('unix'), unix_path: text }),
    fc.record({ transport: fc.constant('streamable_http'), url, http_headers: some(map), env_http_headers: some(map) }),
    fc.record({
      transport: fc.constant('streamable_http'),
      sse_url: url,
      http_url: url,
      bearer_token_env_var: some(text),
    }),
  );
  const v1 = fc.record({
    version: fc.constant(1),
    client: some(
      fc.record({
        protocol_version: some(text),
        capabilities: some(map),
        roots: some(fc.array(fc.record({ uri: text, name: some(text) }), { maxLength: 2 })),
      }),
    ),
    servers: fc.dictionary(text, server, { maxKeys: 4 }),
  });
  /** Objects whose keys the format defines; maps may have any key. */
  const FREE = /^\/client\/capabilities$|^\/servers$|\/(env|http_headers|env_http_headers)$/;

  verifies('CONF-PROP-01', 'one unknown key anywhere makes a valid file invalid, with its pointer', () => {
    fc.assert(
      fc.property(
        v1,
        fc.constantFrom('zzz', 'Argv', 'version ', '__proto__', 'constructor', ''),
        fc.nat(),
        (file, key, pick) => {
          expect(problemsOf(JSON.stringify(file))).toEqual([]);
          const places = closedObjects(JSON.parse(JSON.stringify(file)), '');
          const place = places[pick % places.length] ?? '';
          const changed = JSON.stringify(file, (_, value) => value);
          const withKey = insertKey(changed, place, key);
          expect(problemsOf(withKey).map(({ pointer }) => pointer)).toContain(`${place}/${key}`);
        },
      ),
      { numRuns: 200 },
    );
  });

  function closedObjects(value: unknown, pointer: string): string[] {
    if (typeof value !== 'object' || value === null) return [];
    const own = Array.isArray(value) || FREE.test(pointer) ? [] : [pointer];
    if (pointer === '/client/capabilities') return own;
    return [...own, ...Object.entries(value).flatMap(([key, inner]) => closedObjects(inner, `${pointer}/${key}`))];
  }

  /** Inserted into the text, because an assignment to `__proto__` does not create a key. */
  function insertKey(json: string, pointer: string, key: string): string {
    const marker = '\u0001';
    const document = JSON.parse(json) as Record<string, unknown>;
    let target = document;
    for (const step of pointer.split('/').slice(1)) target = target[step] as Record<string, unknown>;
    target[marker] = 0;
    return JSON.stringify(document).replace(JSON.stringify(marker), JSON.stringify(key));
  }

  // `npm run fuzz` reads thousands of mutated files.
  verifies('CONF-PROP-02', 'no JSON value and no mutated text crashes a reader', () => {
    const settle = (source: string) => {
      const { config, problems } = readConfig(source, { file: 'x' });
      expect(config === null).toBe(problems.some(({ severity }) => severity === 'error'));
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => settle(JSON.stringify(value))),
      { numRuns: 100 },
    );
    fc.assert(fc.property(fc.string({ unit: codePoint }), settle), { numRuns: 100 });
    const shapes = fc.constantFrom('mcpServers', 'servers', 'inputs', 'version', 'name', 'type', 'server_parameters');
    fc.assert(
      fc.property(fc.dictionary(shapes, fc.jsonValue({ maxDepth: 4 })), (value) => settle(JSON.stringify(value))),
      { numRuns: 100 },
    );
    fc.assert(
      fc.property(v1, fc.nat(), fc.string({ maxLength: 3 }), fc.nat(5), (file, at, inserted, removed) => {
        const source = JSON.stringify(file);
        const position = at % source.length;
        settle(source.slice(0, position) + inserted + source.slice(position + removed));
      }),
      { numRuns: 100 },
    );
  });

  verifies('CONF-PROP-02', 'reading and checking any file starts no program', async () => {
    const canary = join(temporaryFolder(), 'canary');
    const touch = ['touch', canary];
    const documents = [
      { version: 1, servers: { s: { transport: 'stdio', argv: touch } } },
      { mcpServers: { s: { command: touch } } },
      {
        servers: [{ name: 's', type: 'stdio', command: 'touch', args: [canary, '${input:c}'] }],
        inputs: [{ id: 'c', type: 'command', command: touch.join(' ') }],
      },
    ];
    for (const document of documents) {
      const root = temporaryFolder({ 'mcp.json': document });
      const config = await loadRequiredConfig({ root });
      const inputs = new InputResolver(config.inputs);
      for (const server of config.servers) {
        new TrustGuard(UNTRUSTED).check(server);
        await resolveServer(server, { trusted: false, root, inputs });
      }
      expect([checkPrograms(config), maskConfig(config).servers, convertConfig(config, 'a2c').losses]).toHaveLength(3);
    }
    expect(existsSync(canary)).toBe(false);
  });

  verifies('CONF-PROP-02', 'large and unusual files take linear time', () => {
    const many = Array.from({ length: MAX_SERVERS }, (_, at) => `"k${at}":{"transport":"stdio","argv":[],"x":1}`);
    expect(problemsOf(`{"version":1,"servers":{${many}}}`)).toHaveLength(2 * MAX_SERVERS);
    const keys = Array.from({ length: 10_000 }, (_, at) => `"k${at}":1`);
    expect(problemsOf(`{"version":1,"servers":{"s":{"transport":"stdio","argv":["x"],${keys}}}}`)).toHaveLength(10_000);
    const long = 'x'.repeat(750_000);
    expect(problemsOf(`{"mcpServers":{"s":{"command":"x","args":["${long}"]}}}`)).toEqual([]);
    expect(problemsOf(`{"${long}":1}`)).toHaveLength(1);
    expect(problemsOf(`"${'\\\\'.repeat(1_000_000)}`)).toHaveLength(1);
    expect(problemsOf(`${'//\n'.repeat(1_000_000)}{}`)).toHaveLength(1);
  });

  const manyServers = (count: number, more: object) => {
    const list = Array.from({ length: count }, (_, at) => ({ name: `s${at}`, ...more }));
    return { list, map: Object.fromEntries(list.map(({ name, ...server }) => [name, server])) };
  };
  const stdio = { type: 'stdio', server_parameters: { command: 'x' } };
  for (const [format, documentOf] of Object.entries({
    mcpServers: (count: number) => ({ mcpServers: manyServers(count, { command: 'x' }).map }),
    'server-map': (count: number) => manyServers(count, { command: 'x' }).map,
    v1: (count: number) => ({ version: 1, servers: manyServers(count, { transport: 'stdio', argv: ['x'] }).map }),
    vscode: (count: number) => ({ servers: manyServers(count, { command: 'x' }).map }),
    mcpx: (count: number) => ({ mcpServers: manyServers(count, { command: 'x' }).list }),
    a2c: (count: number) => ({ servers: manyServers(count, stdio).list }),
    'a2c list': (count: number) => manyServers(count, stdio).list,
  })) {
    verifies('CONF-PROP-03', `too many servers are refused at once: ${format}`, () => {
      const read = (count: number) => readConfig(JSON.stringify(documentOf(count)), { file: 'mcp.json' });
      expect(read(MAX_SERVERS).config?.servers).toHaveLength(MAX_SERVERS);
      const { config, problems } = read(MAX_SERVERS + 1);
      expect(config).toBeNull();
      // One problem: none of the servers was read.
      expect(problems).toMatchObject([
        { file: 'mcp.json', message: `the file has ${MAX_SERVERS + 1} servers; the limit is ${MAX_SERVERS}` },
      ]);
    });
  }
});
