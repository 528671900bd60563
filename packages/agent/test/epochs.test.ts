import { OfficeLink } from '@a2c/computer';
import { META_KEYS } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { executionOf, type SMCPError } from '../src/index.js';
import { agentAt, serve, until, wireTo } from './harness.js';
import { realComputer } from './real-computer.js';
import { scripted } from './scripted-server.js';
import { TestComputer, tool } from './test-computer.js';

const LINK = { transports: ['websocket'], limits: { reconnectMinMs: 20, reconnectMaxMs: 100 } } as const;
const LIMITS = { reconnectMinMs: 10, reconnectMaxMs: 50 };

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

const failure = (call: Promise<unknown>) => call.then(() => undefined).catch((error: SMCPError) => error);

describe('a call whose Computer was replaced by another process', () => {
  verifies('SEC-ONCE-01', 'is not run again, however long that process has been running', async () => {
    const { url } = await serve();
    const wire = await wireTo(url);
    const first = await realComputer(wire.url, { link: LINK });
    const second = await realComputer(url, { link: LINK, office: 'elsewhere' });
    const agent = await agentAt(url, { limits: LIMITS });
    const call = failure(agent.callTool('pc', 'slow', { mark: 'once', ms: 60_000 }));
    await until(() => first.journal().includes('run slow once'));
    wire.isBroken = true;
    wire.cut();
    await second.link.leaveOffice();
    await second.link.joinOffice('o');
    const error = await call;
    expect(error?.message).toContain('it may have run, and is not run again');
    expect(error && executionOf(error)).toBe('unknown');
    expect(second.journal()).toEqual([]);
  });

  verifies('SEC-ONCE-01', 'is not run again after the shutdown of the Server', async () => {
    const server = await serve();
    const port = Number(new URL(server.url).port);
    const first = await realComputer(server.url, { link: LINK });
    const second = await realComputer((await serve()).url, { link: LINK });
    const agent = await agentAt(server.url, { limits: LIMITS });
    const call = failure(agent.callTool('pc', 'slow', { mark: 'once', ms: 60_000 }));
    await until(() => first.journal().includes('run slow once'));
    await server.close();
    first.link.disconnect();
    await serve({ port });
    const moved = new OfficeLink(second.computer, { url: server.url, logger: quiet, ...LINK });
    onTestFinished(() => moved.disconnect());
    await moved.connect('o');
    await moved.joinOffice('o');
    const error = await call;
    expect(error && executionOf(error)).toBe('unknown');
    expect(second.journal()).toEqual([]);
  });

  for (const [servers, sharded] of [
    ['another sharded node', true],
    ['a Server that replaces the first one', false],
  ] as const) {
    verifies('SEC-ONCE-10', `is not sent again by ${servers}, however long that has been running`, async () => {
      const { now } = performance;
      let ahead = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + ahead);
      onTestFinished(() => void vi.restoreAllMocks());
      const [first, second] = [await serve({ sharded }), await serve({ sharded })];
      ahead = 3_600_000;
      const wire = await wireTo(first.url);
      const theirs = { tools: [tool('gate')], adapts: false };
      const before = await TestComputer.join(first.url, theirs);
      const agent = await agentAt(wire.url, { limits: LIMITS });
      const call = failure(agent.callTool('pc', 'gate', {}, { timeout: 20 }));
      await until(() => before.waiting === 1);
      const after = await TestComputer.join(second.url, theirs);
      wire.target = second.url;
      wire.cut();
      const error = (await call) as SMCPError;
      expect([error.code, executionOf(error)]).toEqual([404, 'unknown']);
      expect([before.runs.length, after.runs.length]).toEqual([1, 0]);
    });
  }
});

verifies('SEC-ONCE-03', 'the outcome of a call shows whether it has run', async () => {
  const { url } = await serve();
  const { link, journal } = await realComputer(url);
  const agent = await agentAt(url);
  expect(executionOf(await agent.callTool('pc', 'echo', { text: 'hi' }))).toBe('ran');
  const outcome = async (call: Promise<unknown>) => executionOf((await failure(call)) as SMCPError);
  expect(await outcome(agent.callTool('pc', 'no such tool'))).toBe('not-run');
  expect(await outcome(agent.callTool('no such computer', 'echo'))).toBe('not-run');
  expect(await outcome(agent.callTool('pc', 'slow', { mark: 'late', ms: 60_000 }, { timeout: 1 }))).toBe('unknown');
  const left = outcome(agent.callTool('pc', 'slow', { mark: 'left', ms: 60_000 }));
  await until(() => journal().includes('run slow left'));
  await link.leaveOffice();
  expect(await left).toBe('unknown');
});

