import { MCPProxy, type MCPProxyOptions, type ToolboxServer } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { inputRequired } from '@modelcontextprotocol/server';
import { describe, expect } from 'vitest';
import { atEnd, DOORS, enter } from './doors.js';
import { fixture, text } from './fixture.js';
import { proxyOver } from './hub-over.js';
import { MemoryToolbox } from './memory-toolbox.js';
import { Moment } from './moment.js';

const exec = (server_name: string, tool_name: string, args: object = {}) => ({
  name: 'exec',
  arguments: { server_name, tool_name, arguments: args },
});

/** A server whose tool runs until it is cancelled. */
function worker() {
  const [begun, stopped] = [new Moment(), new Moment()];
  const spec = fixture('worker', {
    work: {
      run: (_args, { mcpReq: { signal } }) => {
        begun.happen();
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            stopped.happen();
            resolve(text('stopped'));
          });
        });
      },
    },
  });
  return { spec, begun, stopped };
}

/** A server with a tool that sends an elicitation, and one that ends shortly after it was sent. */
function asker() {
  const [begun, hasAsked] = [new Moment(), new Moment()];
  const spec = fixture('asker', {
    wait: {
      run: async () => {
        begun.happen();
        await hasAsked.promise;
        await new Promise((resolve) => setTimeout(resolve, 50));
        return text('waited');
      },
    },
    ask: {
      run: async (_args, { mcpReq }) => {
        const requestedSchema = { type: 'object' as const, properties: { answer: { type: 'string' as const } } };
        const answer = mcpReq.elicitInput({ message: 'whose?', requestedSchema });
        hasAsked.happen();
        return text(String((await answer).content?.answer));
      },
    },
  });
  return { spec, begun };
}

/** The question of a server, without the name of the server in front of it. */
function questionOf(server: string, message: string): string {
  const title = `The MCP server "${server}" asks: `;
  expect(message.slice(0, title.length)).toBe(title);
  return message.slice(title.length);
}

/** A server that sends two elicitations in sequence and then two at once. */
const curious = fixture('curious', {
  ask: {
    run: async (_args, { mcpReq }) => {
      const ask = async (message: string) => {
        const { action, content } = await mcpReq.elicitInput({
          message,
          requestedSchema: { type: 'object', properties: { answer: { type: 'string' } } },
        });
        return content?.answer ?? action;
      };
      const answers = [await ask('name?'), await ask('colour?'), ...(await Promise.all([ask('one?'), ask('two?')]))];
      return text(answers.join(' '));
    },
  },
});

/** A server of MCP 2026, which requires input in its result. */
const modernCurious = fixture(
  'modern',
  {
    ask: {
      run: (_args, { mcpReq }) => {
        const answer = mcpReq.inputResponses?.who as { content?: { name?: string } } | undefined;
        if (answer) return text(answer.content?.name ?? 'none');
        const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
        return inputRequired({ inputRequests: { who: inputRequired.elicit({ message: 'who?', requestedSchema }) } });
      },
    },
  },
  { modern: true },
);

const CAN_ANSWER = { capabilities: { elicitation: { form: {} } } };

