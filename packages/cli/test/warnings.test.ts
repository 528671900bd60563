import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { COMMAND, Workplace, workshop } from './a2c.js';

// Generous, because other processes may load the machine.
vi.setConfig({ testTimeout: 60_000 });

const MISSPELT = { mcpServers: { s: { command: 'no-such-program', arg: ['x'] } } };
const WARNING = '"arg" is unknown and has no effect; did you mean "args"?';

describe('the warnings of a configuration', () => {
  const commands = [
    ['config', 'show'],
    ['config', 'convert', 'mcp.json', '--to', 'v1'],
    ['config', 'trust', 'mcp.json'],
    ['config', 'export', '--for', 'cursor'],
    ['mcp', 'servers'],
  ];
  verifies('CONF-WARN-01', 'are printed by the commands that print one document', async () => {
    const place = new Workplace({ 'mcp.json': MISSPELT });
    for (const command of commands) {
      // Once, not twice.
      expect((await place.a2c(...command)).stderr.split(WARNING), command.join(' ')).toHaveLength(2);
    }
  });

  verifies('CONF-WARN-01', 'are no failure and not "ok" for "doctor"', async () => {
    const place = new Workplace({ 'mcp.json': MISSPELT });
    const { stdout } = await place.a2c('doctor', '--config', 'mcp.json');
    expect(stdout.split('\n').filter((line) => line.includes(WARNING))).toEqual([
      expect.stringMatching(/^WARN configuration: /),
    ]);
    const { findings } = JSON.parse((await place.a2c('doctor', '--config', 'mcp.json', '--json')).stdout);
    expect(findings.filter(({ warning }: { warning?: true }) => warning)).toHaveLength(1);
  });

  verifies('CONF-WARN-01', 'are printed by the Computer, also for "server add" and inputs', async () => {
    const inputs = ['api-key', 'api_key'].map((id) => ({ id, type: 'promptString' }));
    const place = new Workplace({ 'mcp.json': MISSPELT, 'inputs.json': inputs });
    const shell = await place.computer([], ['run', '-c', 'mcp.json', '-i', 'inputs.json', '--no-auto-connect']);
    expect(shell.stderr).toContain(WARNING);
    expect(shell.stderr).toContain('share the environment variable A2C_SMCP_api_key');
    const lines = [`server add ${JSON.stringify(MISSPELT)}`, 'inputs load @inputs.json'];
    const added = await place.computer(lines, ['run', '--no-auto-connect']);
    expect(added.stderr).toContain(WARNING);
    expect(added.stderr).toContain('line 2: ');
  });

  verifies('CONF-WARN-01', 'are printed by "up"', async () => {
    const place = new Workplace({ 'mcp.json': MISSPELT });
    const child = spawn(process.execPath, [COMMAND, 'up', '--config', 'mcp.json', '--port', '0'], {
      cwd: place.folder,
      env: { ...process.env, A2C_HOME: place.home },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    const printed: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => printed.push(line));
    for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('ready ')) break;
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(printed.join('\n')).toContain(WARNING);
  });

  verifies('CONF-WARN-02', 'name an entry of forbidden_tools that matches no tool', async () => {
    const place = new Workplace({ 'servers.json': [workshop('w', { forbidden_tools: ['ecko', 'echo'] })] });
    const { code, stderr } = await place.a2c('mcp', 'tools', 'w', '--config', 'servers.json', '--trust');
    expect([code, stderr]).toEqual([0, 'w: forbidden_tools: "ecko" matches no tool of this server\n']);
  });

  verifies(
    ['CONF-WARN-02', 'CONF-WARN-03'],
    'of a connected server are printed by doctor and "server add"',
    async () => {
      const misspelt = { forbidden_tools: ['ecko'], tool_meta: { ecko: { auto_apply: false } } };
      const server = workshop('w', misspelt, { KEY: '${input:none}' });
      const place = new Workplace({ 'servers.json': [server] });
      const warnings = [
        'input "none" is not defined; its placeholder is not expanded',
        'forbidden_tools: "ecko" matches no tool of this server',
        'tool_meta: "ecko" matches no tool of this server',
      ];
      const doctor = await place.a2c('doctor', '--config', 'servers.json');
      expect(doctor.stdout.split('\n').filter((line) => line.startsWith('WARN'))).toEqual(
        warnings.map((message) => `WARN server "w": ${message}`),
      );
      const added = await place.computer([`server add ${JSON.stringify(server)}`], ['run', '--lang', 'en']);
      expect(added.stderr.trimEnd().split('\n')).toEqual(warnings.map((message) => `w: ${message}`));
      const listed = await place.a2c('mcp', 'tools', 'w', '--config', 'servers.json', '--trust');
      expect(listed.stderr.trimEnd().split('\n')).toEqual(warnings.map((message) => `w: ${message}`));
    },
  );

  verifies('NEW-SHELL-04', 'and errors at the start of a Chinese Computer are in Chinese', async () => {
    const wrong = [{ name: 'w', type: 'stdio', server_parameters: { command: 'node', arg: [] } }];
    const place = new Workplace({ 'mcp.json': MISSPELT, 'wrong.json': wrong });
    const chinese = ['--no-auto-connect', '--lang', 'zh'];
    const warned = await place.computer([], ['run', '-c', 'mcp.json', ...chinese]);
    expect(warned.stderr).toContain('警告: "arg" 是未知的键，不起作用；是不是 "args"？');
    const refused = await place.computer([], ['run', '-c', 'wrong.json', ...chinese]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/错误: 未知的键 "arg"；是不是 "args"？；可用: command, /),
    ]);
  });
});

describe('a file named with --config', () => {
  verifies('CONF-TRUST-06', 'is trusted by doctor; mcp refuses it in one line', async () => {
    const place = new Workplace({ 'servers.json': [workshop('w')] });
    const doctor = await place.a2c('doctor', '--config', 'servers.json');
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringMatching(/^ok {3}server "w": stdio, MCP /m)]);
    const rule = `(rule spawn; allowed by --trust, or npx a2c config trust ${place.path('servers.json')})`;
    expect(await place.a2c('mcp', 'tools', 'w', '--config', 'servers.json')).toEqual({
      code: 2,
      stdout: '',
      stderr: `w: would start a program ${rule}\n`,
    });
    const all = await place.a2c('mcp', 'tools', '--config', 'servers.json', '--json');
    expect(JSON.parse(all.stdout)).toEqual({ servers: { w: { error: expect.stringContaining(rule) } } });
  });
});

describe('inputs value set', () => {
  verifies('CONF-INPUT-06', 'keeps text that looks like a number, and rejects what is not an option', async () => {
    const place = new Workplace({
      'inputs.json': [
        { id: 'T', type: 'promptString', description: '' },
        { id: 'P', type: 'pickString', description: '', options: ['a', '1'] },
      ],
    });
    const values = ['12345678901234567890', '1e5', '1.10', '007', '42', '"12"', '[1]'];
    const lines = values.flatMap((value) => [`inputs value set T ${value}`, 'inputs value get T']);
    const { replies } = await place.replies(
      [...lines, 'inputs value set P z', 'inputs value set P 1', 'inputs value get P'],
      ['run', '-i', 'inputs.json'],
    );
    const got = replies.filter((_, index) => index % 2 === 1).slice(0, values.length);
    expect(got).toEqual(['12345678901234567890', '1e5', '1.10', '007', 42, '12', [1]]);
    expect(replies.slice(-3)).toEqual([
      expect.objectContaining({ ok: false, error: 'P must be one of: a, 1' }),
      { ok: true, id: 'P' },
      '1',
    ]);
  });
});