verifies('SEC-ONCE-03', 'a call that was sent before it was refused may have run', async () => {
  const { url } = await serve();
  const computer = await TestComputer.join(url, { tools: [tool('gate')] });
  const wire = await wireTo(url);
  const agent = await agentAt(wire.url, { limits: { ...LIMITS, absenceMs: 100 } });
  const call = failure(agent.callTool('pc', 'gate'));
  await until(() => computer.waiting === 1);
  wire.isBroken = true;
  wire.cut();
  computer.socket.disconnect();
  wire.isBroken = false;
  const error = (await call) as SMCPError;
  expect([error.kind, executionOf(error)]).toEqual(['NotFound', 'unknown']);
});

verifies(
  'SEC-ONCE-12',
  'a call may have run whose repetition is refused because limits cannot be checked',
  async () => {
    const limited = ({ auth }: { readonly auth: Readonly<Record<string, unknown>> }) =>
      auth.api_key === 'bot' ? { subject: 'bot', tools: ['!danger'] } : { subject: 'pc' };
    const { url } = await serve({ authenticate: limited });
    const computer = await TestComputer.join(url, { tools: [tool('gate')], adapts: false });
    const wire = await wireTo(url);
    const agent = await agentAt(wire.url, { apiKey: 'bot', limits: LIMITS });
    const first = failure(agent.callTool('pc', 'gate'));
    await until(() => computer.waiting === 1);
    computer.socket.off('client:get_tools');
    computer.socket.on('client:get_tools', (_, ack) => ack({ code: 500, message: 'starting' }));
    computer.socket.emit('server:update_tool_list', { computer: 'pc' });
    await until(() => computer.heard.filter(({ event }) => event === 'client:get_tools').length > 1);
    wire.cut();
    const error = (await first) as SMCPError;
    expect([error.code, executionOf(error)]).toEqual([403, 'unknown']);
    expect(computer.runs).toHaveLength(1);
    const next = (await failure(agent.callTool('pc', 'gate'))) as SMCPError;
    expect([next.code, executionOf(next)]).toEqual([403, 'not-run']);
  },
);

verifies('SEC-ONCE-05', 'a repeated call that a busy Computer refuses may still run', async () => {
  const server = await scripted({
    'server:join_office': (_, ack) => ack(true, null),
    'server:list_room': ({ req_id }, ack) => ack({ sessions: [], req_id }),
    'client:tool_call': ({ repeated_after_ms }, ack) => {
      const details = { retry_after: 3_600, [META_KEYS.execution]: 'not-run' };
      if (repeated_after_ms !== undefined) ack({ code: 429, message: 'busy', details });
      else server.drop('network');
    },
  });
  const agent = await agentAt(server.url, { limits: LIMITS });
  const error = (await failure(agent.callTool('pc', 'gate'))) as SMCPError;
  expect([error.code, executionOf(error)]).toEqual([429, 'unknown']);
});

verifies('SEC-ONCE-14', 'the time in which the machine of the Agent slept counts', async () => {
  const { now } = Date;
  let asleepMs = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now.call(Date) + asleepMs);
  onTestFinished(() => void vi.restoreAllMocks());
  const ages: unknown[] = [];
  const server = await scripted({
    'server:join_office': (_, ack) => ack(true, null),
    'server:list_room': ({ req_id }, ack) => ack({ sessions: [], req_id }),
    'client:tool_call': ({ repeated_after_ms: age }, ack) => {
      ages.push(age);
      if (age !== undefined) return ack({ code: 404, message: 'gone' });
      asleepMs = 60_000;
      server.drop('network');
    },
  });
  const agent = await agentAt(server.url, { limits: LIMITS });
  await failure(agent.callTool('pc', 'gate'));
  expect(ages).toEqual([undefined, expect.any(Number)]);
  expect(ages[1]).toBeGreaterThanOrEqual(60_000);
});

verifies('SEC-ONCE-09', 'an answer that is no result does not show that the tool has not run', async () => {
  const server = await scripted({
    'server:join_office': (_, ack) => ack(true, null),
    'server:list_room': ({ req_id }, ack) => ack({ sessions: [], req_id }),
    'client:tool_call': (_, ack) => ack({ paid: true }),
  });
  const agent = await agentAt(server.url, { limits: LIMITS });
  const error = (await failure(agent.callTool('pc', 'pay'))) as SMCPError;
  expect([error.kind, executionOf(error)]).toEqual(['BadRequest', 'unknown']);
});
