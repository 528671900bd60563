import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { Workplace, workshop } from './a2c.js';

verifies(
  'SHELL-CMD-01',
  'server add lists tools whose names are taken with the server as prefix, as a file does',
  async () => {
    const place = new Workplace({ 'servers.json': [workshop('one')], 'two.json': workshop('two') });
    const { stdout, stderr, code } = await place.computer(
      ['server add @two.json', 'tools'],
      ['run', '--config', 'servers.json'],
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('✅ Server config added/updated and starting')]);
    expect(stdout).toMatch(/^two\.echo /m);
    expect(stderr).toMatch(/^two: listed as "two\.[^\n]*\n$/);
  },
);

verifies('SHELL-CMD-01', 'the history of an English shell has the English reason of a denied call', async () => {
  const place = new Workplace({ 'servers.json': [workshop('one', { default_tool_meta: { auto_apply: false } })] });
  const args = ['run', '--config', 'servers.json', '--confirm', 'deny'];
  const { stdout } = await place.computer(['tc echo {"message":"x"}', 'history'], args);
  expect(stdout).toContain('"error": "the user of the Computer denied this call"');
});

verifies('MCPX-PASS-01', 'options for the result of exec are refused with --pass-through', async () => {
  const place = new Workplace({ 'servers.json': [workshop('one')] });
  for (const option of ['--structured-content', '--no-structured-content']) {
    const { stderr, code } = await place.a2c('proxy', '--config', 'servers.json', '--pass-through', option);
    expect(code).toBe(2);
    expect(stderr).toContain('--pass-through');
  }
});

verifies('CLI-DOCTOR-01', 'a missing value is no reason to speak of downloads, and names the server once', async () => {
  const server_parameters = { command: 'npx', args: ['-y', 'gh-mcp'], env: { TOKEN: '${input:TOKEN}' } };
  const servers = [{ name: 'gh', type: 'stdio', server_parameters }];
  const inputs = [{ id: 'TOKEN', type: 'promptString', description: 'Token' }];
  const place = new Workplace({ 'servers.json': { servers, inputs } });
  const { stdout } = await place.a2cWith({ SSL_CERT_FILE: '/ca.pem' }, 'doctor', '--config', 'servers.json');
  expect(stdout).toContain('server "gh": env TOKEN: input "TOKEN" has no value');
  expect(stdout).not.toContain('download');
});