describe.each(DOORS)('a client of $generation on $door', (door) => {
  verifies('MCPX-FLOW-01', 'cancels a call, and the server stops', async () => {
    const { spec, begun, stopped } = worker();
    const client = await enter(await proxyOver(spec), door);
    const abort = new AbortController();
    const call = client.callTool(exec('worker', 'work'), { signal: abort.signal });
    await begun.promise;
    abort.abort('enough');
    await expect(call).rejects.toThrow();
    await stopped.promise;
  });

  verifies('MCPX-FLOW-02', 'receives progress', async () => {
    const seen = [new Moment<string>(), new Moment<string>(), new Moment<string>()];
    const stepping = fixture('stepping', {
      walk: {
        run: async (_args, { mcpReq }) => {
          const progressToken = mcpReq._meta?.progressToken as string;
          for (const [index, moment] of seen.entries()) {
            const params = { progressToken, progress: index + 1, total: 3, message: `step ${index + 1}` };
            await mcpReq.notify({ method: 'notifications/progress', params });
            await moment.promise; // the SDK's client drops progress that arrives together with the result
          }
          return text('there');
        },
      },
    });
    const client = await enter(await proxyOver(stepping), door);
    const result = await client.callTool(exec('stepping', 'walk'), {
      onprogress: ({ progress, total, message }) => seen[progress - 1]?.happen(`${progress}/${total} ${message}`),
    });
    expect(result.content).toEqual([{ type: 'text', text: 'there' }]);
    expect(await Promise.all(seen.map(({ promise }) => promise))).toEqual(['1/3 step 1', '2/3 step 2', '3/3 step 3']);
  });

  verifies('MCPX-FLOW-03', 'receives every elicitation of a call', async () => {
    const client = await enter(await proxyOver(curious), door, CAN_ANSWER);
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const message = questionOf('curious', params.message);
      asked.push(message);
      if (message === 'colour?') return { action: 'decline' };
      return { action: 'accept', content: { answer: `<${message}>` } };
    });
    const result = await client.callTool(exec('curious', 'ask'));
    expect(result.content).toEqual([{ type: 'text', text: '<name?> decline <one?> <two?>' }]);
    expect(asked.toSorted()).toEqual(['colour?', 'name?', 'one?', 'two?']);
  });

  verifies('MCPX-FLOW-06', 'receives elicitations also while it has other pending calls', async () => {
    const client = await enter(await proxyOver(curious), door, CAN_ANSWER);
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const message = questionOf('curious', params.message);
      asked.push(message);
      return { action: 'accept', content: { answer: message } };
    });
    const results = await Promise.all([1, 2].map(() => client.callTool(exec('curious', 'ask'))));
    for (const { content } of results) expect(content).toEqual(text('name? colour? one? two?').content);
    expect(asked).toHaveLength(8);
  });

  verifies('MCPX-FLOW-06', 'receives an elicitation as soon as it can be attributed, and not before', async () => {
    const { spec, begun } = asker();
    const proxy = await proxyOver(spec);
    const [first, second] = await Promise.all([enter(proxy, door, CAN_ANSWER), enter(proxy, door, CAN_ANSWER)]);
    const asked: string[] = [];
    first.setRequestHandler('elicitation/create', () => {
      asked.push('first');
      return { action: 'accept', content: { answer: 'mine' } };
    });
    second.setRequestHandler('elicitation/create', () => {
      asked.push('second');
      return { action: 'accept', content: { answer: 'not mine' } };
    });
    const waiting = second.callTool(exec('asker', 'wait'));
    await begun.promise;
    const call = first.callTool(exec('asker', 'ask'));
    await waiting; // it ends shortly after the elicitation was sent
    expect(await call).toMatchObject({ content: [{ text: 'mine' }] });
    expect(asked).toEqual(['first']);
  });

  verifies(
    'MCPX-FLOW-06',
    'receives the elicitations of its own call from a server of 2026, whatever other clients do',
    async () => {
      const proxy = await proxyOver(modernCurious);
      const ask = async (name: string) => {
        const client = await enter(proxy, door, CAN_ANSWER);
        client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name } }));
        return client.callTool(exec('modern', 'ask'));
      };
      const results = await Promise.all(['ann', 'bob'].map(ask));
      expect(results.map(({ content }) => content)).toEqual([text('ann').content, text('bob').content]);
    },
  );

  verifies('MCPX-FLOW-03', 'without elicitation does not block the server', async () => {
    const client = await enter(await proxyOver(curious), door);
    const result = await client.callTool(exec('curious', 'ask'));
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('cannot answer elicitation/create') }],
    });
  });

  verifies(
    ['MCPX-FLOW-04', 'SEC-TEXT-01', 'CHOICE-PINS-14'],
    'is asked for consent if the owner of the tool requires it',
    async () => {
      const { toolbox, proxy } = guardedTool();
      const client = await enter(proxy, door, CAN_ANSWER);
      let action: 'accept' | 'decline' = 'decline';
      let question = '';
      client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
        question = message;
        return { action };
      });
      expect(await client.callTool(exec('disk', 'format', { drive: 'c' }))).toMatchObject({
        isError: true,
        content: [{ text: '"format" of server "disk" was not run: consent was declined.' }],
      });
      expect(question).toBe('Run format of disk (it may destroy data) with {"drive":"c"}?');
      await client.callTool(exec('disk', 'format', { drive: 'safe\u202etxt.exe\u200b' }));
      expect(question).toContain('{"drive":"safe\\u202etxt.exe\\u200b"}');
      await client.callTool(exec('disk', 'wipe'));
      expect(question).toBe('Run [changed] wipe of disk (declared read-only) with {}?');
      expect(toolbox.calls).toEqual([]);
      action = 'accept';
      expect(await client.callTool(exec('disk', 'format', { drive: 'c' }))).toMatchObject({
        content: [{ text: 'formatted' }],
      });
    },
  );

  verifies('MCPX-FLOW-04', 'without elicitation is refused if a tool needs consent', async () => {
    const { toolbox, proxy } = guardedTool();
    const client = await enter(proxy, door);
    const refused = await client.callTool(exec('disk', 'format'));
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('this client cannot ask') }],
    });
    expect(toolbox.calls).toEqual([]);
    expect(await client.callTool(exec('disk', 'list'))).toMatchObject({ content: [{ text: 'formatted' }] });
  });

  verifies('MCPX-FLOW-05', 'disconnects during a call, and the server stops', async () => {
    const { spec, begun, stopped } = worker();
    const client = await enter(await proxyOver(spec), door);
    const call = client.callTool(exec('worker', 'work')).catch((error: unknown) => error);
    await begun.promise;
    await leave(client);
    await stopped.promise;
    expect(await call).toBeInstanceOf(Error);
  });
});

