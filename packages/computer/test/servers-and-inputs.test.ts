import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { Computer } from '../src/index.js';
import { boot, folder, inputs, recorder, server, textOf, until, workshop } from './harness.js';

const TOKEN = { id: 'TOKEN', type: 'promptString', description: 'the token', password: true };
const withToken = (name: string, more: object = {}) =>
  server(name, { server_parameters: workshop({ TOKEN: '${input:TOKEN}', LITERAL: 'l1teral-secret' }), ...more });

const stateOf = (computer: Awaited<ReturnType<typeof boot>>, name: string) =>
  computer.status().find((status) => status.name === name)?.state;

describe('booting', () => {
  verifies(['COMP-BOOT-01', 'COMP-INPUT-02'], 'reports servers that cannot be started, and runs the rest', async () => {
    const computer = await boot({
      inputs: inputs(TOKEN),
      mcpServers: [
        withToken('needs-token'),
        server('missing', { server_parameters: { command: 'a2c-no-such-program' } }),
        server('off', { disabled: true }),
        server('good'),
      ],
    });
    expect(['needs-token', 'missing', 'good'].map((name) => stateOf(computer, name))).toEqual([
      'error',
      'error',
      'connected',
    ]);
    expect(computer.status().find(({ name }) => name === 'off')).toMatchObject({ active: false });
    expect(computer.status()[0]?.cause).toContain('A2C_SMCP_TOKEN');
    expect(computer.log.filter(({ level }) => level === 'warn').map((line) => line.server)).toEqual(
      expect.arrayContaining(['needs-token', 'missing']),
    );
    expect(textOf(await computer.executeTool('1', 'echo', { message: 'hi' }))).toBe('hi');
    computer.setInputValue('TOKEN', 's3cret-token');
    await computer.removeServer('good');
    await computer.startServer('needs-token');
    expect(textOf(await computer.executeTool('2', 'environment', { name: 'TOKEN' }))).toBe('s3cret-token');
  });

  verifies('COMP-BOOT-02', 'happens once; closing is final, repeatable, and ends the servers', async () => {
    await using computer = await boot();
    await expect(computer.boot()).rejects.toThrow('boots once');
    const pid = computer.status()[0]?.diagnostics?.pid as number;
    expect(() => process.kill(pid, 0)).not.toThrow();
    void computer.close();
    await computer.close(); // Waits for the first call.
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await computer.close();
  });

  verifies('COMP-BOOT-02', 'closing does not wait for a server that is still starting', async () => {
    const slow = server('slow', { server_parameters: workshop({ WORKSHOP_DELAY: '60000' }) });
    const computer = new Computer({ name: 'pc', mcpServers: [slow], logger: recorder() });
    const booting = computer.boot();
    await until(() => computer.status()[0]?.active === true);
    await computer.close();
    await booting;
    expect(computer.status()).toEqual([]);
  });
});

verifies('COMP-LIVE-03', 'two servers with one tool name cause a warning with the remedy', async () => {
  const tools = (...names: readonly string[]) => {
    const WORKSHOP_TOOLS = JSON.stringify(names.map((name) => ({ name, inputSchema: { type: 'object' } })));
    return { server_parameters: workshop({ WORKSHOP_TOOLS }) };
  };
  const mcpServers = [server('first', tools('search', 'a')), server('second', tools('search', 'b'))];
  const computer = new Computer({ name: 'pc', mcpServers, env: {}, logger: recorder() });
  onTestFinished(() => computer.close());
  const warnings: { server: string; message: string }[] = [];
  computer.on('warning', (warning) => warnings.push(warning));
  await computer.boot();
  const shown = computer.tools().find(({ tool }) => tool.name === 'search')?.server;
  const hidden = shown === 'first' ? 'second' : 'first';
  const message = `listed as "${hidden}.search": server "${shown}" has tools of the same names; give them aliases in tool_meta`;
  expect(warnings).toEqual([{ server: hidden, message }]);
  await computer.addOrUpdateServer(
    server(hidden, {
      ...tools('search', hidden === 'first' ? 'a' : 'b'),
      tool_meta: { search: { alias: 'find', auto_apply: true } },
    }),
  );
  expect(
    computer
      .getAvailableTools()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['a', 'b', 'find', 'search']);
  expect(warnings).toHaveLength(1);
});

