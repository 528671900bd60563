import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  bundleIdOf,
  describeStart,
  formatProblem,
  InputResolver,
  marketplaceRefusal,
  readConfig,
  recordAnswer,
  type ServerConfig,
  scopedSettings,
  scopeServers,
  TrustGuard,
  TrustStore,
  UNTRUSTED,
} from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';

let root: string;
const path = (name: string) => join(root, name);
const options = () => ({ root, file: path('user.json'), policy: path('policy'), store: new TrustStore(path('trust')) });
const read = (more: object = {}) => scopedSettings({ ...options(), ...more });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'a2c-scopes-'));
  vi.stubEnv('A2C_HOME', path('home'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(name: string, value: object): void {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), JSON.stringify(value));
}

const server = (command: string) => ({ type: 'stdio', server_parameters: { command } });
const named = (name: string): ServerConfig => {
  const [found] =
    readConfig(JSON.stringify({ servers: { [name]: server('named') } }), { file: 'x' }).config?.servers ?? [];
  if (!found) throw new Error('expected a server');
  return found;
};
const git = (url: string, more: object = {}) => ({ source: { type: 'git', url }, ...more });

describe('settings', () => {
  verifies('MEM-SCOPE-01', 'lists are joined, other values are those of the highest scope', async () => {
    write('user.json', {
      landingRoot: '/user',
      enabledPlugins: { 'a@m': true, 'b@m': true },
      disabledMcpjsonServers: ['u'],
    });
    write('.tfrobot/settings.json', { enabledPlugins: { 'a@m': false, 'c@m': true }, disabledMcpjsonServers: ['p'] });
    write('.tfrobot/settings.local.json', { disabledMcpjsonServers: ['l'] });
    write('flag.json', { enabledPlugins: { 'c@m': false }, enabledMcpjsonServers: ['f'] });
    write('policy/managed-settings.json', { landingRoot: '/policy', deniedMcpServers: ['d'] });
    const settings = await read({ flag: path('flag.json') });
    expect(settings).toMatchObject({
      enabledPlugins: { 'a@m': false, 'b@m': true, 'c@m': false },
      landingRoot: '/policy',
      lists: { disabled: ['u', 'p', 'l'], denied: ['d'] },
      approved: { servers: ['f'], isForAll: false },
      warnings: [],
    });
    await expect(read({ flag: path('missing.json') })).rejects.toThrow('missing.json');
  });

  verifies('MEM-SCOPE-01', 'a project approves nothing, nor does a local file that others brought along', async () => {
    const approving = { enabledMcpjsonServers: ['x'], enableAllProjectMcpServers: true, landingRoot: '/x' };
    write('.tfrobot/settings.json', approving);
    write('.tfrobot/settings.local.json', approving);
    const settings = await read();
    expect(settings).toMatchObject({
      approved: { servers: [], isForAll: false },
      approvedHere: { servers: [], isForAll: false },
      landingRoot: undefined,
    });
    expect(settings.warnings.filter((line) => line.includes('a project cannot decide this'))).toHaveLength(3);
    expect(settings.warnings.filter((line) => line.includes('was not written by a2c'))).toHaveLength(3);
    // A malformed file of a project is reported and left out.
    writeFileSync(path('.tfrobot/settings.json'), '{');
    expect((await read()).warnings[0]).toMatch(/settings\.json are not valid.*they are ignored/);
    write('user.json', { landingRoot: 'relative' });
    await expect(read()).rejects.toThrow('landingRoot: expected an absolute path');
  });

  verifies('MEM-SCOPE-01', 'strictKnownMarketplaces permits only the declared marketplaces', async () => {
    write('user.json', {
      extraKnownMarketplaces: { own: git('https://a', { autoUpdate: true }) },
      blockedMarketplaces: ['bad'],
    });
    const free = await read();
    expect(free.marketplaces).toEqual({ own: { url: 'https://a', autoUpdate: true } });
    expect(marketplaceRefusal(free, 'other', 'https://b')).toBeUndefined();
    expect(marketplaceRefusal(free, 'bad')).toContain('is blocked');
    write('policy/managed-settings.json', {
      strictKnownMarketplaces: true,
      extraKnownMarketplaces: { team: git('https://t') },
    });
    const strict = await read();
    expect(marketplaceRefusal(strict, 'team', 'https://t')).toBeUndefined();
    for (const [name, url] of [
      ['team', 'https://b'],
      ['own', 'https://a'],
      ['other', 'https://b'],
    ] as const)
      expect(marketplaceRefusal(strict, name, url), name).toContain('strictKnownMarketplaces');
  });
});

