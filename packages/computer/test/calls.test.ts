import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { Computer, type ComputerOptions } from '../src/index.js';
import { boot, recorder, server, textOf, until, workshop } from './harness.js';

const guarded = () => server('w', { default_tool_meta: null });

/** Calls `echo` with this confirm callback. */
async function echo(confirm: ComputerOptions['confirm'], timeout = 10) {
  const computer = await boot({ mcpServers: [guarded()], ...(confirm && { confirm }) });
  const result = await computer.executeTool('r', 'echo', { message: 'hi' }, { timeout, agent: 'bot' });
  return { result, text: textOf(result), record: computer.history()[0] };
}

describe('consent', () => {
  verifies('COMP-SERVER-05', 'is not asked for where auto_apply is true, for the tool or by default', async () => {
    const asked: string[] = [];
    const computer = await boot({
      mcpServers: [
        server('w', {
          default_tool_meta: { auto_apply: true },
          tool_meta: { fail: { auto_apply: false }, counts: { alias: 'c' } },
        }),
      ],
      confirm: ({ tool }) => asked.push(tool) > 0,
    });
    await computer.executeTool('1', 'echo', { message: 'hi' });
    await computer.executeTool('2', 'c', {});
    await computer.executeTool('3', 'fail', {});
    expect(asked).toEqual(['fail']);
  });

  verifies('COMP-ASK-01', 'yes lets the tool run; the request has all details of the call', async () => {
    const seen: unknown[] = [];
    const { text, record } = await echo(
      ({ reqId, server: name, tool, parameters, agent, displayName, description, signal }) => {
        seen.push(reqId, name, tool, parameters, agent, displayName, description.description, signal.aborted);
        return true;
      },
    );
    expect(text).toBe('hi');
    expect(seen).toEqual(['r', 'w', 'echo', { message: 'hi' }, 'bot', 'echo', 'Does echo.', false]);
    expect(record).toMatchObject({ success: true, error: null });
  });

  verifies(
    'COMP-ASK-02',
    'a missing callback, a refusal, a timeout and a failing callback are failed results',
    async () => {
      const none = await echo(undefined);
      expect(none.text).toBe(
        '当前工具需要调用前进行二次确认，但客户端目前没有实现二次确认回调方法。请联系用户反馈此问题',
      );
      const refused = await echo(async () => false);
      expect(refused.text).toBe('工具调用二次确认被拒绝，请稍后再试');
      const denied = await echo('deny');
      expect(denied.text).toBe(refused.text);
      expect(denied.result).toMatchObject({ _meta: { a2c_reason: 'consent_disabled', a2c_execution: 'not-run' } });
      const late = await echo(() => new Promise(() => {}), 1);
      expect(late.text).toBe('当前工具需要用户二次确认是否可以调用，当前确认超时。');
      const threw = await echo(() => Promise.reject(Object.assign(new Error('slow'), { name: 'TimeoutError' })));
      expect(threw.text).toBe(late.text);
      const broken = await echo(() => {
        throw new Error('no screen');
      });
      expect(broken.text).toBe('在工具调用二次确认时发生异常，异常信息：no screen');
      for (const { result, record, text } of [none, refused, denied, late, threw, broken]) {
        expect(result).toMatchObject({
          isError: true,
          _meta: { error_code: 4005 },
          structuredContent: { error: text },
        });
        expect(record).toMatchObject({ success: false, tool: 'echo', error: expect.any(String) });
        expect(record?.error).not.toMatch(/\p{Script=Han}/u);
      }
    },
  );

  verifies('COMP-ASK-03', 'is not asked for a call with invalid arguments', async () => {
    let asked = 0;
    const computer = await boot({ mcpServers: [guarded()], confirm: () => ++asked > 0 });
    const invalid = await computer.executeTool('r', 'echo', { message: 7 });
    expect(invalid).toMatchObject({ isError: true, error: { code: 400 } });
    expect(asked).toBe(0);
    await computer.executeTool('s', 'echo', { message: 'hi' });
    expect(asked).toBe(1);
  });

  verifies('COMP-ASK-02', 'a call cancelled while consent is pending ends at once', async () => {
    let tooLate: AbortSignal | undefined;
    const computer = await boot({
      mcpServers: [guarded()],
      confirm: ({ signal }) => {
        tooLate = signal;
        return new Promise(() => {});
      },
    });
    const pending = computer.executeTool('r', 'echo', { message: 'hi' });
    await until(() => tooLate !== undefined);
    computer.cancel('r');
    expect((await pending)._meta).toMatchObject({ a2c_cancelled: true });
    expect(tooLate?.aborted).toBe(true);
  });
});

