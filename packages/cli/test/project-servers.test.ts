import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { COMMAND, Workplace, workshop } from './a2c.js';

const serversIn = (replies: readonly { servers: readonly { name: string }[] }[]) =>
  replies[0]?.servers.map(({ name }) => name).toSorted();

verifies(
  ['MEM-GATE-02', 'MEM-SCOPE-01', 'MEM-SCOPE-02'],
  'a Computer starts the servers of all scopes, and those of a project only if they are approved',
  async () => {
    const place = new Workplace({
      '~/config/mcp.json': { servers: { mine: workshop('mine') } },
      '.tfrobot/mcp.json': { servers: { shared: workshop('shared'), other: workshop('other') } },
      '.tfrobot/settings.json': { enableAllProjectMcpServers: true, disabledMcpjsonServers: ['other'] },
      'named.json': [workshop('named'), workshop('mine', { forbidden_tools: ['echo'] })],
      'settings.json': { enabledMcpjsonServers: ['shared'] },
    });
    const run = async (...args: string[]) => place.replies(['status'], args);
    const bare = await run();
    expect(serversIn(bare.replies)).toEqual(['mine']);
    expect(bare.stderr).toContain('enableAllProjectMcpServers is ignored: a project cannot decide this');
    expect(bare.stderr).toMatch(
      /"shared" of .*mcp\.json is not started, because you have not approved it .*--approve-all-mcp/,
    );
    expect(bare.stderr).not.toContain('"other" of');
    expect(existsSync(place.path('.tfrobot/settings.local.json'))).toBe(false);

    const approved = await run('--approve-all-mcp', '--config', 'named.json');
    expect(serversIn(approved.replies)).toEqual(['mine', 'named', 'other', 'shared']);
    // Switched off stays off.
    expect(JSON.stringify(approved.replies)).toContain('disabledMcpjsonServers');
    expect(serversIn((await run()).replies)).toEqual(['mine']);
    expect(serversIn((await run('--settings', 'settings.json')).replies)).toEqual(['mine', 'shared']);
    expect((await run('--settings', 'missing.json')).code).not.toBe(0);
  },
);

verifies(
  'MEM-GATE-04',
  'two servers of a project that share a bundle id do not start, and both are named',
  async () => {
    const place = new Workplace({
      '.tfrobot/mcp.json': { servers: { 'lint.': workshop('lint.'), lint: workshop('lint') } },
      'settings.json': { enabledMcpjsonServers: ['lint'] },
    });
    const { replies, stderr } = await place.replies(['status'], ['--settings', 'settings.json']);
    expect(stderr).toContain('the servers "lint." and "lint" share the name or bundle id "lint"');
    expect(serversIn(replies)).toEqual([]);
  },
);

verifies('MEM-GATE-05', 'a server that is too long to be reviewed starts only by trust in its file', async () => {
  const long = workshop('long', {}, { LONG: 'x'.repeat(8_000) });
  const place = new Workplace({ '.tfrobot/mcp.json': { servers: { long, short: workshop('short') } } });
  const { replies, stderr } = await place.replies(['status']);
  expect(serversIn(replies)).toEqual([]);
  expect(stderr).toMatch(/"long" of .* is not started: it has 8\d\d\d characters.* config trust /);
  expect(stderr).toMatch(/"short" of .* is not started, because you have not approved it/);
  expect((await place.a2c('config', 'trust', '.tfrobot/mcp.json')).code).toBe(0);
  expect(serversIn((await place.replies(['status'])).replies)).toEqual(['long', 'short']);
});

verifies(
  ['CONF-TRUST-07', 'CONF-TRUST-08'],
  'an approved server does not start in another project that has a link to its folder',
  async () => {
    const place = new Workplace({
      'shop/.tfrobot/mcp.json': { servers: { shared: workshop('shared') } },
      'fork/README.md': '',
      'plain/mcp.json': { servers: { shared: workshop('shared') } },
    });
    symlinkSync(join('..', 'shop', '.tfrobot'), place.path('fork/.tfrobot'));
    const inProject = (name: string) => place.replies(['status'], ['--root', name]);
    const trust = await place.a2c('config', 'trust', '.tfrobot/mcp.json', '--root', 'shop');
    expect(trust.code).toBe(0);
    expect(serversIn((await inProject('shop')).replies)).toEqual(['shared']);
    for (const also of [[], ['.tfrobot/mcp.json', '--root', 'fork']]) {
      if (also.length > 0) await place.a2c('config', 'trust', ...also);
      const { replies, stderr } = await inProject('fork');
      expect(serversIn(replies)).toEqual([]);
      expect(stderr).toContain(`mcp.json: error: is below the symbolic link ${place.path('fork/.tfrobot')}`);
    }
    // A refusal names the command for the folder of the run.
    const tools = () => place.a2c('mcp', 'tools', 'shared', '--root', 'plain');
    const refused = await tools();
    const file = place.path('plain/mcp.json');
    expect(refused.stderr).toContain(`npx a2c config trust ${file} --root ${place.path('plain')})`);
    await place.a2c('config', 'trust', file);
    expect((await tools()).code).toBe(2);
    await place.a2c('config', 'trust', file, '--root', place.path('plain'));
    expect((await tools()).code).toBe(0);
  },
);