describe('changes at run time', () => {
  verifies(['COMP-LIVE-01', 'COMP-RULE-01'], 'count at once, for tools and for the shown configuration', async () => {
    const computer = await boot({ mcpServers: [] });
    const changes: string[] = [];
    computer.on('config', () => changes.push('config'));
    computer.on('tools', () => changes.push('tools'));
    expect(computer.getAvailableTools()).toEqual([]);

    await computer.addOrUpdateServer(server('w'));
    expect(Object.keys(computer.config().servers)).toEqual(['w']);
    expect(textOf(await computer.executeTool('1', 'echo', { message: 'hi' }))).toBe('hi');

    await computer.addOrUpdateServer(server('w', { forbidden_tools: ['echo'] }));
    expect(computer.servers()).toHaveLength(1);
    expect(await computer.executeTool('2', 'echo', { message: 'hi' })).toMatchObject({ error: { code: 403 } });

    const before = changes.length;
    await computer.addOrUpdateServer(server('w', { forbidden_tools: ['echo'] }));
    expect(changes.slice(before).filter((change) => change === 'config')).toEqual([]);

    await computer.stopServer('w');
    expect(await computer.executeTool('3', 'fail', {})).toMatchObject({ error: { code: 404 } });
    await computer.startAll();
    expect(textOf(await computer.executeTool('4', 'fail', {}))).toBe('it broke');
    await computer.stopAll();
    await computer.removeServer('w');
    expect(computer.config()).toEqual({ servers: {}, inputs: [] });
    await expect(computer.removeServer('w')).rejects.toThrow('no server "w"');
    expect(changes.filter((change) => change === 'config')).toHaveLength(3);
    expect(changes).toContain('tools');
  });

  verifies('COMP-LIVE-01', 'a server with a conflicting tool name is refused and changes nothing', async () => {
    const computer = await boot();
    const shown = computer.config();
    await expect(computer.addOrUpdateServer(server('second'))).rejects.toThrow('alias');
    expect(computer.config()).toEqual(shown);
    expect(textOf(await computer.executeTool('1', 'echo', { message: 'hi' }))).toBe('hi');
  });

  verifies('COMP-LIVE-01', 'tools that appear in a running server can be called', async () => {
    const computer = await boot();
    const changed = new Promise<void>((resolve) => computer.on('tools', resolve));
    await computer.executeTool('1', 'add_tool', { name: 'fresh' });
    await changed;
    expect(textOf(await computer.executeTool('2', 'fresh', {}))).toBe('I am fresh');
  });

  verifies(['COMP-LIVE-02', 'COMP-RULE-01'], 'inputs come, change and go, and their values with them', async () => {
    const computer = await boot({ mcpServers: [], inputs: inputs(TOKEN) });
    let changes = 0;
    computer.on('config', () => changes++);
    const region = { id: 'REGION', type: 'pickString', description: '', options: ['us', 'eu'], default: 'us' };
    computer.defineInputs(inputs(region));
    expect(computer.inputs().map(({ id }) => id)).toEqual(['TOKEN', 'REGION']);
    expect(computer.setInputValue('REGION', 'eu')).toBe(true);
    expect(computer.setInputValue('NONE', 'x')).toBe(false);
    expect(await computer.render('in ${input:REGION}')).toBe('in eu');
    expect(computer.inputValues()).toEqual({ REGION: 'eu' });
    computer.defineInputs(inputs({ ...region, options: ['us', 'eu', 'cn'] }));
    expect(computer.inputValues()).toEqual({ REGION: 'eu' });
    computer.defineInputs(inputs({ ...region, options: ['us', 'cn'] }));
    await expect(computer.render('${input:REGION}')).rejects.toThrow('is not one of us, cn');
    computer.removeInputValue('REGION');
    expect(await computer.render({ deep: ['${input:REGION}'] })).toEqual({ deep: ['us'] });
    computer.setInputValue('TOKEN', 's3cret-token');
    expect(computer.inputValues()).toEqual({ TOKEN: '********' });
    expect(computer.removeInputValue('TOKEN')).toBe(true);
    expect(computer.removeInputValue('TOKEN')).toBe(false);
    computer.setInputValue('TOKEN', 'x');
    computer.clearInputValues();
    expect(computer.inputValues()).toEqual({});
    expect(computer.removeInput('TOKEN')).toBe(true);
    expect(computer.removeInput('TOKEN')).toBe(false);
    computer.replaceInputs(inputs(TOKEN));
    expect(computer.inputs().map(({ id }) => id)).toEqual(['TOKEN']);
    expect(changes).toBe(5);
    const warnings: string[] = [];
    expect(await computer.render('${input:NONE}', (message) => warnings.push(message))).toBe('${input:NONE}');
    expect(warnings).toHaveLength(1);
  });
});

