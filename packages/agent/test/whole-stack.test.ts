import { Agent } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { agentAt, listenIn, next, pause, serve, until, wireTo } from './harness.js';
import { realComputer } from './real-computer.js';

// The signalling server, Computers with MCP servers as child processes, and Agents, over real sockets.

const JOURNAL_TOOLS = ['echo', 'slow', 'image', 'novel', 'structure', 'learn'];
const QUICK = { reconnectMinMs: 10, reconnectMaxMs: 50 };
/** Websocket only, because the Server notices the loss of one at once. */
const QUICK_LINK = { transports: ['websocket'], limits: { reconnectMinMs: 20, reconnectMaxMs: 100 } } as const;

const toolsOf = (agent: Agent, computer = 'pc') => agent.computers.get(computer)?.tools.map(({ name }) => name);
const text = (words: string) => [{ type: 'text', text: words }];

describe('an office of real members', () => {
  verifies(
    ['AGT-CONNECT-01', 'AGT-VIEW-01', 'AGT-EVENT-01', 'SMCP-FLOW-06'],
    'is discovered by an early and a late Agent, and its changes are reported',
    async () => {
      const { url } = await serve();
      const early = await agentAt(url);
      const heard = listenIn(early);
      const { link } = await realComputer(url);
      await until(() => early.computers.get('pc')?.state === 'ready');
      expect(toolsOf(early)).toEqual(JOURNAL_TOOLS);
      expect(heard.slice(0, 2).map(([event]) => event)).toEqual(['computerEntered', 'toolsChanged']);
      await early.close();

      const late = await agentAt(url, { name: 'late' });
      expect(toolsOf(late)).toEqual(JOURNAL_TOOLS);
      expect((await late.callTool('pc', 'echo', { text: 'hello' })).content).toEqual(text('hello'));
      expect(Object.keys((await late.getConfig('pc')).servers)).toEqual(['journal']);

      await realComputer(url, { name: 'second' });
      await until(() => late.computers.get('second')?.state === 'ready');
      expect((await late.callTool('second', 'echo', { text: 'me too' })).content).toEqual(text('me too'));
      const left = next(late, 'computerLeft');
      await link.leaveOffice();
      expect(await left).toMatchObject({ name: 'pc' });
      await expect(late.callTool('pc', 'echo', { text: 'anyone?' })).rejects.toMatchObject({ code: 404 });
      expect([...late.computers.keys()]).toEqual(['second']);
    },
  );

  verifies('AGT-VIEW-01', 'reports a tool added by an MCP server, and a stopped server', async () => {
    const { url } = await serve();
    const { computer } = await realComputer(url);
    const agent = await agentAt(url);
    const grown = next(agent, 'toolsChanged');
    await agent.callTool('pc', 'learn', { name: 'juggle' });
    expect((await grown).tools.map(({ name }) => name)).toEqual([...JOURNAL_TOOLS, 'juggle']);
    expect((await agent.callTool('pc', 'juggle')).content).toEqual(text('I am juggle'));
    const gone = next(agent, 'toolsChanged');
    await computer.stopServer('journal');
    expect((await gone).tools).toEqual([]);
  });

  verifies('AGT-CALL-08', 'reports the progress of a call to the Agent that asked for it', async () => {
    const { url } = await serve();
    await realComputer(url);
    const agent = await agentAt(url);
    const steps: unknown[] = [];
    const call = { onProgress: (step: unknown) => void steps.push(step) };
    expect((await agent.callTool('pc', 'slow', { ms: 100 }, call)).content).toEqual(text('done'));
    expect(steps).toEqual([{ progress: 1, total: 2, message: 'half done' }]);
  });

  verifies('COMP-ASK-10', 'reports to the Agent that its call waits for consent', async () => {
    const { url } = await serve();
    let allow = () => {};
    const asked = new Promise<boolean>((resolve) => {
      allow = () => resolve(true);
    });
    await realComputer(url, { autoApply: false, own: { confirm: () => asked } });
    const agent = await agentAt(url);
    const steps: unknown[] = [];
    const call = agent.callTool('pc', 'echo', { text: 'hello' }, { onProgress: (step) => void steps.push(step) });
    await until(() => steps.length > 0);
    expect(steps).toEqual([{ progress: 0, message: 'waiting for consent of the user of the Computer' }]);
    allow();
    expect((await call).content).toEqual(text('hello'));
    // An answer at once is not reported.
    steps.length = 0;
    await agent.callTool('pc', 'echo', { text: 'again' }, { onProgress: (step) => void steps.push(step) });
    expect(steps).toEqual([]);
  });

  verifies(['AGT-CONNECT-02', 'AGT-CALL-07', 'SMCP-ERR-07'], 'has one Agent and isolates its Computers', async () => {
    const { url } = await serve();
    const { journal } = await realComputer(url);
    const agent = await agentAt(url);
    await expect(Agent.connect({ url, office: 'o', name: 'b' })).rejects.toMatchObject({
      kind: 'RoomFull',
      code: 403,
    });
    const stranger = await agentAt(url, { office: 'other', name: 'b' });
    expect(stranger.computers.size).toBe(0);
    await expect(stranger.callTool('pc', 'echo', { text: 'let me in' })).rejects.toMatchObject({ code: 404 });
    await expect(stranger.getDesktop('pc')).rejects.toMatchObject({ code: 404 });
    expect(journal()).toEqual([]);
    expect((await agent.callTool('pc', 'echo', { text: 'mine' })).content).toEqual(text('mine'));
  });
});

