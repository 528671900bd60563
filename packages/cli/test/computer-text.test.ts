import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { Computer, type ConfirmRequest } from '@a2c/computer';
import { readConfig } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { fileArgument, firstWord, words } from '../src/computer/shell/command-line.js';
import { helpCommand, overviewCommands } from '../src/computer/shell/commands/overview.js';
import { COMMANDS } from '../src/computer/shell/commands.js';
import { complete } from '../src/computer/shell/completion.js';
import { displayWidth, padded, shortened, wrapped, wrappedMessage } from '../src/computer/shell/display-width.js';
import { type Language, languageOf } from '../src/computer/shell/language.js';
import { failed, type Session, type ShellCommand } from '../src/computer/shell/session.js';
import { unknownServer, unknownTool } from '../src/computer/shell/suggestion.js';
import { table } from '../src/computer/shell/table.js';
import { consentOnTerminal } from '../src/computer/shell/terminal/consent.js';
import type { Keyboard, KeyPress } from '../src/computer/shell/terminal/keyboard.js';
import { LineHistory, mayBeKept } from '../src/computer/shell/terminal/line-history.js';
import { pick } from '../src/computer/shell/terminal/questions.js';
import { TRANSLATED, translateMessage } from '../src/computer/shell/translations.js';
import { createView } from '../src/computer/shell/view.js';
import { signatures } from '../src/mcp/signatures.js';
import { parseAuth, parseHeaders } from '../src/options.js';
import { textLogger } from '../src/text-logger.js';

describe('tables', () => {
  verifies('SHELL-TEXT-01', 'measure text in terminal cells', () => {
    expect(displayWidth('abc')).toBe(3);
    expect(displayWidth('工具列表')).toBe(8);
    expect(displayWidth('e\u0301')).toBe(1);
    expect(displayWidth('한국어、ｶﾅ')).toBe(10);
    expect(displayWidth('👩‍👩‍👧✅')).toBe(4);
    expect(shortened('工具列表', 5)).toBe('工具…');
    expect(shortened('工具', 4)).toBe('工具');
    expect(shortened('👍👍👍', 5)).toBe('👍👍…');
    expect(shortened('ab', 1)).toBe('…');
    expect(padded('工具', 6)).toBe('工具  ');
  });

  verifies('SHELL-TEXT-01', 'are aligned and fit the width', () => {
    const rows = [
      ['read', '读取文件的内容，并返回文本'],
      ['very_long_tool_name', 'short'],
    ];
    for (const width of [20, 30, 40, 80]) {
      const view = createView({ language: 'zh', colour: false, width: () => width });
      const lines = table(['名称', '描述'], rows, view).split('\n');
      expect(lines).toHaveLength(3);
      for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(width);
    }
    const command = 'run "npx a2c config trust servers.json" first';
    expect(wrappedMessage(`the program "x" was not found\n${command}\n  indented text stays as it is`, 22, '  ')).toBe(
      `the program "x" was\n  not found\nrun\n  "npx a2c config trust servers.json"\n  first\n  indented text stays as it is`,
    );
    const advice = 'cannot reach it; start a server with "npx a2c up" or "npx a2c server --port 7000"';
    expect(wrappedMessage(advice, 24)).toBe(
      'cannot reach it; start a\nserver with "npx a2c up"\nor\n"npx a2c server --port 7000"',
    );
    for (const text of ['', 'a  b', 'a ', '"a b" c']) expect(wrapped(text, 80).join('|')).toBe(text);
    expect(wrapped('警告: "nonexistent"，是未知的键，没有效果', 21)).toEqual([
      '警告: "nonexistent"，',
      '是未知的键，没有效果',
    ]);
    const before = process.cpuUsage();
    for (const part of ['"a2c ', 'a2c ', '" ', '"', '字', '，']) wrappedMessage(part.repeat(20_000), 80);
    // Typically 0.2 s in all; minutes if each part starts a search.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
    const wide = createView({ language: 'en', colour: false });
    expect(table(['Name', 'Meaning'], rows, wide)).toBe(
      'Name                 Meaning\nread                 读取文件的内容，并返回文本\nvery_long_tool_name  short',
    );
    const coloured = createView({ language: 'en', colour: true });
    expect(table(['N'], [['evil\u001b[2J\nname']], coloured)).toBe('\u001b[1mN\u001b[22m\nevil\\u001b[2J name');
  });

  verifies('NEW-OUTPUT-04', 'shorten descriptions before names', () => {
    const view = createView({ language: 'en', colour: false, width: () => 50 });
    const rows = [['a_tool_with_a_rather_long_name', 'server', 'A description that is much too long for this row']];
    const [, line] = table(['Name', 'Server', 'Description'], rows, view).split('\n');
    expect(line).toMatch(/^a_tool_with_a_rather_long_name +server +A desc/);
    expect(line?.length).toBeLessThanOrEqual(50);
  });

  verifies('SHELL-TEXT-01', 'wrap long cells on request', () => {
    expect(wrapped('set a value; without one, the default', 14)).toEqual([
      'set a value;',
      'without one,',
      'the default',
    ]);
    expect(wrapped('工具列表 abcdefg', 5)).toEqual(['工具', '列表', 'abcde', 'fg']);
    const view = createView({ language: 'en', colour: false, width: () => 20 });
    expect(table(['N', 'Meaning'], [['add <json>', 'add or update one']], view, 'wrap')).toBe(
      'N          Meaning\nadd        add or\n<json>     update\n           one',
    );
  });

  verifies('SHELL-TEXT-02', 'the locale is read from LC_ALL, LC_MESSAGES and LANG', () => {
    expect(languageOf({ LANG: 'zh_CN.UTF-8' })).toBe('zh');
    expect(languageOf({ LC_ALL: 'C', LANG: 'zh_CN.UTF-8' })).toBe('en');
    expect(languageOf({ LC_MESSAGES: 'zh_TW', LANG: 'en_US' })).toBe('zh');
    expect(languageOf({})).toBe('en');
  });
});