describe('MCP servers', () => {
  const scoped = async (more: object = {}) => {
    const { store, policy } = options();
    return scopeServers({ root, settings: await read(), store, policy, ...more });
  };
  const servers = async (more: object = {}) => {
    const found = await scoped(more);
    return {
      on: found.servers
        .map(({ name, transport }) => `${name}: ${'argv' in transport ? transport.argv[0] : ''}`)
        .toSorted(),
      pending: found.pending.map(({ bundleId }) => bundleId),
    };
  };

  verifies('MEM-SCOPE-02', 'a higher scope replaces a server as a whole; those of a project are pending', async () => {
    write('home/config/mcp.json', { servers: { one: server('user'), two: server('user') } });
    write('.tfrobot/mcp.json', { servers: { two: server('project'), 'my three': server('project') } });
    write('.tfrobot/mcp.local.json', { servers: { 'my three': server('local') } });
    expect(await servers()).toEqual({ on: ['one: user', 'two: user'], pending: ['two', 'my_three'] });
    expect(await servers({ approveAll: true })).toEqual({
      on: ['my three: local', 'one: user', 'two: project'],
      pending: [],
    });
    write('policy/managed-mcp.json', { servers: { two: server('policy') } });
    expect(await servers({ named: { servers: ['one', 'two'].map(named), inputs: [] } })).toEqual({
      on: ['two: policy'],
      pending: ['my_three'],
    });
    write('user.json', { enabledMcpjsonServers: ['my_three'] });
    expect((await servers()).on).toContain('my three: local');
    write('user.json', { enableAllProjectMcpServers: true });
    expect((await servers()).pending).toEqual([]);
  });

  verifies(
    'MEM-SCOPE-03',
    'a malformed file of a project is left out and reported; one of the user is an error',
    async () => {
      write('home/config/mcp.json', { servers: { one: server('user') } });
      write('.tfrobot/mcp.local.json', { servers: { two: server('local') } });
      for (const text of ['{', '{"servers": {"three": {"type": "stdio"}}}']) {
        writeFileSync(path('.tfrobot/mcp.json'), text);
        const { warnings } = await scoped();
        expect(warnings.map(formatProblem).join('\n')).toMatch(
          /mcp\.json:.* error[\s\S]*mcp\.json: warning: .* are left out/,
        );
        expect(await servers()).toEqual({ on: ['one: user'], pending: ['two'] });
      }
      writeFileSync(path('home/config/mcp.json'), '{');
      await expect(servers()).rejects.toThrow('mcp.json');
    },
  );

  verifies('MEM-SCOPE-02', 'a pending server leaves that of the same name in a lower scope in use', async () => {
    const { store } = options();
    write('home/config/mcp.json', { servers: { mail: server('user') } });
    write('.tfrobot/mcp.json', { servers: { mail: server('project') } });
    const { pending, content } = await scoped();
    const user = path('home/config/mcp.json');
    expect(pending).toMatchObject([
      { bundleId: 'mail', file: path('.tfrobot/mcp.json'), replaces: user, isShared: true },
    ]);
    // "No" is about the server of the project only.
    const answer = (what: 'yes' | 'no') =>
      recordAnswer(root, { bundleId: 'mail', isShared: true, content }, what, { store });
    await answer('no');
    expect(await servers({ approveAll: true })).toEqual({ on: ['mail: user'], pending: [] });
    expect((await read()).lists.disabled).toEqual([]);
    await answer('yes');
    expect(await servers()).toEqual({ on: ['mail: project'], pending: [] });
    write('.tfrobot/mcp.json', { servers: { mail: server('changed') } });
    expect(await servers()).toEqual({ on: ['mail: user'], pending: ['mail'] });
  });

  verifies('MEM-GATE-02', 'an answer is recorded for the present content of the files', async () => {
    const { store } = options();
    const answer = async (bundleId: string, what: 'yes' | 'all' | 'no') => {
      const { content } = await scoped();
      await recordAnswer(root, { bundleId, isShared: false, content }, what, { store });
    };
    const local = () => JSON.parse(readFileSync(path('.tfrobot/settings.local.json'), 'utf8'));
    write('.tfrobot/mcp.json', { servers: { one: server('a'), two: server('b') } });
    // A file of others approves nothing, also not when an answer is added to it.
    write('.tfrobot/settings.local.json', {
      enableAllProjectMcpServers: true,
      enabledMcpjsonServers: ['two'],
      mine: 1,
    });
    await answer('one', 'yes');
    expect(local()).toMatchObject({ enabledMcpjsonServers: ['one'], mine: 1 });
    expect(local()).not.toHaveProperty('enableAllProjectMcpServers');
    expect(await servers()).toEqual({ on: ['one: a'], pending: ['two'] });
    await answer('two', 'no');
    expect(local()).toMatchObject({ enabledMcpjsonServers: ['one'], disabledMcpjsonServers: ['two'] });
    // Another program under an approved name is asked about again.
    write('.tfrobot/mcp.json', { servers: { one: server('c'), two: server('b') } });
    expect((await servers()).pending).toEqual(['one', 'two']);
    await answer('two', 'yes');
    expect(await servers()).toEqual({ on: ['two: b'], pending: ['one'] });
    await answer('two', 'all');
    expect((await servers()).pending).toEqual([]);
    // Who edits the approvals by another program approves nothing.
    write('.tfrobot/settings.local.json', { ...local(), enabledMcpjsonServers: ['one', 'two', 'three'] });
    expect((await servers()).pending).toEqual(['one', 'two']);
  });

  verifies(
    'MEM-GATE-04',
    'servers of a project that an answer could confuse are refused, with both names',
    async () => {
      const withId = (bundle_id: string) => ({ ...server('a'), bundle_id });
      for (const [first, second] of [
        [{ 'lint.': server('a') }, { lint: server('b') }],
        [{ docs: withId('lint') }, { lint: withId('zz') }],
        [{ lint: withId('zz') }, { docs: withId('lint') }],
      ] as const) {
        const [one, two] = [first, second].flatMap(Object.keys);
        const both = `the servers "${one}" and "${two}" share the name or bundle id "lint"`;
        const refused = async () => {
          const { warnings, pending, servers: on } = await scoped({ approveAll: true });
          expect([warnings[0]?.message, pending, on]).toEqual([expect.stringContaining(both), [], []]);
        };
        write('.tfrobot/mcp.json', { servers: { ...first, ...second } });
        await refused();
        write('.tfrobot/mcp.json', { servers: first });
        write('.tfrobot/mcp.local.json', { servers: second });
        await refused();
        rmSync(path('.tfrobot/mcp.local.json'));
      }
    },
  );

  verifies('MEM-GATE-02', 'settings that are replaced while they are read approve nothing', async () => {
    write('.tfrobot/mcp.json', { servers: { one: server('a') } });
    const { content } = await scoped();
    await recordAnswer(root, { bundleId: 'one', isShared: false, content }, 'no', { store: options().store });
    const own = readFileSync(path('.tfrobot/settings.local.json'), 'utf8');
    const forged = JSON.stringify({ approvedContent: content, enabledMcpjsonServers: ['one'], landingRoot: '/evil' });
    const replacing = `
      const { writeFileSync, renameSync } = require('node:fs');
      const [file, ...texts] = process.argv.slice(1);
      for (let turn = 0; ; turn++) {
        writeFileSync(file + '.new', texts[turn % 2]);
        renameSync(file + '.new', file);
      }`;
    const args = ['-e', replacing, path('.tfrobot/settings.local.json'), own, forged];
    const attacker = spawn(process.execPath, args, { stdio: 'ignore' });
    const seen = new Set<string>();
    try {
      for (let reads = 0; reads < 300; reads++) {
        const { approvedHere, landingRoot } = await read();
        seen.add(JSON.stringify([approvedHere.servers, landingRoot ?? 'none']));
      }
    } finally {
      attacker.kill('SIGKILL');
      await once(attacker, 'exit');
    }
    expect([...seen]).toEqual([JSON.stringify([[], 'none'])]);
  });

  verifies('MEM-GATE-07', 'a server of a project gets no bundle id of a server of the user', async () => {
    const withId = (bundle_id: string) => ({ ...server('project'), bundle_id });
    write('home/config/mcp.json', { servers: { github: server('user'), mail: { ...server('user'), bundle_id: 'm' } } });
    write('.tfrobot/mcp.json', { servers: { helper: withId('github'), m: server('x'), own: withId('named') } });
    const ids = async (more: object = {}) => {
      const { servers: on, pending } = await scoped({ named: { servers: [named('named')], inputs: [] }, ...more });
      return [
        on.map(({ name, bundle_id }) => [name, bundle_id]),
        pending.map(({ bundleId, assignedId, isShared }) => [bundleId, assignedId, isShared]),
      ];
    };
    const yours = [
      ['github', undefined],
      ['mail', 'm'],
    ];
    expect(await ids()).toEqual([
      yours,
      [
        ['github', 'github-project', true],
        ['m', 'm-project', true],
        ['named', 'named-project', true],
      ],
    ]);
    const assigned = [
      ['helper', 'github-project'],
      ['m', 'm-project'],
      ['own', 'named-project'],
    ];
    expect(await ids({ approveAll: true })).toEqual([[...yours, ...assigned], []]);
    // What is switched off by its bundle id stays off.
    write('user.json', { disabledMcpjsonServers: ['github'] });
    expect(JSON.stringify(await ids({ approveAll: true }))).toContain('["helper","github"]');
  });

  verifies(
    'MEM-GATE-07',
    'also a bundle id that is derived from a command, because the name has no letters',
    async () => {
      const servers = { 文件: server('user') };
      write('home/config/mcp.json', { servers });
      const [config] = (await scoped({})).servers;
      const derived = bundleIdOf(config as ServerConfig);
      expect(derived).toMatch(/^bundle_[0-9a-f]{16}$/);
      write('.tfrobot/mcp.json', { servers: { helper: { ...server('project'), bundle_id: derived } } });
      const ids = async () =>
        (await scoped({ approveAll: true })).servers.map(({ name, bundle_id }) => [name, bundle_id]);
      expect(await ids()).toEqual([
        ['文件', undefined],
        ['helper', `${derived}-project`],
      ]);
      // It can be switched off by this id, too.
      const guard = new TrustGuard({
        ...UNTRUSTED,
        trusted: true,
        lists: { denied: [], allowed: [], disabled: [derived], blockedMarketplaces: [] },
      });
      expect(guard.check(config as ServerConfig)).toMatchObject([{ rule: 'approval' }]);
    },
  );

  verifies(
    'MEM-GATE-04',
    'a refusal is about the server of the project only, and stronger than an approval',
    async () => {
      const { store } = options();
      write('home/config/mcp.json', { servers: { lint: server('user') } });
      write('.tfrobot/mcp.json', { servers: { docs: { ...server('bad'), bundle_id: 'lint' }, two: server('b') } });
      const { pending, content } = await scoped();
      const [docs, two] = pending;
      expect([docs?.isShared, two?.isShared]).toEqual([true, false]);
      if (!docs || !two) throw new Error('expected two servers');
      await recordAnswer(root, { ...docs, content }, 'no', { store });
      await recordAnswer(root, { ...two, content }, 'all', { store });
      expect(await servers()).toEqual({ on: ['lint: user', 'two: b'], pending: [] });
      expect((await read()).lists.disabled).toEqual([]);
      write('user.json', { enableAllProjectMcpServers: true, enabledMcpjsonServers: ['docs', 'lint'] });
      expect((await servers({ approveAll: true })).on).toEqual(['lint: user', 'two: b']);
    },
  );

  verifies('CONF-TRUST-07', 'a project gets no approval of another one by a link to its folder', async () => {
    const { store } = options();
    write('shop/.tfrobot/mcp.json', { servers: { search: server('search') } });
    mkdirSync(path('fork'));
    symlinkSync(path('shop/.tfrobot'), path('fork/.tfrobot'));
    const inFolder = async (name: string) => {
      const settings = await read({ root: path(name) });
      const found = await scopeServers({ root: path(name), settings, store, policy: path('policy') });
      return { ...found, of: settings };
    };
    const { content } = await inFolder('shop');
    const answer = { bundleId: 'search', isShared: false, content };
    await recordAnswer(path('shop'), answer, 'all', { store });
    expect((await inFolder('shop')).servers).toHaveLength(1);
    const fork = await inFolder('fork');
    expect([fork.servers, fork.pending, fork.of.approvedHere.servers]).toEqual([[], [], []]);
    const reason = `is below the symbolic link ${path('fork/.tfrobot')}, which may lead to files of another folder; put a copy in place of the link`;
    expect(fork.warnings[0]?.message).toBe(reason);
    expect(fork.of.warnings[0]).toContain(reason);
    await expect(recordAnswer(path('fork'), answer, 'all', { store })).rejects.toThrow(reason);
  });

  verifies('MEM-GATE-02', 'an answer does not approve what the files became during the question', async () => {
    const { store } = options();
    write('.tfrobot/mcp.json', { servers: { one: server('harmless') } });
    const { content } = await scoped();
    write('.tfrobot/mcp.json', { servers: { one: server('other') } });
    await recordAnswer(root, { bundleId: 'one', isShared: false, content }, 'yes', { store });
    expect(await servers()).toEqual({ on: [], pending: ['one'] });
  });

  verifies('MEM-GATE-02', 'the question shows all that decides what runs and what is sent', async () => {
    write('.tfrobot/mcp.json', {
      servers: {
        run: { command: 'node', args: ['a b', `x${' '.repeat(900)}y`], env: { NODE_OPTIONS: '-r ./x.js' }, cwd: 'sub' },
        web: { url: 'https://a.example/mcp', headers: { 'x-key': '${env:SECRET}' } },
      },
    });
    const [run = [], web] = (await scoped()).pending.map((each) => describeStart(each.server, each.inputs));
    expect(run[0]).toBe('node "a b" "x[900 blanks]y"');
    expect(run.slice(1).join('\n')).toMatch(/in the folder .*sub\nwith the variable NODE_OPTIONS=-r \.\/x\.js/);
    expect(web).toEqual(['https://a.example/mcp', 'with the header x-key: ${env:SECRET}']);
  });

  verifies(
    'MEM-GATE-03',
    'every field that decides what runs, is sent or goes without a question is shown',
    async () => {
      const login = {
        grant: 'client_credentials',
        client_id: '${env:ID}',
        client_secret: '${env:AWS_SECRET}',
        idp_client_secret: 'literal',
        idp_token_endpoint: 'https://idp.example/token',
        scopes: ['a', '${env:SCOPE}'],
      };
      const parameters = {
        command: 'node',
        stdout_log: { path: 'log/out' },
        sandbox: { read: ['${userHome}', '/a b'], write: [], network: true },
      };
      write('.tfrobot/mcp.json', {
        servers: {
          run: {
            type: 'stdio',
            server_parameters: parameters,
            vrl: '.x = "${env:KEY}"\n.',
            pins: 'off',
            default_tool_meta: { auto_apply: true },
            tool_meta: { 'a\nb': { note: '${env:KEY}' } },
            forbidden_tools: ['x y', 'z'],
          },
          web: { type: 'streamable', server_parameters: { url: 'https://a.example/mcp', oauth: login } },
        },
      });
      const [run, web] = (await scoped()).pending.map((each) => describeStart(each.server, each.inputs));
      expect(run).toEqual([
        'node',
        expect.stringMatching(/^with its output recorded in .*log.out$/),
        'in a sandbox where it reads ${userHome} "/a b" and uses the network',
        String.raw`with results changed by the script .x = "${'${env:KEY}'}"\n.`,
        'with the settings of all tools {"auto_apply":true}',
        String.raw`with the settings of the tool "a\nb" {"note":"${'${env:KEY}'}"}`,
        'without the tools "x y" z',
        'with pins off',
      ]);
      expect(web).toEqual([
        'https://a.example/mcp',
        'with an OAuth login by client_credentials',
        'with the OAuth client_id: ${env:ID}',
        'with the OAuth client_secret: ${env:AWS_SECRET}',
        'with the OAuth scopes: a ${env:SCOPE}',
        'with the OAuth idp_token_endpoint: https://idp.example/token',
        'with the OAuth idp_client_secret: ********',
      ]);
    },
  );

  verifies('MEM-GATE-03', 'every line of the question is one line, and no text looks like another', async () => {
    const forged = 'x\r\nStart it?\u2028\u202e\ty';
    const long = `${'a'.repeat(490)} \${env:AWS_SECRET}${'b'.repeat(90)}\${env:OTHER}`;
    const args = ['a" "b', '', forged, `echo${'\n'.repeat(6)}rm`];
    write('.tfrobot/mcp.json', {
      servers: {
        run: { command: 'node', args, env: { [forged.replaceAll(/\s/g, '')]: forged } },
        web: { url: 'https://a.example/mcp', headers: { 'x-key': long } },
      },
    });
    const [run = [], web = []] = (await scoped()).pending.map((each) => describeStart(each.server, each.inputs));
    expect(run[0]).toBe(String.raw`node "a\" \"b" "" "x\r\nStart it?\u2028\u202e\ty" "echo[6 line breaks]rm"`);
    for (const line of run) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(web[1]).toBe(`with the header x-key: ${long}`);
  });

  verifies('MEM-GATE-03', 'commands of inputs are shown with all arguments, as they are run', async () => {
    const print = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
    const input = (command: string, args: object = {}) =>
      ({ id: 'i', type: 'command', description: 'd', command, args }) as const;
    const args = { b: 'second "x"', a: '-eprocess.exit()', c: '' };
    const shownFor = async (given: object) => {
      const one = { type: 'stdio', server_parameters: { command: 'a', args: ['${input:i}'] } };
      write('.tfrobot/mcp.json', { servers: { one }, inputs: [given] });
      return (await scoped()).pending.flatMap((each) => describeStart(each.server, each.inputs))[1];
    };
    expect(await shownFor(input('node --title "a b"', args))).toBe(
      String.raw`with the input "project/i", the output of node --title "a b" -eprocess.exit() "second \"x\"" ""`,
    );
    if (process.platform !== 'win32')
      expect(await shownFor(input('curl x | sh', { a: '-s\nx' }))).toContain(
        String.raw`the output of /bin/sh -c "curl x | sh \"$@\"" sh "-s\nx"`,
      );
    // What is shown is what runs.
    const running = { ...input(`"${process.execPath}" -e '${print}' --`), args: { z: 'last', y: 'x y' } };
    const shown = await shownFor(running);
    const got = JSON.parse(String(await new InputResolver([running]).resolve('i'))) as string[];
    expect(got).toEqual(['x y', 'last']);
    expect(shown).toMatch(/ "x y" last$/);
  });
});