describe('a call through the whole stack', () => {
  verifies(['AGT-CALL-02', 'AGT-CALL-04'], 'that is cancelled or aborted is cancelled in the MCP server', async () => {
    const { url } = await serve();
    const { journal } = await realComputer(url);
    const agent = await agentAt(url);
    const cancelled = agent.callTool('pc', 'slow', { mark: 'one', ms: 60_000 }, { reqId: 'one' });
    await until(() => journal().includes('run slow one'));
    agent.cancel('one');
    expect(await cancelled).toMatchObject({ isError: true, _meta: { a2c_cancelled: true } });
    await until(() => journal().includes('cancelled slow one'));

    const stop = new AbortController();
    const aborted = agent.callTool('pc', 'slow', { mark: 'two', ms: 60_000 }, { signal: stop.signal });
    await until(() => journal().includes('run slow two'));
    stop.abort(new Error('never mind'));
    await expect(aborted).rejects.toThrow('never mind');
    await until(() => journal().includes('cancelled slow two'));
    expect(journal().filter((line) => line.startsWith('done'))).toEqual([]);
  });

  verifies(['AGT-CALL-03', 'SMCP-ERR-04'], 'that times out ends with the answer of the Computer', async () => {
    const { url } = await serve();
    const { journal } = await realComputer(url);
    const agent = await agentAt(url);
    const started = performance.now();
    const late = agent.callTool('pc', 'slow', { mark: 'late', ms: 60_000 }, { timeout: 1 });
    // Only the Computer sets a2c_timeout; the Server would answer after 3 s, the Agent after 6 s.
    await expect(late).rejects.toMatchObject({ kind: 'ToolTimeout', code: 408, details: { a2c_timeout: true } });
    expect((performance.now() - started) / 1_000).toBeGreaterThan(0.9);
    await until(() => journal().includes('cancelled slow late'));
  });

  verifies(
    ['AGT-BACK-02', 'SMCP-CALL-02'],
    'is neither lost nor run twice when the Server restarts during fifty calls',
    async () => {
      const first = await serve();
      const port = Number(new URL(first.url).port);
      const { journal } = await realComputer(first.url, { link: QUICK_LINK });
      const agent = await agentAt(first.url, { limits: QUICK });
      const marks = Array.from({ length: 50 }, (_, i) => `m${i}`);
      // Some end before the restart, some during it, some afterwards.
      const calls = Promise.all(marks.map((mark, i) => agent.callTool('pc', 'slow', { mark, ms: 100 + 50 * i })));
      await until(() => journal().filter((line) => line.startsWith('run')).length === marks.length);
      await until(() => journal().filter((line) => line.startsWith('done')).length >= 5);
      await first.close();
      await until(() => agent.state === 'reconnecting');
      await until(() => journal().filter((line) => line.startsWith('done')).length >= 20);
      await serve({ port });
      expect((await calls).map(({ content }) => content)).toEqual(marks.map(() => text('done')));
      for (const word of ['run', 'done']) {
        const lines = journal().filter((line) => line.startsWith(word));
        expect(lines.toSorted()).toEqual(marks.map((mark) => `${word} slow ${mark}`).toSorted());
      }
      expect(journal()).toHaveLength(2 * marks.length);
    },
  );
});

