import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { describe, expect, inject, onTestFinished } from 'vitest';
import { type ComposeMap, readCompose } from './compose-file.js';
import { lastOf, readDockerfile, wholeStage } from './dockerfile.js';
import { ROOT, read } from './source-tree.js';

const BINARY = join(inject('commands'), 'a2c.js');
const dockerfile = readDockerfile(read('Dockerfile'));
const images = ['server', 'proxy'];
const { services, networks } = readCompose(read('compose.yaml')) as {
  services: Record<string, ComposeMap>;
  networks: ComposeMap;
};

const listOf = (text: string | undefined) => JSON.parse(text ?? '') as string[];

describe('Dockerfile', () => {
  verifies('NEW-BOX-01', 'build and runtime stages are based on images with an exact version and digest', () => {
    expect(dockerfile.stages.map(({ name }) => name)).toEqual(['build', 'runtime', 'proxy', 'server']);
    const names = dockerfile.stages.map(({ name }) => name);
    for (const { from } of dockerfile.stages.filter((stage) => !names.includes(stage.from))) {
      expect(from).toMatch(/^node:\d+\.\d+\.\d+-\w+-slim@sha256:[0-9a-f]{64}$/);
    }
    // The newest line of Node with long-term support that CI runs.
    expect(dockerfile.args.NODE_IMAGE).toMatch(/^node:24\./);
    expect(read('.github/workflows/ci.yml')).toMatch(/node: \[.*\b24\]/);
    const known = ['ENV', 'WORKDIR', 'COPY', 'RUN', 'USER', 'ENTRYPOINT', 'HEALTHCHECK', 'EXPOSE', 'CMD'];
    const used = dockerfile.stages.flatMap(({ instructions }) => instructions);
    expect(used.filter(({ name }) => !known.includes(name))).toEqual([]);
    // Only locked versions are installed.
    expect(used.filter(({ text }) => /npm (install|i)\b|latest|sudo|curl/.test(text))).toEqual([]);
  });

  verifies('NEW-BOX-01', 'copied files exist and are not excluded by .dockerignore', () => {
    const ignore = read('.dockerignore').split('\n');
    expect(ignore).toContain('*');
    for (const { instructions } of dockerfile.stages) {
      for (const { text } of instructions.filter(({ name }) => name === 'COPY')) {
        const [, stage] = /^--from=(\w+) /.exec(text) ?? [];
        if (stage !== undefined) {
          expect(dockerfile.stages.map(({ name }) => name)).toContain(stage);
          continue;
        }
        for (const source of text.split(' ').slice(0, -1)) {
          expect(existsSync(join(ROOT, source)), source).toBe(true);
          expect(ignore).toContain(`!${source}`);
        }
      }
    }
    expect(ignore).toEqual(expect.arrayContaining(['**/node_modules', '**/dist']));
  });

  verifies('NEW-BOX-02', 'both images run without root, with an exec-form command and a health check', () => {
    for (const image of images) {
      const all = wholeStage(dockerfile, image);
      expect(lastOf(all, 'USER')).toBe('node');
      const after = all.slice(all.findIndex(({ name }) => name === 'USER'));
      expect(after.filter(({ name }) => name === 'RUN' || name === 'COPY')).toEqual([]);
      expect(listOf(lastOf(all, 'ENTRYPOINT'))).toEqual(['node', '/app/packages/cli/bin/a2c.js']);
      expect(listOf(lastOf(all, 'CMD'))[0]).toBe(image);
      expect(lastOf(all, 'HEALTHCHECK')).toMatch(/^--interval=\d+s --timeout=\d+s .*CMD \[/);
      const [, port] = /^A2C_HEALTH_URL=http:\/\/127\.0\.0\.1:(\d+)\/healthz$/.exec(lastOf(all, 'ENV') ?? '') ?? [];
      expect(lastOf(all, 'EXPOSE')).toBe(port);
      expect(all.filter(({ name, text }) => name === 'ENV' && /key|token|secret|passw/i.test(text))).toEqual([]);
    }
  });

  verifies(
    'NEW-BOX-02',
    'the server image refuses to start without TLS and authentication, and its health check works',
    async () => {
      expect(await exitOf(commandOf('server'))).toBe(2);
      const words = ((services.server?.command ?? []) as readonly string[]).filter((word) => !/redis/.test(word));
      await checkHealth([...words, '--port', '0'], { A2C_API_KEY: 'k' });
    },
  );

  verifies(
    'NEW-BOX-02',
    'the proxy image refuses to start without a token or with an empty one, and its health check works',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'a2c-box-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = join(folder, 'servers.json');
      writeFileSync(file, '[]');
      const places: Readonly<Record<string, string>> = { '/config/servers.json': file, '0.0.0.0:8000': '0.0.0.0:0' };
      const words = commandOf('proxy').map((word) => places[word] ?? word);
      expect(words).toContain(file);
      expect(await exitOf(words)).toBe(2);
      expect(await exitOf(words, { A2C_PROXY_TOKEN: '' })).toBe(2);
      await checkHealth(words, { A2C_PROXY_TOKEN: 'a-token-of-some-length' });
    },
  );
});

