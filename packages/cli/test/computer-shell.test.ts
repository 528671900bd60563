import { readFileSync, statSync } from 'node:fs';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { Workplace, workshop } from './a2c.js';

const INPUTS = [
  { id: 'API_TOKEN', type: 'promptString', description: 'API token for the server', default: null, password: true },
  {
    id: 'REGION',
    type: 'pickString',
    description: 'Select deployment region',
    options: ['us-east-1', 'eu-west-1'],
    default: 'us-east-1',
  },
];

/** Generous, because other tests may load the machine. */

describe('the document’s quick reference, through a pipe', () => {
  verifies(
    [
      'COMP-FILE-04',
      'COMP-SHELL-01',
      'COMP-SHELL-03',
      'COMP-SHELL-04',
      'COMP-SHELL-07',
      'COMP-INPUT-02',
      'SHELL-CMD-01',
      'SHELL-PIPE-01',
    ],
    'works as documented',
    async () => {
      const place = new Workplace({
        'servers.json': [workshop('loaded', {}, { TOKEN: '${input:API_TOKEN}' })],
        'inputs.json': INPUTS,
        'server_stdio.json': echoOnly('added', { tool_meta: { echo: { alias: 'say' } } }),
      });
      const { stdout, stderr, code } = await place.computer(
        [
          '# 添加单个 server（推荐用 @file；交互命令期望单对象）',
          'server add @./server_stdio.json',
          '# 加载 inputs（需要数组）',
          'inputs load @./inputs.json',
          '',
          'start all',
          'status',
          'tools',
          'mcp',
          'render {"env":"${input:API_TOKEN}"}',
        ],
        ['run', '--config', '@./servers.json', '--inputs', '@./inputs.json'],
        { A2C_SMCP_API_TOKEN: 'tok-1234' },
      );
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain(
        '✅ Server config added/updated and starting\n✅ Inputs updated\n✅ All servers started\n',
      );
      expect(stdout).toContain('SocketIO: Not connected yet');
      expect(stdout).toMatch(/^MCP Servers Status\nName +Active +State +Tools +Note$/m);
      expect(stdout).toMatch(/^loaded +Yes +connected +\d+$/m);
      expect(stdout).toMatch(/^added +Yes +connected +1$/m);
      expect(stdout).toMatch(/^Name +Server +Description +Json Return$/m);
      expect(stdout).toMatch(/^say +added +Does echo\. +No$/m);
      expect(stdout).toMatch(/^API_TOKEN +promptString +API token for the server$/m);
      expect(stdout).toContain('{\n  "env": "tok-1234"\n}\n');
    },
  );

  verifies(
    ['COMP-FILE-04', 'SHELL-START-01'],
    '`run` may be left out, paths may lack the @, one object will do',
    async () => {
      const place = new Workplace({ 'servers.json': workshop('one'), 'inputs.json': INPUTS[0] as object });
      const { code, replies } = await place.replies(['mcp'], ['-c', 'servers.json', '-i', 'inputs.json']);
      expect(code).toBe(0);
      expect(replies).toMatchObject([{ servers: { one: { type: 'stdio' } }, inputs: [{ id: 'API_TOKEN' }] }]);
      const { stdout } = await place.a2c('computer', '--help');
      expect(stdout).toContain('a2c computer run --config @./servers.json --inputs @./inputs.json');
      expect((await place.a2c('computer', 'run', '--help')).stdout).toContain('--no-auto-reconnect');
    },
  );
});

/** A test server whose only tool is `echo`, so that several can be configured. */
const echoOnly = (name: string, fields: object) =>
  workshop(name, fields, {
    WORKSHOP_TOOLS: JSON.stringify([{ name: 'echo', description: 'Does echo.', inputSchema: {} }]),
  });

