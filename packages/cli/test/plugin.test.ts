import { execFileSync } from 'node:child_process';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { Workplace, workshop } from './a2c.js';

verifies(
  ['MEM-PLUGIN-01', 'MEM-PLUGIN-02', 'MEM-PLUGIN-06', 'MEM-GATE-01'],
  'a2c plugin adds a marketplace; a Computer offers the skills and the trusted servers of enabled plugins',
  async () => {
    const place = new Workplace({
      'market/.tfrobot-plugin/marketplace.json': { plugins: [{ name: 'mail', source: 'mail' }] },
      'market/plugins/mail/skills/letters/SKILL.md': '---\ndescription: Writes letters\n---\n# Letters\n',
      'market/plugins/mail/mcp-servers/shop.json': workshop('shop'),
    });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        cwd: place.path('market'),
      });
    git('init', '--quiet');
    git('add', '-A');
    git('commit', '--quiet', '-m', 'x');
    const plugin = (...args: string[]) => place.a2c('plugin', ...args);
    expect((await plugin('marketplace', 'add', 'team', place.path('market'))).code).toBe(0);
    expect((await plugin('install', 'mail@team')).stderr).toContain('is installed and off');
    const off = await place.replies(['skills', 'status']);
    expect(off.replies).toMatchObject([[], { servers: [] }]);
    expect(off.replies[1].servers).toEqual([]);
    const refused = await plugin('enable', 'mail@team');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(
        /shop: .*\n {4}with the settings of all tools {"auto_apply":true}\nTo trust them: .*--shown [0-9a-f]{32}\n/,
      ),
    ]);
    // --approve-all-mcp starts them for one run, whatever is trusted.
    const enabledOnce = ['--plugin', 'mail@team'];
    const untrusted = await place.replies(['status'], enabledOnce);
    expect([untrusted.replies[0].servers, untrusted.stderr]).toEqual([
      [],
      expect.stringContaining('--approve-all-mcp'),
    ]);
    const approved = await place.replies(['status'], [...enabledOnce, '--approve-all-mcp']);
    expect(approved.replies[0].servers).toMatchObject([{ name: 'shop' }]);
    expect((await place.replies(['status'], enabledOnce)).replies[0].servers).toEqual([]);
    // What changed after the list was shown is not trusted by its id.
    const shownId = (stderr: string) => /--shown ([0-9a-f]{32})/.exec(stderr)?.[1] ?? '';
    place.write('market/plugins/mail/mcp-servers/shop.json', workshop('shop', {}, { NEW: '1' }));
    git('commit', '--quiet', '-am', 'x');
    expect((await plugin('marketplace', 'update', 'team')).code).toBe(0);
    const changed = await plugin('enable', 'mail@team', '--shown', shownId(refused.stderr));
    expect([changed.code, changed.stderr]).toEqual([
      1,
      expect.stringMatching(/are not those that were shown:[\s\S]*with the variable NEW=1/),
    ]);
    expect((await place.replies(['status'])).replies[0].servers).toEqual([]);
    expect((await plugin('enable', 'mail@team', '--shown', shownId(changed.stderr))).code).toBe(0);
    const unseen = await plugin('enable', 'mail@team', '--trust');
    expect([unseen.code, unseen.stderr]).toEqual([0, expect.stringMatching(/^trusted MCP servers[\s\S]*NEW=1/)]);
    expect((await plugin('list')).stdout).toMatch(/^mail@team\s+enabled/);
    const on = await place.replies(['skills', 'status']);
    expect(on.replies).toMatchObject([[{ name: 'mail:letters' }], { servers: [{ name: 'shop' }] }]);

    // An administrator or the user switches a server off, whatever is trusted.
    place.write('~/config/settings.json', {
      enabledPlugins: { 'mail@team': true },
      disabledMcpjsonServers: ['shop'],
    });
    const disabled = await place.replies(['start shop']);
    expect(JSON.stringify(disabled.replies)).toContain('disabledMcpjsonServers');
    expect((await place.a2c('mcp', 'tools', '--stdio', 'shop')).stderr).toContain('disabledMcpjsonServers');
  },
);