function commandOf(image: string): string[] {
  return listOf(lastOf(wholeStage(dockerfile, image), 'CMD'));
}

function a2c(words: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [BINARY, ...words], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function exitOf(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number | null> {
  const [code] = (await once(a2c(words, env), 'exit')) as [number | null];
  return code;
}

/** Runs the health check of an image while its command serves, while a server answers 503 and while none answers. */
async function checkHealth(words: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const [, command = ''] = /CMD (\[.*\])$/.exec(lastOf(wholeStage(dockerfile, 'runtime'), 'HEALTHCHECK') ?? '') ?? [];
  const [, ...args] = listOf(command);
  const check = (port: number | string | undefined) =>
    promisify(execFile)(process.execPath, args, {
      env: { ...process.env, A2C_HEALTH_URL: `http://127.0.0.1:${port}/healthz` },
    });
  const child = a2c(words, env);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [, port] = /^ready \S+?:(\d+)(?:\/\w*)?$/m.exec(String(line)) ?? [];
  await check(port);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  // Servers of this test, because another program may listen on the port of the ended command.
  for (const answer of ['HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n', '']) {
    const server = createServer((socket) => void socket.on('error', () => {}).end(answer)).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    await expect(check((server.address() as AddressInfo).port)).rejects.toMatchObject({ code: 1 });
  }
}

describe('compose.yaml', () => {
  verifies('NEW-BOX-03', 'every service has minimal privileges, and ports are published on loopback only', () => {
    expect(Object.keys(services)).toEqual(['redis', 'server', 'proxy']);
    for (const [name, service] of Object.entries(services)) {
      expect(service, name).toMatchObject({
        read_only: 'true',
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      // The entry point of a third-party image starts as root and switches the user, which needs capabilities.
      if ('image' in service) expect(service.user, name).toMatch(/^[1-9]\d*:[1-9]\d*$/);
      for (const port of (service.ports ?? []) as string[]) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
      for (const network of service.networks as string[]) expect(Object.keys(networks)).toContain(network);
    }
    expect(services.redis).not.toHaveProperty('ports');
    expect(networks.inside).toEqual({ internal: 'true' });
    expect(services.redis?.networks).toEqual(['inside']);
    expect(services.redis?.image).toMatch(/^redis:\d+\.\d+\.\d+-alpine@sha256:[0-9a-f]{64}$/);
  });

  verifies('NEW-BOX-03', 'the services fit together and contain no secret', () => {
    for (const image of images) {
      expect(services[image]?.build).toEqual({ context: '.', target: image });
      const ports = services[image]?.ports as string[];
      expect(ports[0]?.split(':').at(-1)).toBe(lastOf(wholeStage(dockerfile, image), 'EXPOSE'));
      const environment = Object.entries(services[image]?.environment as ComposeMap);
      for (const [name, value] of environment) if (/key|token/i.test(name)) expect(value).toMatch(/^\$\{/);
    }
    expect(services.server?.depends_on).toEqual({ redis: { condition: 'service_healthy' } });
    expect(services.server?.command).toEqual(expect.arrayContaining(['--redis', 'redis://redis:6379']));
    expect(services.redis).toHaveProperty('healthcheck');
  });

  verifies(
    'NEW-BOX-03',
    'the proxy can run an imported file: it can read it, download its servers and receive its inputs',
    () => {
      const { volumes, env_file, environment, tmpfs } = services.proxy as ComposeMap;
      const [volume] = volumes as ComposeMap[];
      // With a missing file, compose must fail instead of creating a folder of that name.
      expect(volume).toMatchObject({ type: 'bind', read_only: true, bind: { create_host_path: false } });
      expect(listOf(lastOf(wholeStage(dockerfile, 'proxy'), 'CMD'))).toContain(volume?.target);
      expect(env_file).toEqual([{ path: 'proxy.env', required: false }]);
      const cache = (environment as ComposeMap).npm_config_cache as string;
      expect((tmpfs as string[]).some((place) => cache.startsWith(place.replace(/:exec$/, '/')))).toBe(true);
      expect(tmpfs).toContain('/tmp:exec');
      expect(read('.gitignore').split('\n')).toContain('proxy.env');
    },
  );

  verifies('NEW-BOX-03', 'the parsers reject unsupported syntax', () => {
    expect(() => readCompose('a:\n  - b\n')).toThrow('not a key');
    expect(() => readCompose('a: b\na: c\n')).toThrow('not a key');
    expect(() => readCompose("a: 'b'\n")).toThrow('unsupported');
    expect(() => readCompose('a:\n      b: c\n')).toThrow('unexpected');
    expect(() => readDockerfile('FROM node\n')).toThrow('without a name');
    expect(() => readDockerfile('from node AS x\n')).toThrow('not an instruction');
  });
});