describe('servers', () => {
  verifies(
    ['COMP-SHELL-01', 'COMP-SHELL-02', 'COMP-SHELL-03', 'COMP-RULE-04', 'SHELL-CMD-04'],
    'are added, updated, stopped, started and removed',
    async () => {
      const place = new Workplace({ 'my server.json': workshop('file one'), 'list.json': [workshop('a')] });
      const { code, replies, stderr } = await place.replies([
        `server add ${JSON.stringify(workshop('w'))}`,
        `server add '${JSON.stringify(workshop('w', { forbidden_tools: ['echo'] }))}'`,
        'tools echo',
        'STOP w',
        'status',
        'start w',
        'stop all',
        'start all',
        'server rm w',
        'server add @"my server.json"',
        'server remove "file one"',
        'server add @list.json',
        `server add ${JSON.stringify([workshop('a')])}`,
        'server add {"name":"x"',
        'server add {"name":"x","type":"stdio"}',
        'server add @missing.json',
        'server add',
        'server rm nobody',
        'start nobody',
        'start',
        'server add {"name":"broken","type":"stdio","server_parameters":{"command":"a2c-no-such-program"}}',
        `server add ${JSON.stringify(workshop('off', { disabled: true }))}`,
        'start off',
        'start all',
        'mcp',
      ]);
      expect(code).toBe(1);
      // The reply has the reason; it is not printed twice.
      expect(stderr).not.toContain('could not be started');
      expect(replies.map(({ ok, error }) => error ?? ok)).toEqual([
        true,
        true,
        'Not found: echo',
        true,
        undefined,
        true,
        true,
        true,
        true,
        true,
        true,
        expect.stringContaining('expects one server; add several one by one'),
        expect.stringContaining('expects one server'),
        expect.stringContaining('not JSON'),
        expect.stringContaining('"command" is missing'),
        expect.stringContaining('missing.json'),
        'Usage: server add <json|@file>',
        expect.stringContaining('no server "nobody"'),
        expect.stringContaining('Failed to start server: there is no server "nobody"'),
        'Usage: start <name>|all',
        expect.stringContaining('Failed to start server: server "broken" could not be started'),
        true,
        expect.stringContaining('off'),
        expect.stringContaining('broken'),
        undefined,
      ]);
      expect(replies[4]).toMatchObject({ servers: [{ name: 'w', active: false, state: 'disconnected' }] });
      expect(Object.keys(replies.at(-1).servers)).toEqual(['broken', 'off']);
      expect(stderr).toContain('line 12: Failed: server add expects one server');
    },
  );

  verifies('SHELL-START-01', '--no-auto-connect starts them only on command', async () => {
    const place = new Workplace({ 'servers.json': [workshop('w')] });
    const args = ['run', '-c', 'servers.json', '--no-auto-connect'];
    const { replies } = await place.replies(['status', 'start all', 'status'], args);
    expect(replies[0].servers).toMatchObject([{ name: 'w', active: false }]);
    expect(replies[2].servers).toMatchObject([{ name: 'w', active: true, state: 'connected' }]);
  });
});

describe('options with labels', () => {
  verifies('MEM-INPUT-01', 'are set by value and shown as they were written', async () => {
    const region = {
      id: 'REGION',
      type: 'pickString',
      description: 'Where',
      options: ['us', { label: 'Europe', value: 'eu' }],
    };
    const place = new Workplace({ 'inputs.json': [region] });
    const { replies } = await place.replies(
      ['inputs value set REGION eu', 'inputs value get REGION', 'inputs value set REGION Europe', 'inputs get REGION'],
      ['-i', 'inputs.json'],
    );
    expect(replies).toMatchObject([{}, 'eu', { error: expect.stringContaining('us, eu') }, region]);
  });
});