verifies('MEM-SCOPE-03', 'a malformed file of a project does not keep a Computer from starting', async () => {
  const place = new Workplace({
    '~/config/mcp.json': { servers: { mine: workshop('mine') } },
    '.tfrobot/mcp.json': { servers: { bad: { type: 'stdio', unknown: 1 } } },
  });
  const { code, replies, stderr } = await place.replies(['status']);
  expect([code, serversIn(replies)]).toEqual([0, ['mine']]);
  expect(stderr).toMatch(/mcp\.json:.* error at \/servers\/bad[\s\S]*the MCP servers of this file are left out/);
});

verifies('MEM-SCOPE-02', 'a server of the user runs while one of the project with its name is pending', async () => {
  const place = new Workplace({
    '~/config/mcp.json': { servers: { mail: workshop('mail') } },
    '.tfrobot/mcp.json': { servers: { mail: workshop('mail', { forbidden_tools: ['echo'] }) } },
  });
  const { replies, stderr } = await place.replies(['status']);
  expect(serversIn(replies)).toEqual(['mail']);
  expect(stderr).toMatch(
    /"mail" of .*\.tfrobot.mcp\.json is not started.*; the one of .*config.mcp\.json is used instead/,
  );
});

verifies(
  'MEM-PLUGIN-04',
  'a Computer adds declared marketplaces and updates those with automatic updates',
  async () => {
    const place = new Workplace({
      'market/.tfrobot-plugin/marketplace.json': { plugins: [{ name: 'mail', source: 'mail' }] },
      'market/plugins/mail/skills/letters/SKILL.md': '---\ndescription: one\n---\n',
    });
    const url = place.path('market');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: url });
    const commit = () => {
      git('add', '-A');
      git('commit', '--quiet', '-m', 'x');
      return git('rev-parse', 'HEAD').toString().trim();
    };
    git('init', '--quiet');
    commit();
    const marketplaces = () =>
      place.json<Record<string, { commitSha: string; autoUpdate?: boolean }>>('plugin', 'marketplace', 'list');
    const settings = () => JSON.parse(readFileSync(place.path('~/config/settings.json'), 'utf8'));
    expect((await place.a2c('plugin', 'marketplace', 'add', 'team', url, '--auto-update')).code).toBe(0);
    expect((await marketplaces()).team?.autoUpdate).toBe(true);
    expect(settings().trustedMarketplaces).toEqual(['team']);
    place.write('market/plugins/mail/skills/letters/SKILL.md', '---\ndescription: two\n---\n');
    const second = commit();
    place.write('~/config/settings.json', {
      ...settings(),
      extraKnownMarketplaces: {
        declared: { source: { type: 'git', url } },
        broken: { source: { type: 'git', url: `${url}-no` } },
      },
    });
    const child = spawn(process.execPath, [COMMAND, 'computer', 'run'], {
      ...{ cwd: place.folder, env: { ...process.env, A2C_HOME: place.home } },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await expect.poll(marketplaces).toMatchObject({ team: { commitSha: second }, declared: { commitSha: second } });
    child.stdin.end();
    expect((await ended)[0]).toBe(0);
    const updated = await place.a2c('plugin', 'marketplace', 'update');
    expect([updated.code, updated.stderr]).toEqual([1, expect.stringMatching(/broken: git clone failed/)]);
    expect(await marketplaces()).toMatchObject({ team: { commitSha: second }, declared: { commitSha: second } });
    expect((await place.a2c('plugin', 'marketplace', 'update', 'team', '--no-auto-update')).code).toBe(0);
    expect((await marketplaces()).team?.autoUpdate).toBeUndefined();
    expect((await place.a2c('plugin', 'marketplace', 'update', '--auto-update')).code).toBe(2);
    place.write('~/config/settings.json', { strictKnownMarketplaces: true });
    const refused = await place.a2c('plugin', 'marketplace', 'update', 'team');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('strictKnownMarketplaces')]);
  },
);

verifies('MEM-GATE-07', 'a bundle id of the user stays that of the user', async () => {
  const place = new Workplace({
    '.tfrobot/mcp.json': { servers: { helper: workshop('helper', { bundle_id: 'one' }) } },
    'named.json': [workshop('one', {}, { WORKSHOP_NAME: 'of the user' })],
  });
  const { replies } = await place.replies(
    ['tc one__environment {"name": "WORKSHOP_NAME"}'],
    ['--approve-all-mcp', '--config', 'named.json'],
  );
  expect(JSON.stringify(replies)).toContain('of the user');
});