describe('calls that wait for consent', () => {
  verifies(
    'COMP-ASK-04',
    'have a limited size, for each Agent and together; a refused one may be repeated',
    async () => {
      const answers = new Map<string, (isAllowed: boolean) => void>();
      const computer = await boot({
        mcpServers: [guarded()],
        limits: { unfinishedBytes: 3_000, unfinishedBytesPerAgent: 2_000 },
        confirm: ({ reqId }) => new Promise((resolve) => answers.set(reqId, resolve)),
      });
      const call = (reqId: string, agent: string) =>
        computer.executeTool(reqId, 'echo', { message: 'm'.repeat(1_200) }, { agent });
      const first = call('1', 'a');
      await until(() => answers.has('1'));
      const refused = await call('2', 'a');
      expect(refused).toMatchObject({ isError: true, error: { code: 429 }, _meta: { a2c_execution: 'not-run' } });
      expect(textOf(refused)).toMatch(
        /^too many bytes of arguments in unfinished calls: calls of one Agent may have 2000/,
      );
      const second = call('3', 'b');
      await until(() => answers.has('3'));
      expect(textOf(await call('4', 'c'))).toContain('all calls may have 3000, and this one has 1214');
      // A cancelled call leaves room, although its callback never settles.
      computer.cancel('3', { agent: 'b' });
      await second;
      const repeated = call('2', 'b');
      await until(() => answers.has('2'));
      answers.get('1')?.(true);
      answers.get('2')?.(true);
      expect((await Promise.all([first, repeated])).map((result) => textOf(result).length)).toEqual([1_200, 1_200]);
    },
  );

  verifies('COMP-ASK-04', 'of one Agent are limited in number, so that others can ask', async () => {
    const answers = new Map<string, (isAllowed: boolean) => void>();
    const computer = await boot({
      mcpServers: [guarded()],
      limits: { waitingCallsPerAgent: 2 },
      confirm: ({ reqId }) => new Promise((resolve) => answers.set(reqId, resolve)),
    });
    const call = (reqId: string, agent: string) => computer.executeTool(reqId, 'echo', { message: 'm' }, { agent });
    const waiting = [call('1', 'a'), call('2', 'a')];
    await until(() => answers.size === 2);
    const refused = await call('3', 'a');
    expect(refused).toMatchObject({ isError: true, error: { code: 429 }, _meta: { a2c_execution: 'not-run' } });
    expect(textOf(refused)).toContain('2 calls of this Agent wait for consent');
    waiting.push(call('4', 'b'));
    await until(() => answers.has('4'));
    for (const answer of answers.values()) answer(true);
    expect((await Promise.all(waiting)).map(({ isError }) => isError ?? false)).toEqual([false, false, false]);
  });
});