describe('inputs', () => {
  verifies(
    ['COMP-SHELL-04', 'COMP-SHELL-05', 'COMP-SHELL-06', 'COMP-RULE-04', 'COMP-INPUT-02'],
    'are defined, and their values managed',
    async () => {
      const place = new Workplace({ 'inputs.json': INPUTS, 'one.json': INPUTS[0] as object, 'cmd.json': [COMMAND] });
      const { code, replies, stderr } = await place.replies([
        'inputs load @inputs.json',
        'inputs load @one.json',
        'inputs load [{"id":"x"}]',
        'inputs list',
        'inputs value list',
        'inputs add @cmd.json',
        'inputs update {"id":"PLAIN","type":"promptString","description":"p","default":"d"}',
        'inputs get PLAIN',
        'inputs get NONE',
        'inputs add {"id":"BAD","type":"wish"}',
        'inputs value set PLAIN {"a":1}',
        'inputs value get PLAIN',
        'inputs value set PLAIN some words here',
        'inputs value get PLAIN',
        'inputs value set PLAIN',
        'inputs value get PLAIN',
        'inputs value set API_TOKEN hunter22',
        'inputs value list',
        'inputs value set API_TOKEN',
        'inputs value set CMD',
        'inputs value set NONE x',
        'render ["${input:CMD}","${input:REGION}","${input:NONE}"]',
        'inputs value get constructor',
        'inputs add {"id":"my id","type":"promptString","description":"two words"}',
        'inputs value set "my id" hello "you"',
        'inputs value get "my id"',
        'inputs rm "my id"',
        'inputs value rm PLAIN',
        'inputs value rm PLAIN',
        'inputs value get PLAIN',
        'inputs value clear API_TOKEN',
        'inputs value clear',
        'inputs value list',
        'inputs rm PLAIN',
        'inputs remove PLAIN',
        'inputs bogus',
        'inputs value',
      ]);
      expect(code).toBe(1);
      expect(replies.map((reply) => (reply?.ok === undefined ? reply : (reply.error ?? true)))).toEqual([
        true,
        expect.stringContaining('expects a file with an array'),
        'Usage: inputs load @file.json',
        INPUTS,
        {},
        true,
        true,
        { id: 'PLAIN', type: 'promptString', description: 'p', default: 'd', password: false },
        'Not found: NONE',
        expect.stringContaining('/inputs/0/type'),
        true,
        { a: 1 },
        true,
        'some words here',
        true,
        'd',
        true,
        { PLAIN: 'd', API_TOKEN: '********' },
        'API_TOKEN has no default value',
        'CMD is command type, no default support',
        'Not found: NONE',
        ['from a command', 'us-east-1', '${input:NONE}'],
        'Not found or not resolved yet: constructor',
        true,
        true,
        'hello "you"',
        true,
        true,
        'No such cache: PLAIN',
        'Not found or not resolved yet: PLAIN',
        true,
        true,
        {},
        true,
        'Not found: PLAIN',
        'Unknown subcommand: bogus; available: load, add, update, rm, get, list, value',
        expect.stringContaining('list, get, set, rm, clear'),
      ]);
      // The message for people goes to stderr.
      expect(stderr).toMatch(/^line 22: .*NONE/m);
    },
  );
});

const COMMAND = { id: 'CMD', type: 'command', description: 'c', command: 'echo from a command' };