describe('a restart', () => {
  const pidOf = (computer: Awaited<ReturnType<typeof boot>>) => computer.status()[0]?.diagnostics?.pid;
  const valueIn = async (computer: Awaited<ReturnType<typeof boot>>, id: string, name: string) =>
    textOf(await computer.executeTool(id, 'environment', { name }));

  verifies(
    'MEM-INPUT-04',
    'resolves inputs again from the declaration; a command runs once for each start',
    async () => {
      const runs = join(folder(), 'runs');
      const count = {
        id: 'count',
        type: 'command',
        description: '',
        command: `echo x >> '${runs}'; wc -l < '${runs}'`,
      };
      const used = workshop({ TOKEN: '${input:TOKEN}', A: '${input:count}', B: '<${input:count}>' });
      const computer = await boot({
        inputs: inputs(TOKEN, count),
        mcpServers: [server('w', { server_parameters: used })],
        storedInputs: { TOKEN: 'first' },
      });
      expect(await valueIn(computer, '1', 'TOKEN')).toBe('first');
      expect([await valueIn(computer, '2', 'A'), await valueIn(computer, '3', 'B')]).toEqual(['1', '<1>']);
      computer.setInputValue('TOKEN', 'second');
      expect(await valueIn(computer, '4', 'TOKEN')).toBe('first');
      await computer.restartServer('w');
      expect(await valueIn(computer, '5', 'TOKEN')).toBe('second');
      expect([await valueIn(computer, '6', 'A'), await valueIn(computer, '7', 'B')]).toEqual(['2', '<2>']);
      await computer.addOrUpdateServer(server('w', { server_parameters: used, forbidden_tools: ['fail'] }));
      expect(await valueIn(computer, '8', 'A')).toBe('3');
      const shown = JSON.stringify(computer.config().servers.w);
      expect(shown).toContain('${input:count}');
    },
  );

  verifies('MEM-INPUT-05', 'that finds no value for an input keeps the process and its configuration', async () => {
    const computer = await boot({
      inputs: inputs(TOKEN),
      mcpServers: [withToken('w')],
      storedInputs: { TOKEN: 'kept' },
    });
    const pid = pidOf(computer);
    const before = computer.config();
    computer.defineInputs(inputs({ id: 'MORE', type: 'promptString', description: '', password: true }));
    const needsMore = server('w', { server_parameters: workshop({ TOKEN: '${input:MORE}' }) });
    await expect(computer.addOrUpdateServer(needsMore)).rejects.toThrow(/A2C_SMCP_MORE.*it keeps running as it is/s);
    expect(computer.config().servers).toEqual(before.servers);
    expect([pidOf(computer), stateOf(computer, 'w')]).toEqual([pid, 'connected']);
    expect(await valueIn(computer, '1', 'TOKEN')).toBe('kept');

    computer.setInputValue('MORE', 'now');
    await computer.addOrUpdateServer(needsMore);
    expect(await valueIn(computer, '2', 'TOKEN')).toBe('now');
    expect(pidOf(computer)).not.toBe(pid);
    const later = pidOf(computer);
    computer.removeInputValue('MORE');
    await expect(computer.restartServer('w')).rejects.toThrow('it keeps running as it is');
    expect([pidOf(computer), await valueIn(computer, '3', 'TOKEN')]).toEqual([later, 'now']);
  });

  verifies('MEM-INPUT-05', 'of two updates at once the later one wins, also while inputs are asked for', async () => {
    const answers: ((value: string) => void)[] = [];
    const slow = { id: 'slow', type: 'promptString', description: '' };
    const computer = await boot({
      inputs: inputs(slow),
      askInput: () => new Promise((resolve) => answers.push(resolve)),
    });
    const asking = computer.addOrUpdateServer(server('w', { server_parameters: workshop({ V: '${input:slow}' }) }));
    const refused = expect(asking).rejects.toThrow('was changed again meanwhile');
    await until(() => answers.length === 1);
    await computer.addOrUpdateServer(server('w', { server_parameters: workshop({ V: 'later' }) }));
    answers[0]?.('earlier');
    await refused;
    expect(await valueIn(computer, '1', 'V')).toBe('later');
  });
});

describe('secrets', () => {
  verifies(['SMCP-SEC-04', 'COMP-HIST-02'], 'reach the server and nothing else', async () => {
    const asked: string[] = [];
    const computer = await boot({
      inputs: inputs(TOKEN),
      mcpServers: [withToken('w', { vrl: null })],
      askInput: async ({ id }) => {
        asked.push(id);
        return 's3cret-token';
      },
    });
    expect(asked).toEqual(['TOKEN']);
    expect(textOf(await computer.executeTool('1', 'environment', { name: 'TOKEN' }))).toBe('s3cret-token');
    await computer.executeTool('2', 'echo', {
      message: 'my s3cret-token',
      api_key: 'k',
      note: 'sk-abcdefghijklmnop1234',
    });
    const shown = JSON.stringify([computer.config(), computer.history(), computer.log, computer.status()]);
    for (const secret of ['s3cret-token', 'l1teral-secret', 'sk-abcdefghijklmnop1234'])
      expect(shown).not.toContain(secret);
    expect(computer.config().servers.w).toMatchObject({
      name: 'w',
      type: 'stdio',
      server_parameters: { env: { TOKEN: '${input:TOKEN}', LITERAL: '********' } },
    });
    expect(computer.config().inputs).toEqual([
      { type: 'promptString', id: 'TOKEN', description: 'the token', default: null, password: true },
    ]);
    expect(computer.history()[1]?.parameters).toEqual({
      message: 'my [redacted]',
      api_key: '[redacted]',
      note: '[redacted]',
    });
  });

  verifies('COMP-HIST-02', 'are removed from the errors of a broken server', async () => {
    const computer = await boot({
      inputs: inputs(TOKEN),
      mcpServers: [server('w', { server_parameters: { command: 'no-such-${input:TOKEN}' } })],
      askInput: async () => 's3cret-token',
    });
    await until(() => stateOf(computer, 'w') === 'error');
    const thrown = await computer.startServer('w').catch((error: Error) => error.message);
    expect(thrown).toContain('[redacted]');
    expect(JSON.stringify([computer.log, computer.status(), thrown])).not.toContain('s3cret-token');
  });
});