describe('a refused call', () => {
  verifies(
    ['SMCP-FLOW-03', 'SMCP-ERR-02', 'SMCP-ERR-03', 'COMP-FAIL-01'],
    'is an error for all published peers, and a text for models',
    async () => {
      const computer = await boot({ mcpServers: [server('w', { forbidden_tools: ['fail'] })] });
      const forbidden = await computer.executeTool('1', 'fail', {});
      expect(forbidden).toMatchObject({
        error: { code: 403, details: { a2c_code: 4002 } },
        structuredContent: { error: "Tool 'fail' is disabled by configuration", error_type: 'PermissionError' },
        content: [{ type: 'text', text: "Tool 'fail' is disabled by configuration" }],
        isError: true,
      });
      const unknown = await computer.executeTool('2', 'nothing', {});
      expect(unknown).toMatchObject({
        error: { code: 404, details: { a2c_code: 4001 } },
        structuredContent: { error: "Tool 'nothing' not found in any active server", error_type: 'ValueError' },
        isError: true,
      });
      const wrong = await computer.executeTool('3', 'echo', { message: 7 });
      expect(wrong).toMatchObject({ error: { code: 400 }, isError: true });
      expect(textOf(wrong)).toContain('message');
      expect(computer.getAvailableTools().map(({ name }) => name)).not.toContain('fail');
    },
  );

  verifies(['SMCP-CALL-03', 'SMCP-FLOW-04', 'SMCP-ERR-04'], 'reports a timeout', async () => {
    const computer = await boot();
    const late = await computer.executeTool('1', 'sleep', { ms: 60_000 }, { timeout: 0.3 });
    expect(late).toMatchObject({
      isError: true,
      error: { code: 408, details: { a2c_code: 4004 } },
      _meta: { a2c_timeout: true, error_code: 4004 },
      content: [{ type: 'text', text: "调用异常: Tool 'sleep' execution timed out" }],
    });
    expect(computer.history()[0]).toMatchObject({ success: false, timeout: 0.3 });
  });

  verifies(
    'COMP-FAIL-02',
    'the tool’s own failure is its result; a failure of the server is an error text',
    async () => {
      const computer = await boot({ autoReconnect: false });
      const own = await computer.executeTool('1', 'fail', {});
      expect(own).toMatchObject({ isError: true, content: [{ type: 'text', text: 'it broke' }] });
      expect(own).not.toHaveProperty('error');
      const refused = await computer.executeTool('2', 'refuse', {});
      expect(textOf(refused)).toMatch(/^调用异常: Tool execution failed: .*not on Sundays/);
      const crashed = await computer.executeTool('3', 'crash', {});
      expect(crashed).toMatchObject({ isError: true, _meta: { error_code: 4003 } });
      expect(computer.history().map(({ error }) => error === null)).toEqual([true, false, false]);
    },
  );

  verifies(['SMCP-ERR-05', 'WIRE-ERR-04'], 'an internal error is a 500 without details', async () => {
    const computer = await boot({
      mcpServers: [guarded()],
      confirm: () => true,
    });
    const poisoned = {
      get message(): string {
        throw new Error('inner secret');
      },
    };
    const result = await computer.executeTool('1', 'echo', poisoned);
    expect(result).toMatchObject({ isError: true, error: { code: 500 } });
    expect(JSON.stringify(result)).not.toContain('inner secret');
    expect(computer.log).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'internal error in a tool call' }),
    );
  });

  verifies('COMP-FAIL-01', 'before boot and after close', async () => {
    const computer = new Computer({ name: 'pc', logger: recorder() });
    const early = await computer.executeTool('1', 'echo', {});
    expect(early).toMatchObject({ isError: true, structuredContent: { error_type: 'RuntimeError' } });
    await computer.close();
    expect(await computer.executeTool('2', 'echo', {})).toMatchObject({ isError: true, error: { code: 503 } });
  });
});

describe('the tool list', () => {
  verifies(['SMCP-TERM-02', 'COMP-LIST-01', 'WIRE-TOOL-07'], 'has the tools of all servers', async () => {
    const two = {
      WORKSHOP_TOOLS: JSON.stringify([
        {
          name: 'saw',
          annotations: { destructiveHint: true },
          inputSchema: { type: 'object' },
          _meta: { a: { b: 1 } },
        },
      ]),
    };
    const computer = await boot({
      mcpServers: [
        server('one', {
          server_parameters: workshop({
            WORKSHOP_TOOLS: JSON.stringify([{ name: 'plane', inputSchema: { type: 'object' } }]),
          }),
          tool_meta: { plane: { alias: 'smooth', tags: ['wood'] } },
        }),
        server('two', { server_parameters: workshop(two), default_tool_meta: null }),
      ],
    });
    expect(computer.getAvailableTools()).toEqual([
      {
        name: 'smooth',
        description: '',
        params_schema: { type: 'object' },
        return_schema: null,
        meta: {
          a2c_server: 'one',
          a2c_tool_meta: '{"auto_apply":true,"alias":"smooth","tags":["wood"],"ret_object_mapper":null}',
        },
      },
      {
        name: 'saw',
        description: '',
        params_schema: { type: 'object' },
        return_schema: null,
        meta: {
          a: '{"b":1}',
          a2c_server: 'two',
          MCP_TOOL_ANNOTATION:
            '{"title":null,"readOnlyHint":null,"destructiveHint":true,"idempotentHint":null,"openWorldHint":null}',
        },
      },
    ]);
    expect(textOf(await computer.executeTool('1', 'smooth', {}))).toBe('called plane');
    expect((await computer.executeTool('2', 'smooth', {}))._meta?.a2c_tool_meta).toMatchObject({ tags: ['wood'] });
  });
});