describe('calls', () => {
  verifies(
    ['SHELL-CMD-02', 'SHELL-CMD-01', 'COMP-RULE-04'],
    'tc runs a request; history and desktop show its effects',
    async () => {
      const full = {
        agent: 'bot',
        req_id: 'r1',
        computer: 'x',
        tool_name: 'say',
        params: { message: 'hi' },
        timeout: 5,
      };
      const place = new Workplace({
        'servers.json': [workshop('w', { tool_meta: { echo: { alias: 'say' }, fail: { auto_apply: false } } })],
        'call.json': full,
      });
      const open = { tool_name: 'open_window', params: { uri: 'window://w/one', body: 'one' } };
      const { code, replies } = await place.replies(
        [
          'tc @call.json',
          'tc @call.json',
          `tc ${JSON.stringify({ tool_name: 'say', params: { message: 'again' } })}`,
          'tc {"tool_name":"fail","params":{}}',
          'tc {"tool_name":"nothing","params":{}}',
          'tc {"params":{}}',
          'tc 7',
          'tc',
          `tc ${JSON.stringify(open)}`,
          'desktop',
          'desktop window://w/one 5',
          'desktop 0',
          'history 2',
          'history',
          'tools',
          'tools say',
        ],
        ['-c', 'servers.json'],
      );
      expect(code).toBe(1);
      expect(replies.slice(0, 3).map(({ content }) => content[0].text)).toEqual(['hi', 'hi', 'again']);
      expect(replies[3].content[0].text).toContain('二次确认');
      expect(replies[4].structuredContent.error_type).toBe('ValueError');
      expect(replies[5].error).toContain('tool_name');
      expect(replies[6].error).toContain('expected a JSON object');
      expect(replies[7].error).toBe('Usage: tc <tool> [key=value ...|json|@file] | <json|@file>');
      expect(replies.slice(9, 12)).toEqual([['window://w/one\n\none'], ['window://w/one\n\none'], []]);
      expect(replies[12]).toHaveLength(2);
      expect(replies[13].map(({ tool, success }: { tool: string; success: boolean }) => [tool, success])).toEqual([
        ['echo', true],
        ['echo', true],
        ['fail', false],
        ['nothing', false],
        ['open_window', true],
      ]);
      expect(replies[13][0]).toMatchObject({ req_id: 'r1', agent: 'bot', parameters: { message: 'hi' } });
      expect(replies[14].map(({ name }: { name: string }) => name)).toContain('say');
      expect(replies[15]).toMatchObject({ server: 'w', original_name: 'echo', name: 'say' });
    },
  );

  verifies('SHELL-CMD-02', 'auto_apply decides, else --confirm', async () => {
    const matrix: readonly (readonly [object | null, object, boolean])[] = [
      [{ auto_apply: false }, { auto_apply: false }, false],
      [{ auto_apply: false }, { auto_apply: true }, true],
      [{ auto_apply: true }, {}, true],
      [null, {}, false],
    ];
    const servers = matrix.map(([default_tool_meta, echo], i) =>
      echoOnly(`w${i}`, {
        default_tool_meta,
        tool_meta: { echo: { ...echo, alias: `e${i}` } },
      }),
    );
    const place = new Workplace({ 'servers.json': servers });
    const lines = matrix.map((_, i) => `tc {"tool_name":"e${i}","params":{"message":"hi"}}`);
    const outcome = async (...args: string[]) =>
      (await place.replies(lines, ['-c', 'servers.json', ...args])).replies.map(({ isError }) => !isError);
    expect(await outcome()).toEqual(matrix.map(([, , runs]) => runs));
    expect(await outcome('--confirm', 'allow')).toEqual([true, true, true, true]);
    expect(await outcome('--confirm', 'deny')).toEqual([false, true, true, false]);
  });
});

verifies('SHELL-CMD-05', 'tc takes a tool and its arguments; help, status and restart take a name', async () => {
  const place = new Workplace({
    'servers.json': [
      workshop('w'),
      { name: 'broken', type: 'stdio', server_parameters: { command: 'no-such-program' } },
    ],
    'sum.json': { a: 20, b: 22 },
  });
  const { replies } = await place.replies(
    [
      'tc both a=2 b=3',
      "tc echo message='buy milk'",
      'tc both {"a": 1,',
      '"b": 2}',
      'tc both @sum.json',
      'help tc',
      'restart w',
      'status w',
      'status broken',
      'status none',
    ],
    ['-c', 'servers.json'],
  );
  expect(replies.slice(0, 4).map(({ content }) => content[0].text)).toEqual(['5', 'buy milk', '3', '42']);
  expect(replies[4]).toEqual([expect.objectContaining({ command: expect.stringMatching(/^tc /) })]);
  expect(replies[5]).toEqual({ ok: true, name: 'w' });
  expect(replies[6]).toMatchObject({ name: 'w', state: 'connected' });
  expect(replies[7]).toMatchObject({ name: 'broken', cause: expect.stringContaining('no-such-program') });
  expect(replies[8].error).toBe('Not found: none');
});

describe('results', () => {
  verifies('SHELL-CMD-02', 'that failed are explained in the language of the shell', async () => {
    const place = new Workplace({ 'servers.json': [workshop('w', { default_tool_meta: null })] });
    const call = 'tc {"tool_name":"fail","params":{}}';
    const english = 'line 1: this tool needs consent, and this Computer cannot ask for it\n';
    expect((await place.replies([call], ['-c', 'servers.json'])).stderr).toBe(english);
    const chinese = '第 1 行: 此工具需要用户确认，但该 Computer 无法询问用户\n';
    expect((await place.replies([call], ['-c', 'servers.json', '--lang', 'zh'])).stderr).toBe(chinese);
  });
});

