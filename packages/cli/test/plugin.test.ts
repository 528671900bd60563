import { execFileSync } from 'node:child_process';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { Workplace, workshop } from './a2c.js';

verifies(
  ['MEM-PLUGIN-01', 'MEM-PLUGIN-02', 'MEM-GATE-01'],
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
        /shop: .*\n {4}with the settings of all tools {"auto_apply":true}\nTo trust them: .*--trust/,
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
    expect((await plugin('enable', 'mail@team', '--trust')).code).toBe(0);
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
