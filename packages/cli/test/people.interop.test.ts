import { chmodSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { Agent } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { COMMAND, Workplace, workshop } from './a2c.js';
import { KEYS, Person } from './terminal.js';

const DEMO = `"${process.execPath}" "${fileURLToPath(new URL('../dist/demo/demo-server.js', import.meta.url))}"`;

verifies(
  'NEW-OUTPUT-01',
  'a2c mcp prints signatures, text and images for people at a terminal, and JSON with --json',
  async () => {
    const place = new Workplace();
    const shows = async (...args: string[]) => {
      const person = new Person(place, ['mcp', ...args, '--stdio', DEMO], {}, 100, COMMAND);
      expect(await person.leaves()).toBe(0);
      // On a busy machine, the start shows a line that is removed again.
      const shown = person.raw.split('\r\u001b[K');
      return stripVTControlCharacters(shown.at(-1) ?? '').replaceAll('\r', '');
    };
    const tools = await shows('tools');
    expect(tools).toMatch(/^\/\/ .+\nadd_note\(args: \{text: string\}\)/m);
    expect(tools).not.toContain('"inputSchema"');
    const narrow = new Person(place, ['mcp', 'tools', '--stdio', DEMO], {}, 40, COMMAND);
    await narrow.leaves();
    const comments = stripVTControlCharacters(narrow.raw).match(/^.*\/\/ .*$/gm) ?? [];
    expect(comments.length).toBeGreaterThan((tools.match(/^\/\/ /gm) ?? []).length);
    expect(comments.filter((line) => line.trimEnd().length > 40)).toEqual([]);
    const coloured = new Person(place, ['mcp', 'tools', '--stdio', DEMO], { NO_COLOR: '' }, 100, COMMAND);
    await coloured.leaves();
    expect(coloured.raw).toContain('\u001b[1madd_note\u001b[22m(args: {text: string})');
    expect(await shows('call', 'add_note', 'text=milk')).toBe('Note 1 added.\n');
    expect(await shows('call', 'bar_chart', 'values=[1,2]', '--save', 'images')).toMatch(/^images\/\S+\.(png|svg)$/m);
    expect(readdirSync(place.path('images'))).toHaveLength(1);
    expect(await shows('resources')).toMatch(/^resource +description\nwindow:\/\/a2c\.demo\/clock\?priority=20 /m);
    expect(await shows('prompts')).toBe('(no prompts)\n');
    expect(await shows('read', 'window://a2c.demo/notes?priority=80')).toBe('No notes yet.\n');
    expect(JSON.parse(await shows('tools', '--json')).tools).toContainEqual(
      expect.objectContaining({ name: 'add_note' }),
    );
  },
);

verifies(
  ['NEW-SHELL-01', 'NEW-SHELL-02', 'NEW-SHELL-03', 'NEW-SHELL-04', 'NEW-OUTPUT-04'],
  'the shell: questions, history search, completion, editor and colours, in Chinese',
  async () => {
    const server = workshop('w', {}, { T: '${input:tok}' });
    const place = new Workplace({
      'servers.json': { servers: [server], inputs: [{ type: 'promptString', id: 'tok', description: '令牌' }] },
      'editor.sh': '#!/bin/sh\nsed -i "s/\\"disabled\\": false/\\"disabled\\": true/" "$1"\n',
      'call.json': { message: 'from a file' },
    });
    chmodSync(place.path('editor.sh'), 0o755);
    const env = { LC_ALL: 'zh_CN.UTF-8', EDITOR: place.path('editor.sh'), NO_COLOR: '' };
    const person = new Person(place, ['-c', 'servers.json'], env);
    await person.sees('令牌 (tok，MCP 服务器 "w" 需要)');
    person.types('abc', KEYS.enter);
    await person.sees('a2c> ');
    person.types('tc elicit', KEYS.enter);
    await person.sees('MCP 服务器 "w" 提问：');
    await person.sees('how [string]');
    person.types('well', KEYS.enter);
    await person.sees('是否发送以上回答？');
    person.types('是', KEYS.enter);
    await person.sees('"content":{"how":"well"}');
    await person.sees('a2c> ');
    expect(await person.does('tc none')).toContain('正在运行的服务器都没有工具 "none"');
    expect(person.raw).toContain('\u001b[31m');
    person.types('\u0012', 'elic');
    await person.sees("'elic': tc elicit");
    person.types(KEYS.ctrlC);
    await person.sees('a2c> ');
    person.types('tc w.echo @cal', KEYS.tab);
    await person.sees('@call.json');
    person.types(KEYS.enter);
    await person.sees('from a file');
    await person.sees('a2c> ');
    expect(await person.does('server edit w')).toContain('✅');
    expect(await person.does('status')).toContain('禁用');
    person.types('quit', KEYS.enter);
    expect(await person.leaves()).toBe(0);
  },
);

verifies(
  'NEW-OUTPUT-07',
  'the link of the console is repeated for a question once it has left the screen',
  async () => {
    const person = new Person(new Workplace(), ['up', '--port', '0', '--name', 'pc'], {}, 16, COMMAND);
    await person.sees('ready ');
    const url = (await person.sees('\n')).trim();
    const agent = await Agent.connect({ url, office: 'demo', name: 'bot' });
    const called = agent.callTool('pc', 'clear_notes', {}).catch(() => {});
    await person.sees('browser:');
    await person.sees('#token=');
    person.types(KEYS.ctrlC);
    await person.leaves();
    await called;
    await agent.close();
  },
);

verifies('NEW-OUTPUT-04', 'advice of doctor and notes of an import are wrapped between words', async () => {
  const place = new Workplace({ '.mcp.json': { mcpServers: { git: { command: 'no-such-program' } } } });
  const lines = async (...args: string[]) => {
    const person = new Person(place, args, { HOME: place.home, PATH: '/nowhere' }, 60, COMMAND);
    await person.leaves();
    return person.screen.split('\r\n');
  };
  const advice = await lines('doctor', '--config', '.mcp.json');
  expect(advice.join('\n')).toMatch(/was not\n {5}found or cannot be executed\n {5}→ install it, /);
  const imported = await lines('config', 'import');
  expect(imported.join('\n')).toMatch(/note: "git" is from [^\n]*\n {4}\S/);
  for (const line of [...advice, ...imported]) expect(line.length, line).toBeLessThanOrEqual(60);
});