describe('typed text', () => {
  verifies('SHELL-CMD-04', 'is split into words; quotes keep spaces', () => {
    expect(words('a "b c" \'d "e"\' f"g h"i ')).toEqual(['a', 'b c', 'd "e"', 'fg hi']);
    expect(words('"never closed')).toEqual(['never closed']);
    expect(words('  ')).toEqual([]);
    expect(firstWord('  tc {"a": "b  c"}  ')).toEqual(['tc', '{"a": "b  c"}']);
    expect(firstWord('"my id" some "words"')).toEqual(['my id', 'some "words"']);
    expect(firstWord(' ')).toEqual(['', '']);
    expect(fileArgument('@"my file.json"')).toBe('my file.json');
    expect(fileArgument('"@my file.json"')).toBe('my file.json');
    expect(fileArgument('@./a b.json')).toBe('./a b.json');
    expect(fileArgument('{"a":1}')).toBeUndefined();
  });

  verifies('SHELL-START-01', 'key:value pairs, or a JSON object', () => {
    expect(parseAuth('a:1, b : x:y ,,')).toEqual({ a: '1', b: 'x:y' });
    expect(parseAuth('{"a":{"b":1},"c":"x,y","n":null}')).toEqual({ a: { b: 1 }, c: 'x,y', n: null });
    expect(parseAuth('  ')).toEqual({});
    expect(parseHeaders('{"a":"1","b":"x,y"}')).toEqual({ a: '1', b: 'x,y' });
    for (const value of ['1', 'null', '{"b":1}']) {
      expect(() => parseHeaders(`{"a":${value}}`)).toThrow(/header values must be strings$/);
    }
    const wrong = ['s3cret', ':s3cret', '["s3cret"]', 'a:1,s3cret', '{"a": s3cret}', '{"a":"s3cret"'];
    for (const text of wrong) {
      for (const parse of [parseAuth, parseHeaders]) {
        expect(() => parse(text), text).toThrow(/^expected key:value pairs/);
        expect(() => parse(text), text).not.toThrow(/s3cret/);
      }
    }
  });

  verifies('SHELL-TERM-01', 'completes commands, servers, tools and inputs', async () => {
    const text = JSON.stringify({
      servers: [{ name: 'my server', type: 'stdio', command: 'x', disabled: true }],
      inputs: [{ id: 'TOKEN', type: 'promptString', description: '' }],
    });
    const { config } = readConfig(text, { file: 'x' });
    await using computer = new Computer({
      name: 'pc',
      mcpServers: config?.servers ?? [],
      inputs: config?.inputs ?? [],
    });
    await computer.boot();
    const candidates = (line: string) => complete(line, computer)[0].map((each) => each.trim());
    expect(candidates('st')).toEqual(['status', 'start', 'stop']);
    expect(candidates('s')).toEqual(expect.arrayContaining(['server', 'save', 'socket']));
    expect(candidates('inputs v')).toEqual(['value']);
    expect(candidates('inputs value ')).toEqual(['list', 'get', 'set', 'rm', 'clear']);
    expect(candidates('INPUTS GET ')).toEqual(['TOKEN']);
    expect(candidates('start ')).toEqual(['"my server"', 'all']);
    expect(candidates('server rm ')).toEqual(['"my server"']);
    expect(candidates('tools ')).toEqual([]);
    expect(candidates('bogus ')).toEqual([]);
    expect(complete('server r', computer)[1]).toBe('r');
  });

  verifies('SHELL-TERM-01', 'is saved for the next session, without secrets', async () => {
    const home = mkdtempSync(join(tmpdir(), 'a2c-home-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const history = new LineHistory({ A2C_HOME: home });
    expect(await history.load()).toEqual([]);
    await history.save(['tools', 'inputs value set TOKEN hunter22', 'tc {"params":{"password":"p"}}', 'status']);
    expect(await history.load()).toEqual(['tools', 'status']);
    const path = join(home, 'state', 'computer-history');
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['tools\nstatus\n', 0o600]);
    expect(mayBeKept('socket connect http://localhost --auth api_key:x')).toBe(false);
    expect(mayBeKept('socket connect http://localhost --he"aders" x-key:x')).toBe(false);
    expect(mayBeKept('"Inputs" value "set" TOKEN hunter22')).toBe(false);
  });
});

verifies('NEW-OUTPUT-02', 'the warning of a retry is printed once, until the server is connected', () => {
  const lines: string[] = [];
  const logger = textLogger((line) => lines.push(line));
  const fails = (server: string) => logger.warn({ server }, 'cannot be started');
  for (const server of ['a', 'b', 'a', 'b', 'a']) fails(server);
  expect(lines).toEqual(['a: cannot be started', 'b: cannot be started']);
  logger.debug({ server: 'a', state: 'connected' }, 'the state of the server changed');
  fails('a');
  fails('b');
  logger.warn({ reason: 'transport close' }, 'disconnected');
  logger.warn({ reason: 'transport close' }, 'disconnected');
  logger.warn({ url: 'http://h', reason: 'cannot reach http://h: refused' }, 'cannot connect; trying again');
  logger.error({ code: 401, details: {} }, 'unknown credentials');
  logger.warn({ reason: 'io server disconnect' }, 'disconnected');
  expect(lines.splice(-3)).toEqual([
    'cannot connect; trying again: cannot reach http://h: refused',
    'unknown credentials (401)',
    'disconnected: the server ended the session',
  ]);
  expect(lines.slice(2)).toEqual([
    'a: cannot be started',
    ...Array(2).fill('disconnected: the server or the network closed the connection'),
  ]);
});

verifies('NEW-OUTPUT-04', 'a failure is wrapped, and a number that is no option is refused', async () => {
  const view = createView({ language: 'en', colour: false, width: () => 20 });
  expect(failed(view, 'Failed to start server: no').text).toBe('❌ Failed to start\n   server: no');

  const press: ((key: KeyPress) => void)[] = [];
  const ask = <T>(begin: (resolve: (value: T) => void) => (key: KeyPress) => void) =>
    new Promise<T>((resolve) => press.push(begin(resolve)));
  const shown: string[] = [];
  const options = ['a', 'b'].map((value) => ({ value, label: value }));
  const picked = pick({ ask } as unknown as Keyboard, (text) => void shown.push(text), view, options, 0);
  const type = (text: string, name = '') => press[0]?.({ text, name, ctrl: false });
  type('9');
  expect(shown.join('')).toMatch(/9 is not an option\n$/);
  type('', 'return');
  type('1');
  type('', 'return');
  expect(await picked).toBe('b');
});

verifies('NEW-CLI-02', 'the shell suggests names of servers and tools', () => {
  const computer = { status: () => [{ name: 'files' }], tools: () => [{ displayName: 'get_sum' }] };
  const session = (language: Language) =>
    ({ computer, view: createView({ language, colour: false }) }) as unknown as Session;
  expect(unknownServer(session('en'), 'file').message).toBe('Not found: file; did you mean "files"?');
  expect(unknownTool(session('en'), 'get-sun').message).toBe('Not found: get-sun; did you mean "get_sum"?');
  expect(unknownServer(session('zh'), 'file').message).toBe('没有名为 "file" 的服务器；您是不是要输入 "files"？');
  expect(unknownServer(session('zh'), 'xyzzy').message).toBe('没有名为 "xyzzy" 的服务器');
});

describe('translations', () => {
  verifies('NEW-SHELL-04', 'messages that contain others are translated as a whole, unknown texts are kept', () => {
    const failed = 'server "git" could not be started: exited with code 3; last line of stderr: no such file';
    expect(translateMessage(failed, 'zh')).toBe(
      '服务器 "git" 启动失败: 进程以代码 3 退出；stderr 最后一行: no such file',
    );
    expect(translateMessage(failed, 'en')).toBe(failed);
    expect(translateMessage('the start took longer than 2 s', 'zh')).toBe('启动超过 2 秒');
    expect(translateMessage('"b" must be a number, not "x"', 'zh')).toBe('"b" 应为数字，而不是 "x"');
    const misspelt = 'a.json:1:9: error at /arg: unknown key "arg"; did you mean "args"?; allowed: command, args';
    expect(translateMessage(misspelt, 'zh')).toBe(
      'a.json:1:9: /arg 错误: 未知的键 "arg"；是不是 "args"？；可用: command, args',
    );
    expect(translateMessage('something new', 'zh')).toBe('something new');
    expect(translateMessage('server "w" needs a login, or a token in its headers: run "a2c login w"', 'zh')).toBe(
      '服务器 "w" 需要登录，或在其 headers 中提供 token：请运行 "a2c login w"',
    );
    // A server decides how long its texts are.
    const long = ': expected '.repeat(20_000);
    expect(translateMessage(long, 'zh')).toBe(long);
    expect(translateMessage('/n.json: error: does not exist', 'zh')).toBe('/n.json: 错误: 文件不存在');
    expect(translateMessage('Tool execution failed: x', 'zh')).toBe('工具执行失败: x');
    const refused = 'nothing listens there; start a server with "a2c up" or "a2c server" (tried for 10 s)';
    expect(translateMessage(refused, 'zh')).toBe(
      '该地址没有程序在监听；可用 "a2c up" 或 "a2c server" 启动一个（已尝试 10 秒）',
    );
  });

  verifies('NEW-SHELL-04', 'every message of the catalogue occurs in the sources', () => {
    const packages = fileURLToPath(new URL('../../', import.meta.url));
    const files = readdirSync(packages, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /^[\w-]+[\\/]src[\\/].*\.ts$/.test(file) && !file.endsWith('translations.ts'),
    );
    const sources = files.map((file) => readFileSync(join(packages, file), 'utf8')).join('\n');
    const missing = TRANSLATED.flatMap((message) =>
      message.split(/\{\w+\}|["';:()]/).filter((part) => /[a-z]{3}/.test(part) && !sources.includes(part.trim())),
    );
    expect(missing).toEqual([]);
  });
});

verifies('SEC-SANDBOX-01', 'the status of the shell shows which servers are sandboxed', async () => {
  const program = { command: 'node', args: ['x.js'] };
  const text = JSON.stringify({ mcpServers: { caged: { ...program, sandbox: true }, free: program } });
  const { config } = readConfig(text, { file: 'x' });
  await using computer = new Computer({ name: 'pc', mcpServers: config?.servers ?? [], autoConnect: false });
  await computer.boot();
  const status = overviewCommands.find(({ path }) => path === 'status') as ShellCommand;
  for (const [language, label, yes, no] of [
    ['en', 'Sandbox', 'Yes', 'No'],
    ['zh', '沙箱', '是', '否'],
  ] as const) {
    const view = createView({ language, colour: false, width: () => 100 });
    const print = async (rest: string) => (await status.run({ computer, view } as unknown as Session, rest)).text;
    expect(await print('caged')).toContain(`${label}: ${yes}`);
    expect(await print('free')).toContain(`${label}: ${no}`);
    const all = (await print('')) ?? '';
    expect(all.split('\n').find((line) => line.includes('caged'))).toContain(label);
    expect(all.split('\n').find((line) => line.includes('free'))).not.toContain(label);
  }
});

verifies('CON-VIEW-07', 'the shell denies all questions of one Agent at once', async () => {
  const asked: ((typed: string | undefined) => void)[] = [];
  const askText = (_: string, signal: AbortSignal) =>
    new Promise<string | undefined>((resolve) => {
      asked.push(resolve);
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
  const printed: string[] = [];
  const confirm = consentOnTerminal(createView({ language: 'en', colour: false }), askText, (text) =>
    printed.push(text),
  );
  const ask = (agent: string) => {
    const tool = { name: 't', inputSchema: { type: 'object' as const } };
    const request = { reqId: '1', agent, server: 's', tool: 't', displayName: 't', parameters: {}, description: tool };
    return confirm({ ...request, signal: new AbortController().signal } as ConfirmRequest);
  };
  const flood = [ask('flood'), ask('flood'), ask('flood')];
  const other = ask('bot');
  asked[0]?.('none');
  expect(await Promise.all(flood)).toEqual([false, false, false]);
  asked[3]?.('yes');
  expect(await other).toBe(true);
  const later = ask('flood');
  asked[4]?.('yes');
  expect(await later).toBe(true);
  expect(printed).toEqual([]);
});

verifies('CON-REVIEW-03', 'the shell shows all of long arguments on request', async () => {
  const questions: string[] = [];
  const answers = ['show', 'yes'];
  const askText = async (question: string) => {
    questions.push(question);
    return answers.shift();
  };
  const confirm = consentOnTerminal(createView({ language: 'en', colour: false }), askText, () => {});
  const tool = { name: 't', inputSchema: { type: 'object' as const } };
  const command = `${'x'.repeat(1_000)} rm -rf / ${'x'.repeat(1_000)}`;
  const request = { reqId: '1', agent: 'a', server: 's', tool: 't', displayName: 't', description: tool };
  const signal = new AbortController().signal;
  expect(await confirm({ ...request, parameters: { command }, signal } as unknown as ConfirmRequest)).toBe(true);
  expect(questions[0]).toContain('Parts are left out. Type "show" to see all.');
  expect(questions[0]).not.toContain('rm -rf /');
  expect(questions[1]).toContain(`"command": "${command}"`);
});

verifies('NEW-SHELL-05', 'a wrong answer to a question for consent names the possible ones', async () => {
  const questions: string[] = [];
  const answers = ['sure', 'yes'];
  const askText = async (question: string) => {
    questions.push(question);
    return answers.shift();
  };
  const confirm = consentOnTerminal(createView({ language: 'en', colour: false }), askText, () => {});
  const tool = { name: 't', inputSchema: { type: 'object' as const } };
  const request = {
    reqId: '1',
    agent: 'a',
    server: 's',
    tool: 't',
    displayName: 't',
    parameters: {},
    description: tool,
  };
  expect(await confirm({ ...request, signal: new AbortController().signal } as unknown as ConfirmRequest)).toBe(true);
  expect(questions[1]).toMatch(/^Answer yes, no, always, none, or show\nRun it\? /);
});

verifies('NEW-SHELL-05', 'help fits a small terminal, and commands stay on one line', async () => {
  for (const language of ['en', 'zh'] as const) {
    const view = createView({ language, colour: false, width: () => 80 });
    const help = (rest: string) => (helpCommand(() => COMMANDS).run as ShellCommand['run'])({ view } as Session, rest);
    const all = (await help('')).text.split('\n');
    expect(all.length).toBeLessThan(22);
    for (const line of all) expect(displayWidth(line), line).toBeLessThanOrEqual(80);
    expect(all).toContain('  socket connect, join, leave, disconnect');
    expect(((await help('')).data as unknown[]).length).toBe(COMMANDS.length);
    for (const command of COMMANDS) {
      const { text } = await help(command.path);
      expect(text, command.path).toContain(`\n${`${command.path} ${command.usage}`.trim()}  `);
    }
  }
  const clear = COMMANDS.find(({ path }) => path === 'clear') as ShellCommand;
  expect((await clear.run({ ask: async () => '' } as unknown as Session, '')).text).toContain('\u001b[2J');
  expect((await clear.run({} as Session, '')).text).toBe('');
});

verifies('NEW-OUTPUT-04', 'signatures of tools are broken between words', () => {
  const view = createView({ language: 'en', colour: true, width: () => 40 });
  const properties = Object.fromEntries(['alpha', 'beta', 'gamma', 'delta'].map((key) => [key, { type: 'string' }]));
  const inputSchema = { type: 'object', properties, required: Object.keys(properties) };
  const lines = stripVTControlCharacters(signatures([{ name: 'search_files', inputSchema }], view)).split('\n');
  expect(lines).toEqual(['search_files(args: {alpha: string,beta:', '  string,gamma: string,delta: string})']);
});

verifies('CHOICE-PINS-14', 'the shell shows the description of a tool that needs consent on one line', async () => {
  let question = '';
  const askText = async (text: string) => {
    question = text;
    return 'no';
  };
  const confirm = consentOnTerminal(createView({ language: 'en', colour: false }), askText, () => {});
  const mark = '[a2c: changed since it was approved; to review: a2c tools review s; the approved text is shown]';
  const request = { reqId: '1', agent: 'a', server: 's', tool: 't', displayName: 't', parameters: {} };
  for (const rest of ['Sends\nRun it? yes', 'x'.repeat(100_000)]) {
    const description = { name: 't', description: `${mark} ${rest}`, inputSchema: { type: 'object' } };
    const { signal } = new AbortController();
    expect(await confirm({ ...request, description, signal } as unknown as ConfirmRequest)).toBe(false);
    expect(question).toContain(`  tool: t\n  described by the server as: ${mark} ${rest.slice(0, 5)}`);
    expect(question.split('\n')).toHaveLength(9);
    expect(question.length).toBeLessThan(600);
  }
});