verifies('MCPX-FLOW-03', 'a requestState is valid once, for its own request, and cannot be guessed', async () => {
  const client = await enter(await proxyOver(curious), DOORS[3], CAN_ANSWER);
  client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' }));
  const loose = { '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) } };
  const send = (more: object) =>
    client.request({ method: 'tools/call', params: { ...exec('curious', 'ask'), ...more } }, loose, {
      allowInputRequired: true,
    });
  const first = (await send({})) as { requestState: string; inputRequests: Record<string, unknown> };
  expect(Object.values(first.inputRequests)).toMatchObject([
    { method: 'elicitation/create', params: { message: 'The MCP server "curious" asks: name?' } },
  ]);
  const [key = ''] = Object.keys(first.inputRequests);
  const answer = { requestState: first.requestState, inputResponses: { [key]: { action: 'decline' } } };
  const second = (await send(answer)) as { requestState: string };
  expect(second.requestState).not.toBe(first.requestState);
  for (const state of [first.requestState, 'guess']) {
    await expect(send({ ...answer, requestState: state })).rejects.toThrow(ProtocolError);
  }
  const other = { ...exec('curious', 'ask', { else: true }), requestState: second.requestState };
  await expect(send(other)).rejects.toThrow(ProtocolError); // another request cannot use it
});

verifies(
  'COST-WAIT-01',
  'calls that wait for input are limited in their size together; the oldest ends first',
  async () => {
    const { proxy } = guardedTool({ limits: { waitingCharacters: 1_000 } });
    const client = await enter(proxy, DOORS[3], CAN_ANSWER);
    const loose = { '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) } };
    const send = (drive: string, more: object = {}) =>
      client.request({ method: 'tools/call', params: { ...exec('disk', 'format', { drive }), ...more } }, loose, {
        allowInputRequired: true,
      }) as Promise<{ requestState: string; inputRequests: Record<string, unknown> }>;
    const drives = ['a', 'b', 'c'].map((letter) => letter.repeat(400));
    const waiting = [];
    for (const drive of drives) waiting.push(await send(drive));
    const answers = waiting.map(({ requestState, inputRequests }, index) => {
      const [key = ''] = Object.keys(inputRequests);
      return send(drives[index] ?? '', { requestState, inputResponses: { [key]: { action: 'accept' } } });
    });
    const outcomes = await Promise.allSettled(answers);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  },
);

function guardedTool(options: MCPProxyOptions = {}): { toolbox: MemoryToolbox; proxy: MCPProxy } {
  const server: ToolboxServer = {
    name: 'disk',
    state: 'ready',
    tools: [
      { name: 'format', inputSchema: {}, autoApply: false, annotations: { destructiveHint: true } },
      { name: 'list', inputSchema: {}, autoApply: true },
      {
        name: 'wipe',
        description: '[a2c: changed since it was approved; to review: a2c tools review disk] Cleans up.',
        inputSchema: {},
        autoApply: false,
        annotations: { readOnlyHint: true },
      },
    ],
  };
  const toolbox = new MemoryToolbox([server]);
  toolbox.answer = () => text('formatted') as never;
  const proxy = new MCPProxy(toolbox, options);
  atEnd(() => proxy.close());
  return { toolbox, proxy };
}

/** Ends the session of a 2025 client over HTTP, and disconnects. */
async function leave(client: Client): Promise<void> {
  const { transport } = client as { transport?: { terminateSession?: () => Promise<void>; sessionId?: string } };
  if (transport?.sessionId) await transport.terminateSession?.();
  await client.close();
}

verifies('MCPX-FLOW-03', 'an elicitation that the server cancels is cancelled at the client', async () => {
  const impatient = fixture('impatient', {
    ask: {
      run: async (_args, { mcpReq }) => {
        const abort = new AbortController();
        setTimeout(() => abort.abort(), 50);
        const requestedSchema = { type: 'object' as const, properties: {} };
        const params = { message: 'quick?', requestedSchema };
        await mcpReq.send({ method: 'elicitation/create', params }, { signal: abort.signal }).catch(() => {});
        return text('never mind');
      },
    },
  });
  const client = await enter(await proxyOver(impatient), DOORS[0], CAN_ANSWER);
  const stopped = new Moment();
  client.setRequestHandler('elicitation/create', async (_request, { mcpReq: { signal } }) => {
    signal.addEventListener('abort', () => stopped.happen());
    await stopped.promise;
    return { action: 'cancel' };
  });
  expect(await client.callTool(exec('impatient', 'ask'))).toMatchObject({ content: [{ text: 'never mind' }] });
  await stopped.promise;
});