describe('a Computer that loses its connection during a call', () => {
  async function callUnderWay(limits: object = {}) {
    const { url } = await serve();
    const wire = await wireTo(url);
    const { link, journal } = await realComputer(wire.url, { link: QUICK_LINK });
    const agent = await agentAt(url, { limits });
    const call = (ms: number) => agent.callTool('pc', 'slow', { mark: 'x', ms }, { timeout: 60 });
    const started = () => until(() => journal().includes('run slow x'));
    return { url, agent, wire, link, journal, call, started };
  }

  verifies('AGT-BACK-08', 'is waited for and returns the result after its re-join', async () => {
    const { agent, wire, journal, call, started } = await callUnderWay();
    const result = call(600);
    await started();
    const left = next(agent, 'computerLeft');
    wire.isBroken = true;
    wire.cut();
    await left;
    await until(() => journal().includes('done slow x'));
    wire.isBroken = false;
    expect((await result).content).toEqual(text('done'));
    expect(journal()).toEqual(['run slow x', 'done slow x']);
  });

  verifies('AGT-BACK-08', 'is waited for until absenceMs or until the Agent closes', async () => {
    const { agent, wire, call, started } = await callUnderWay({ absenceMs: 1_000 });
    const given = expect(call(60_000)).rejects.toMatchObject({ code: 404, details: { computer: 'pc' } });
    await started();
    wire.isBroken = true;
    wire.cut();
    await given;
    expect(agent.state).toBe('joined');

    const other = await callUnderWay();
    const closed = expect(other.call(60_000)).rejects.toMatchObject({ kind: 'NotInRoom' });
    await other.started();
    const left = next(other.agent, 'computerLeft');
    other.wire.isBroken = true;
    other.wire.cut();
    await left;
    await other.agent.close();
    await closed;
  });

  verifies(['AGT-BACK-08', 'AGT-BACK-02'], 'and restarts does not run the call again', async () => {
    const { agent, url, wire, call, started } = await callUnderWay();
    const over = expect(call(60_000)).rejects.toMatchObject({
      code: 404,
      message: expect.stringMatching(/may have run, and is not run again/),
    });
    await started();
    const left = next(agent, 'computerLeft');
    wire.isBroken = true;
    wire.cut();
    await left;
    // The successor recognises the call as older than itself only if the difference exceeds the transmission time.
    await pause(2_000);
    const successor = await realComputer(url);
    await over;
    expect(successor.journal()).toEqual([]);
    expect((await agent.callTool('pc', 'echo', { text: 'new' })).content).toEqual(text('new'));
  });

  verifies('AGT-BACK-08', 'by leaving is not waited for', async () => {
    const { link, call, started } = await callUnderWay();
    const over = expect(call(60_000)).rejects.toMatchObject({ code: 404, details: { computer: 'pc', reason: 'left' } });
    await started();
    await link.leaveOffice();
    await over;
  });
});