describe('an unknown command', () => {
  verifies('SHELL-CMD-04', 'is answered with a suggestion', async () => {
    const { replies } = await new Workplace().replies(['inputs value', 'server ad', 'stat', 'tc 7x', 'help x']);
    expect(replies.map(({ error }) => error)).toEqual([
      'inputs value: missing subcommand; available: list, get, set, rm, clear',
      'Unknown subcommand: ad; available: add, rm, edit; did you mean "server add"?',
      'Unknown command: stat; did you mean "status"?',
      expect.stringMatching(/^not JSON: .*; expected \{"tool_name":"NAME","params":\{\}\}$/),
      'Unknown command: x',
    ]);
  });
});

describe('scripts', () => {
  verifies('SHELL-LINES-01', 'may contain JSON over several lines; a missing bracket costs one line', async () => {
    const { replies, stderr } = await new Workplace().replies(
      [
        'render {',
        '  "a": [1,',
        '    "}"]',
        '}',
        'render {"b":',
        'status',
        `render '{"c":`,
        `3}'`,
        'render {"d": [}',
        'render [1]',
      ],
      ['--no-auto-connect'],
    );
    expect(replies.slice(0, 2)).toEqual([{ a: [1, '}'] }, expect.objectContaining({ line: 5, ok: false })]);
    expect(replies[2]).toHaveProperty('servers');
    expect(replies.slice(3)).toEqual([{ c: 3 }, expect.objectContaining({ line: 9, ok: false }), [1]]);
    expect(stderr.match(/line \d+/g)).toEqual(['line 5', 'line 9']);
  });

  verifies('SHELL-PIPE-01', 'set the exit code; --fail-fast and quit end them', async () => {
    const place = new Workplace();
    expect(await place.computer(['help', 'quit', 'bogus'])).toMatchObject({ code: 0, stderr: '' });
    const all = await place.computer(['bogus', 'EXIT']);
    expect(all).toMatchObject({ code: 1, stdout: 'Bye\n', stderr: 'line 1: Failed: Unknown command: bogus\n' });
    const help = await place.computer(['help sttus']);
    expect(help.stderr).toContain('Unknown command: sttus; did you mean "status"?');
    const fast = await place.computer(['sttus', 'help'], ['--fail-fast']);
    expect(fast).toMatchObject({ code: 1, stdout: '' });
    expect(fast.stderr).toContain('Unknown command: sttus; did you mean "status"?');
    const hint = 'No commands on standard input: the Computer stops. Use --headless to keep it running\n';
    expect(await place.computer([])).toEqual({ code: 0, stdout: '', stderr: hint });
    expect((await place.computer(['?'])).stdout).toContain('socket join <office_id> [<computer_name>]');
  });

  verifies('SHELL-START-01', 'A2C_OFFICE without a URL is ignored', async () => {
    const place = new Workplace();
    expect(await place.computer(['quit'], [], { A2C_OFFICE: 'demo' })).toEqual({
      code: 0,
      stdout: 'Bye\n',
      stderr: '',
    });
  });

  verifies(['NEW-SHELL-01', 'NEW-SHELL-04'], 'show the output of a server and save the configuration', async () => {
    const broken = { command: 'sh', args: ['-c', 'echo "no config" >&2; exit 3'] };
    const place = new Workplace({
      'servers.json': {
        servers: [
          workshop('w', {}, { T: '${input:tok}' }),
          { name: 'broken', type: 'stdio', server_parameters: broken },
        ],
        inputs: [{ type: 'promptString', id: 'tok', description: 'Token', password: true }],
      },
    });
    const lines = ['logs broken', 'logs none', 'server edit w', 'save', 'save copy.json', 'save copy.json', 'tc none'];
    const env = { A2C_SMCP_TOK: 's3cret', LC_ALL: 'zh_CN.UTF-8' };
    const { replies, stderr } = await place.replies(lines, ['-c', 'servers.json', '--confirm', 'allow'], env);
    expect(replies).toEqual([
      { name: 'broken', lines: ['no config'], ended: 'exited with code 3' },
      { line: 2, ok: false, error: '没有名为 "none" 的服务器' },
      { line: 3, ok: false, error: '此命令需要在终端中运行' },
      { line: 4, ok: false, error: expect.stringContaining('servers.json 已存在') },
      { ok: true, file: place.path('copy.json') },
      { line: 6, ok: false, error: expect.stringContaining('--force') },
      expect.objectContaining({ isError: true }),
    ]);
    expect(stderr).toContain('服务器 "broken" 启动失败: 进程以代码 3 退出');
    const saved = readFileSync(place.path('copy.json'), 'utf8');
    expect(saved).not.toContain('s3cret');
    expect(statSync(place.path('copy.json')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(saved)).toMatchObject({ servers: [{ name: 'w' }, { name: 'broken' }], inputs: [{ id: 'tok' }] });
    expect(await place.a2c('config', 'check', 'copy.json')).toMatchObject({ code: 0 });
  });

  verifies('SHELL-CMD-05', 'an entry without a name is refused as such', async () => {
    const { replies } = await new Workplace().replies(['server add {"command":"node","args":["x.mjs"]}']);
    expect(replies).toEqual([{ line: 1, ok: false, error: expect.stringMatching(/one server without a name; write/) }]);
  });

  verifies('NEW-SHELL-01', 'show what a program wrote before it was restarted', async () => {
    const place = new Workplace({ 'w.json': workshop('w') });
    const lines = ['tc crash', 'tc echo message=again', 'logs w', 'status w', 'restart w', 'logs w'];
    const { replies } = await place.replies(lines, ['-c', 'w.json']);
    expect(replies[2]).toMatchObject({ earlierRun: { lines: ['the roof came down'], ended: 'exited with code 3' } });
    expect(replies[3]).toMatchObject({ state: 'connected', restarts: 1 });
    expect(replies[5]).not.toHaveProperty('earlierRun');
  });

  verifies('SHELL-TEXT-02', 'use the language of the locale or of --lang', async () => {
    const place = new Workplace();
    expect((await place.computer(['bogus'], [], { LC_ALL: 'zh_CN.UTF-8' })).stderr).toContain('未知命令: bogus');
    expect((await place.computer(['help'], ['--lang', 'zh'])).stdout).toContain('可用命令');
    expect((await place.computer(['help'], ['--lang', 'en'], { LC_ALL: 'zh_CN.UTF-8' })).stdout).toContain('Commands');
  });

  verifies('SHELL-START-02', 'a wrong option or file ends the start with exit code 2', async () => {
    const place = new Workplace({
      'bad.json': '[{ "name": "x", "typ": "stdio" }]',
      'inputs.json': '{',
      'list.json': '[7]',
    });
    const wrong: readonly (readonly [string[], RegExp])[] = [
      [['-c', 'bad.json'], /bad\.json:1:\d+: error at \/0/],
      [['-c', '@missing.json'], /missing\.json/],
      [['-i', 'inputs.json'], /inputs\.json: not JSON/],
      [['-i', 'list.json'], /list\.json: error at \/inputs\/0/],
      [['--office', 'o'], /--office needs --url/],
      [['--headless'], /--headless needs --url and --office/],
      [['--url', '127.0.0.1:7000'], /"127\.0\.0\.1:7000" is not a URL; did you mean http:\/\/127\.0\.0\.1:7000\?/],
      [['--url', 'example.com'], /did you mean https:\/\/example\.com\?/],
      [['--url', 'me:s3cret@example.com'], /^(?!.*s3cret)--url is not a URL/],
      [['--url', 'http://localhost:1', '--headers', '{"a":{"b":1}}'], /--headers: .*header values must be strings/],
      [['runn'], /unknown command 'runn'; the only command is "run"/],
      [['--url', 'http://localhost:1', '--auth', 'nonsense'], /--auth: expected key:value pairs/],
      [['--tls-cert', 'x'], /needs both --tls-cert and --tls-key/],
      [['--tls-ca', 'nowhere.pem'], /cannot read "nowhere\.pem"/],
      [['--confirm', 'maybe'], /Allowed choices are ask, allow, deny/],
      [['--no-such-option'], /unknown option/],
    ];
    for (const [args, message] of wrong) {
      const { code, stdout, stderr } = await place.computer(['help'], args);
      expect([code, stdout], args.join(' ')).toEqual([2, '']);
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });
});

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
  expect(stdout).toContain('this Computer denies such calls without asking",\n');
});
