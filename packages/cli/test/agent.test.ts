import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { errorAnswer, SMCPError } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { allowAnonymous, apiKey, type ListenOptions, listen } from '@a2c/server';
import { io, type Socket } from 'socket.io-client';
import { describe, expect, onTestFinished } from 'vitest';
import { COMMAND, Workplace } from './a2c.js';

const PNG = Buffer.from('not really a picture');

const TOOLS = [
  {
    name: 'greet',
    description: 'Greets somebody.\nPolitely.',
    params_schema: { type: 'object', properties: { who: { type: 'string' } } },
  },
  { name: 'wait', description: 'Waits.', params_schema: { type: 'object' } },
  { name: 'paint', description: 'Paints.', params_schema: { type: 'object' } },
  { name: 'break', description: 'Breaks.', params_schema: { type: 'object' } },
].map((tool) => ({ ...tool, return_schema: null, meta: {} }));

const text = (content: string, isError = false) => ({ content: [{ type: 'text', text: content }], isError });

const RESULTS: Readonly<Record<string, (params: Record<string, unknown>) => object>> = {
  greet: ({ who }) => text(`hello ${typeof who} ${who}`),
  break: ({ how = 'it broke' }) => {
    if (String(how).endsWith('timed out')) return errorAnswer(new SMCPError('ToolTimeout', String(how)));
    const reason = how === 'by code' ? { a2c_reason: 'consent_timeout' } : {};
    return { ...text(String(how), true), ...(how !== 'it broke' && { meta: { error_code: 4005, ...reason } }) };
  },
  paint: () => ({
    content: [
      { type: 'text', text: 'two files' },
      { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
      {
        type: 'resource',
        resource: { uri: 'file:///x/../../../etc/notes.md?v=1', text: '# notes', mimeType: 'text/markdown' },
      },
      { type: 'resource', resource: { uri: 'blob://..', blob: 'AAEC', mimeType: 'application/pdf' } },
      { type: 'audio', data: 'AAEC', mimeType: 'constructor' },
    ],
    isError: false,
  }),
};

/** A tool with a malicious name and description. */
const FORGED = { ...TOOLS[0], name: 'evil\npc\tsafe', description: 'a\u001b]0;title\u0007' };

interface Office {
  readonly url: string;
  readonly computer: Socket;
  readonly calls: Record<string, unknown>[];
  readonly cancelled: string[];
  /** `a2c agent …` in this office. */
  agent(...args: string[]): ReturnType<Workplace['a2c']>;
  readonly place: Workplace;
}

/** A real server with one Computer in office `demo`. */
async function office(options: Partial<ListenOptions> = {}): Promise<Office> {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const { url, close } = await listen({ port: 0, authenticate: allowAnonymous, logger, ...options });
  onTestFinished(() => close());
  const computer = io(`${url}/smcp`, { forceNew: true, reconnection: false, auth: { api_key: 'k' } });
  onTestFinished(() => void computer.disconnect());
  const calls: Record<string, unknown>[] = [];
  const cancelled: string[] = [];
  const waiting = new Map<string, (result: object) => void>();
  computer.on('client:get_tools', ({ req_id }, ack) => ack({ tools: TOOLS, req_id }));
  computer.on('client:get_config', (_, ack) => ack({ servers: { files: { type: 'stdio' } } }));
  computer.on('client:get_desktop', ({ req_id, desktop_size = 2 }, ack) =>
    ack({ desktops: ['window://a\n\nA', 'window://b\n\nB'].slice(0, desktop_size), req_id }),
  );
  computer.on('client:tool_call', (call, ack) => {
    calls.push(call);
    if (call.tool_name === 'wait') waiting.set(call.req_id, ack);
    else ack(RESULTS[call.tool_name]?.(call.params));
  });
  computer.on('notify:tool_call_cancel', ({ req_id }) => {
    cancelled.push(req_id);
    waiting.get(req_id)?.(text('cancelled', true));
  });
  await new Promise((resolve) =>
    computer.emit('server:join_office', { role: 'computer', name: 'pc', office_id: 'demo' }, resolve),
  );
  const place = new Workplace();
  const agent = (...args: string[]) => place.a2c('agent', ...args, '--url', url, '--office', 'demo');
  return { url, computer, calls, cancelled, agent, place };
}

/** Starts a command that keeps running, and collects its output. */
function start(
  { place, url }: Pick<Office, 'place' | 'url'>,
  ...args: string[]
): { child: ChildProcess; said: () => string; saw: (text: RegExp) => Promise<void> } {
  const env = { ...process.env, A2C_HOME: place.home, A2C_URL: url, A2C_OFFICE: 'demo' };
  const child = spawn(process.execPath, [COMMAND, 'agent', ...args], { cwd: place.folder, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
  const saw = (pattern: RegExp) =>
    until(
      () => pattern.test(said),
      () => `${pattern} in ${JSON.stringify(said)}`,
    );
  return { child, said: () => said, saw };
}

async function until(condition: () => boolean, what: () => string = () => String(condition)): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`timed out waiting for: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

describe('queries', () => {
  verifies('CLI-AGENT-01', 'room, tools, config and desktop print their results', async () => {
    const { agent } = await office();
    const room = await agent('room', '--name', 'ann');
    expect(room).toEqual({ code: 0, stdout: 'computer\tpc\nagent\tann\t0.4.0\n', stderr: '' });
    const tools = await agent('tools');
    expect(tools.stdout).toBe(
      'pc\tgreet\tGreets somebody.\npc\twait\tWaits.\npc\tpaint\tPaints.\npc\tbreak\tBreaks.\n',
    );
    const [first] = JSON.parse((await agent('tools', 'pc', '--json')).stdout);
    expect(first).toEqual({ computer: 'pc', model_name: 'pc__greet', bundle_id: 'pc', ...TOOLS[0] });
    expect(JSON.parse((await agent('config', 'pc')).stdout)).toMatchObject({ servers: { files: { type: 'stdio' } } });
    expect((await agent('desktop', 'pc')).stdout).toBe('window://a\n\nA\n\nwindow://b\n\nB\n');
    expect(JSON.parse((await agent('desktop', 'pc', '--size', '1', '--json')).stdout)).toEqual(['window://a\n\nA']);
    // Longer than Node's timers accept.
    expect(await agent('room', '--name', 'ann', '--timeout', '1e9')).toEqual(room);
  });

  verifies('CLI-AGENT-01', 'an empty result is reported on stderr', async () => {
    const { agent, place, url, computer } = await office();
    computer.off('client:get_desktop').on('client:get_desktop', ({ req_id }, ack) => ack({ desktops: [], req_id }));
    expect(await place.a2c('agent', 'tools', '--url', url, '--office', 'demoo')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'no Computer is in office "demoo"\n',
    });
    const none = { code: 0, stdout: '', stderr: 'Computer "pc" has no window open\n' };
    expect(await agent('desktop', 'pc')).toEqual(none);
    const unknown = { code: 1, stdout: '', stderr: 'no such window: window://x\n' };
    expect(await agent('desktop', 'pc', '--window', 'window://x')).toEqual(unknown);
    expect(await agent('desktop', 'pc', '--json')).toEqual({ ...none, stdout: '[]\n' });
  });

  verifies('CLI-AGENT-01', 'names cannot forge a row or control the terminal', async () => {
    const there = await office();
    const { agent, computer } = there;
    computer.off('client:get_tools').on('client:get_tools', ({ req_id }, ack) => ack({ tools: [FORGED], req_id }));
    const row = 'pc\tevil\\npc\\tsafe\ta\\u001b]0;title\\u0007\n';
    expect((await agent('tools')).stdout).toBe(row);
    const second = io(`${there.url}/smcp`, { forceNew: true });
    onTestFinished(() => void second.disconnect());
    const { said, saw } = start(there, 'watch');
    await saw(/^ready http:/);
    second.on('client:get_tools', ({ req_id }, ack) => ack({ tools: [FORGED], req_id }));
    second.emit('server:join_office', { role: 'computer', name: 'two', office_id: 'demo' });
    await saw(/toolsChanged/);
    expect(said()).toMatch(/\ttoolsChanged\ttwo\tevil\\npc\\tsafe\n/);
  });

  verifies('CLI-AGENT-07', 'a wrong command line exits with 2, a failure with 1, each with its reason', async () => {
    const { agent, place, url } = await office();
    const cases: [number, RegExp, Promise<{ code: number | null; stdout: string; stderr: string }>][] = [
      [2, /^--office is missing: .*A2C_OFFICE; "npx a2c up" opens "demo"/, place.a2c('agent', 'room', '--url', url)],
      [2, /^--office is missing/, place.a2c('agent', 'room', '--url', url, '--office', '')],
      [2, /unknown option '--offic'\n\(Did you mean --office\?\)/, place.a2c('agent', 'room', '--offic', 'demo')],
      [2, /did you mean http:\/\/127\.0\.0\.1:7000\?/, agent('room', '--url', '127.0.0.1:7000')],
      [2, /expected a number of seconds/, agent('room', '--timeout', 'Infinity')],
      [
        2,
        /refusing a connection without TLS to example\.com/,
        place.a2c('agent', 'room', '--url', 'http://example.com', '--office', 'o'),
      ],
      [2, /^--auth: expected key:value pairs(?!.*s3cret)/, agent('room', '--auth', 's3cret')],
      [2, /needs both --tls-cert and --tls-key/, agent('room', '--tls-cert', 'x')],
      [2, /cannot read "none\.pem"/, agent('room', '--tls-ca', 'none.pem')],
      [2, /"word" is not an argument/, agent('call', 'pc', 'greet', 'word', '--name', 'b')],
      [2, /expected a number of seconds/, agent('room', '--timeout', 'soon')],
      [
        1,
        /cannot reach http:\/\/127\.0\.0\.1:1:.*; start a server with "npx a2c up" or "npx a2c server"/,
        place.a2c('agent', 'room', '--url', 'http://127.0.0.1:1', '--office', 'o'),
      ],
    ];
    for (const [code, message, finished] of cases) {
      const { stdout, stderr, ...rest } = await finished;
      expect([rest.code, stdout], stderr).toEqual([code, '']);
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    expect((await agent('tools', 'nobody')).stderr).toBe('404 no Computer "nobody" in office "demo"; Computers: pc\n');
    for (const asked of ['config', 'desktop'])
      expect((await agent(asked, 'nobody')).stderr).toMatch(/^404 no Computer "nobody".*; Computers: pc\n$/);
    expect((await agent('call', 'nobody', 'greet')).stderr).toMatch(/^404 no Computer "nobody".*; Computers: pc$/m);
    expect((await agent('call', 'pc', 'gret')).stderr).toMatch(/^404 .*no tool "gret".*; did you mean "greet"\?/m);
    expect((await agent('call', 'pc', 'zzz')).stderr).toMatch(
      /no tool "zzz".*; "npx a2c agent tools pc --url http:\/\/127\.0\.0\.1:\d+ --office demo"/m,
    );
    const names = ['room', 'tools', 'call', 'config', 'desktop', 'cancel', 'watch'];
    const helps = await Promise.all(names.map((name) => place.a2c('agent', name, '--help')));
    for (const [i, { stdout }] of helps.entries()) expect(stdout).toContain(`Example:\n  $ npx a2c agent ${names[i]}`);
  });

  verifies(['NEW-ERROR-05', 'CON-PAGE-07', 'NEW-SHELL-04'], 'unknown names are explained in Chinese too', async () => {
    const { place, url } = await office();
    const env = { LC_ALL: 'zh_CN.UTF-8' };
    const chinese = (...words: string[]) =>
      place.a2cWith(env, 'agent', ...words, '--url', url, '--office', 'demo').then(({ stderr }) => stderr);
    // The Server knows the tools after their first list.
    await chinese('tools');
    expect(await chinese('call', 'pc', 'gret')).toMatch(/没有工具 "gret"；.*是不是 "greet"？可用 ".* --url .*" 列出/);
    expect(await chinese('desktop', 'nobody')).toBe('404 房间 "demo" 中没有 Computer "nobody"；已有的 Computer: pc\n');
  });

  verifies('CLI-AGENT-07', 'server, office and credentials come from the environment or from options', async () => {
    const there = await office({ authenticate: apiKey('k') });
    const wanted = { ...process.env, A2C_URL: there.url, A2C_OFFICE: 'demo', A2C_API_KEY: 'k' };
    const child = spawn(process.execPath, [COMMAND, 'agent', 'tools'], { env: wanted });
    expect(await exitCode(child)).toBe(0);
    expect((await there.agent('tools', '--auth', 'token:k')).code).toBe(0);
    expect((await there.agent('tools', '--headers', '{"authorization":"Bearer k"}')).code).toBe(0);
    expect(await there.agent('tools')).toMatchObject({
      code: 1,
      stderr: '401 unknown credentials; set A2C_API_KEY to a key of the server, or use --api-key\n',
    });
  });
});

describe('calling', () => {
  verifies(
    ['CLI-AGENT-02', 'CLI-ARGS-01', 'NEW-ERROR-01'],
    'prints the result on stdout and progress on stderr; a failed tool exits with 1',
    async () => {
      const { agent, calls, place, url } = await office();
      const pairs = await agent('call', 'pc', 'greet', 'who=42', '--timeout', '7', '--req-id', 'r1', '--name', 'ann');
      expect(pairs).toEqual({
        code: 0,
        stdout: 'hello string 42\n',
        stderr: 'calling greet on pc, req_id r1, as ann; Ctrl-C cancels\n',
      });
      expect(calls[0]).toMatchObject({ agent: 'ann', req_id: 'r1', params: { who: '42' }, timeout: 7 });
      place.write('args.json', { who: 'file' });
      expect((await agent('call', 'pc', 'greet', '@args.json')).stdout).toBe('hello string file\n');
      const json = await agent('call', 'pc', 'greet', '{"who": 3}', '--json');
      expect(JSON.parse(json.stdout)).toEqual(text('hello number 3'));
      expect(await agent('call', 'pc', 'break')).toMatchObject({ code: 1, stdout: 'it broke\n' });
      // Known failures are explained in the user's language, once, and with a remedy.
      const refused = '工具调用二次确认被拒绝，请稍后再试';
      for (const [said, english] of [
        ['by code', '4005 this tool needs consent, and none was given in time; use a longer --timeout'],
        [refused, '4005 the user of the Computer denied this call'],
        ["调用异常: Tool 'x' execution timed out", '408 the call timed out; use a longer --timeout'],
      ]) {
        const failed = await agent('call', 'pc', 'break', `how=${said}`);
        expect(failed).toMatchObject({ code: 1, stdout: '' });
        expect(failed.stderr.split('\n').slice(1)).toEqual([english, '']);
        const json = await agent('call', 'pc', 'break', `how=${said}`, '--json');
        expect(json.stdout).not.toMatch(/\p{Script=Han}/u);
        expect(json.stdout).toContain(String(english).replace(/^\d+ /, ''));
      }
      const call = ['agent', 'call', 'pc', 'break', 'how=by code', '--url', url, '--office', 'demo'];
      const chinese = await place.a2cWith({ LC_ALL: 'zh_CN.UTF-8' }, ...call);
      expect(chinese.stderr).toContain('4005 此工具需要用户确认，但在时限内未得到答复；可用 --timeout 延长时限\n');
      expect(await agent('call', 'pc', 'none')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/404 .*offers no tool "none"/),
      });
    },
  );

  verifies('CLI-AGENT-03', 'writes images and files only inside --save and overwrites nothing', async () => {
    const { agent, place } = await office();
    const without = (await agent('call', 'pc', 'paint')).stdout;
    expect(without).toBe(
      'two files\n[image image/png, 20 bytes; --save DIR writes it]\n# notes\n[resource application/pdf, 3 bytes; --save DIR writes it]\n[audio constructor, 3 bytes; --save DIR writes it]\n',
    );
    expect((await agent('call', 'pc', 'paint', '--save', 'a/b')).stdout).toBe(
      'two files\na/b/paint.png\na/b/notes.md\na/b/paint.pdf\na/b/paint.bin\n',
    );
    expect(readFileSync(place.path('a/b/paint.png'))).toEqual(PNG);
    const again = JSON.parse((await agent('call', 'pc', 'paint', '--out', 'a/b', '--json')).stdout);
    expect(again.content.map(({ file }: { file?: string }) => file)).toEqual([
      undefined,
      'a/b/paint-1.png',
      'a/b/notes-1.md',
      'a/b/paint-1.pdf',
      'a/b/paint-1.bin',
    ]);
    expect(readdirSync(place.folder)).toEqual(['a']);
    expect(existsSync(place.path('a/etc'))).toBe(false);
  });

  verifies('CLI-AGENT-04', 'Ctrl-C cancels the call on the Computer', async () => {
    const there = await office();
    const { child, said, saw } = start(there, 'call', 'pc', 'wait', '--req-id', 'r9');
    await saw(/calling wait/);
    await until(() => there.calls.length === 1);
    child.kill('SIGINT');
    expect(await exitCode(child)).toBe(130);
    expect(said()).toMatch(/cancelled\n$/);
    expect(there.cancelled).toContain('r9');
  });

  verifies('CLI-AGENT-05', 'another shell with the same identity and name can cancel it', async () => {
    const there = await office({ authenticate: apiKey('k') });
    const { child, said, saw } = start(
      there,
      'call',
      'pc',
      'wait',
      '--req-id',
      'r9',
      '--name',
      'ann',
      '--api-key',
      'k',
    );
    await saw(/req_id r9, as ann/);
    await until(() => there.calls.length === 1);
    const stranger = await there.agent('cancel', 'r9', '--api-key', 'k');
    expect(stranger).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /already has an Agent: "ann"; .* use another --office, or .*--many-agents \w+"\nOnly that Agent can/,
      ),
    });
    expect(there.cancelled).toEqual([]);
    const owner = await there.agent('cancel', 'r9', '--name', 'ann', '--api-key', 'k');
    expect(owner).toEqual({ code: 0, stdout: 'cancelled r9\n', stderr: '' });
    await until(() => there.cancelled.includes('r9'));
    expect(await exitCode(child)).toBe(1);
    expect(said()).toMatch(/403 office "demo" was taken over by another Agent/);
  });
});

describe('cancelling', () => {
  verifies('CLI-AGENT-05', 'fails for a call that is not pending', async () => {
    const { agent } = await office();
    const { code, stdout, stderr } = await agent('cancel', 'never', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([1, { error: { code: 404, message: expect.any(String) } }]);
    expect(stderr).toContain('no call of this Agent with that req_id is pending');
  });
});

describe('watching', () => {
  verifies('CLI-AGENT-06', 'prints events until it is interrupted, as lines or as JSON', async () => {
    const there = await office();
    for (const json of [false, true]) {
      const { child, said, saw } = start(there, 'watch', ...(json ? ['--json'] : []));
      await saw(json ? /"ready"/ : /^ready http:/);
      there.computer.emit('server:update_desktop', { computer: 'pc' });
      const second = io(`${there.url}/smcp`, { forceNew: true });
      onTestFinished(() => void second.disconnect());
      second.on('client:get_tools', ({ req_id }, ack) => ack({ tools: TOOLS.slice(0, 2), req_id }));
      second.emit('server:join_office', { role: 'computer', name: 'two', office_id: 'demo' });
      await saw(/toolsChanged/);
      second.disconnect();
      await saw(/computerLeft/);
      await saw(/desktopRefreshed/);
      child.kill('SIGINT');
      expect(await exitCode(child)).toBe(0);
      const lines = said().trim().split('\n').slice(1);
      if (json) {
        expect(lines.map((line) => JSON.parse(line)).toSorted((a, b) => (a.event < b.event ? -1 : 1))).toMatchObject([
          { event: 'computerEntered', computer: 'two', tools: [] },
          { event: 'computerLeft', computer: 'two' },
          { event: 'desktopRefreshed', computer: 'pc' },
          { event: 'toolsChanged', computer: 'two', tools: ['greet', 'wait'] },
        ]);
      } else {
        expect(lines).toContainEqual(expect.stringMatching(/^\d\d:\d\d:\d\d\tdesktopRefreshed\tpc$/));
        expect(lines).toContainEqual(expect.stringMatching(/\ttoolsChanged\ttwo\tgreet wait$/));
      }
    }
  });

  verifies('CLI-AGENT-06', 'prints one warning per outage, however many attempts fail', async () => {
    const settings = { authenticate: allowAnonymous, logger: { debug() {}, info() {}, warn() {}, error() {} } };
    const first = await listen({ port: 0, ...settings });
    const place = new Workplace();
    const { child, said, saw } = start({ place, url: first.url }, 'watch');
    await saw(/^ready http:/);
    await first.close();
    await saw(/\twarning\t503\tcannot reach/);
    let attempts = 0;
    const port = Number(new URL(first.url).port);
    // Connections that are closed at once can be counted as attempts.
    const refusing = createServer((socket) => {
      attempts++;
      socket.destroy();
    }).listen(port, '127.0.0.1');
    onTestFinished(() => void refusing.close());
    await until(() => attempts >= 4);
    refusing.close();
    const second = await listen({ port, ...settings });
    onTestFinished(() => second.close());
    await saw(/\treconnected\t/);
    const warnings = said().match(/\twarning\t.*/g) ?? [];
    expect(warnings.filter((warning, i) => warning === warnings[i - 1])).toEqual([]);
    await second.close();
    await saw(/\treconnected\t[\s\S]*\twarning\t503\tcannot reach/);
    child.kill('SIGINT');
    expect(await exitCode(child)).toBe(0);
  });
});
