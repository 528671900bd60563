import { request as httpRequest } from 'node:http';
import { Agent } from '@a2c/agent';
import { createConsole, listenConsole } from '@a2c/console';
import type { OperatorEvent, OperatorPart } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { logIn, type SessionHeaders } from './browser-session.js';
import type { Host } from './host.js';
import { serverState, startOperatorHost, unlock } from './operator-host.js';

let host: Host;

beforeAll(async () => {
  host = await startOperatorHost();
});
afterAll(() => host.close());

verifies('CON-ACCESS-09', 'one session has a limited number of streams', async () => {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const follow = (headers: SessionHeaders) =>
    fetch(`${host.origin}/operator/events`, { headers, signal: controller.signal });
  const session = await logIn(host);
  const answers = await Promise.all(Array.from({ length: 33 }, () => follow(session)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(32).fill(200), 429]);
  const refused = answers.find(({ status }) => status === 429) as Response;
  expect(await refused.json()).toMatchObject({
    message: 'too many open event streams (32 of one session): close other pages of the console',
  });
  expect((await follow(await logIn(host))).status).toBe(200);
});

verifies('CON-ACCESS-09', 'many questions with large arguments do not lock pages out', async () => {
  await unlock(host);
  const agent = await Agent.connect({ url: host.url, office: 'demo', name: 'flood' });
  onTestFinished(() => agent.close());
  await agent.ready();
  const tool = agent.tools().find((each) => /locked.*greet/.test(each.tool.name))?.tool.name ?? '';
  const name = 'n'.repeat(900_000);
  const calls = Array.from({ length: 24 }, () => agent.callTool('pc', tool, { name }));
  const questions = async () => (await host.ask('servers')).questions as Question[];
  await expect.poll(async () => (await questions()).length, { timeout: 60_000 }).toBe(24);
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const { events, until } = await host.follow(controller.signal);
  await until((event, value) => event === 'questions' && value.set.length === 24);
  const [, { set }] = events.find(([event]) => event === 'questions') as [string, { set: Question[] }];
  expect(JSON.stringify(set).length).toBeLessThan(24 * 6_000);
  expect(set[0]).not.toHaveProperty('arguments');
  const start = `{"name":"${name}`.slice(0, 4_096);
  expect(set[0]?.largeArguments).toEqual({ start, bytes: JSON.stringify({ name }).length });
  expect((await host.ask(`question?id=${set[0]?.id}`)).arguments).toEqual({ name });
  for (const { id } of set) await host.ask('answer', { id, answer: 'deny' });
  await Promise.all(calls);
  expect((await host.request(`question?id=${set[0]?.id}`)).status).toBe(404);
});

verifies('CON-ACCESS-09', 'a large first state arrives; a page that does not read is disconnected', async () => {
  const streams: ((...event: OperatorEvent) => void)[] = [];
  const left = vi.fn();
  const text = 'x'.repeat(20 * 2 ** 20);
  const follow: OperatorPart['follow'] = (send) => {
    for (let count = 0; count < 2; count++) send('desktop', { text });
    streams.push(send);
    return left;
  };
  const unused = () => {};
  const options = { withLink: true, audit: unused, onError: unused, version: '1' };
  const console = await createConsole({ ...options, parts: [{ handlers: {}, follow }] });
  const listening = await listenConsole(console, 0);
  onTestFinished(() => listening.close());
  const { url: origin } = listening;
  const { hash } = new URL(listening.link);
  const headers = { Authorization: `Bearer ${hash.slice('#token='.length)}` };
  const response = await fetch(`${origin}/operator/events`, { headers });
  // Sent before the first state has been read.
  streams[0]?.('desktop', { text: 'change' });
  const decoder = new TextDecoder();
  let [bytes, end] = [0, ''];
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    end = (end + decoder.decode(chunk, { stream: true })).slice(-100);
    if (end.includes('change')) break;
  }
  expect(bytes).toBeGreaterThan(2 * text.length);
  await expect.poll(() => left.mock.calls.length).toBe(1);
  await fetch(`${origin}/operator/events`, { headers });
  for (let count = 0; count < 200; count++) streams[1]?.('desktop', { text: text.slice(-(2 ** 20)) });
  await expect.poll(() => left.mock.calls.length).toBe(2);
});

verifies('CON-ACCESS-09', 'a result of any size reaches the page, and the stream stays open', async () => {
  await serverState(host, 'stage', 'ready');
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const { events, until } = await host.follow(controller.signal);
  await until((event) => event === 'hello');
  const [, { stream }] = events[0] as [string, { stream: string }];
  const run = { server: 'stage', tool: 'long' };
  const resultOf = async (id: string, length: number) => {
    const call = { ...run, id, arguments: { length } };
    expect(await host.ask('run-tool', { ...call, stream })).toEqual({ id });
    await until((event, value) => event === 'result' && value.id === id);
    const event = events.find(([name, value]) => name === 'result' && (value as { id: string }).id === id);
    return { event: event?.[1], answered: (await host.ask('run-tool', call)).content[0].text.length };
  };
  const large = 20_000_000;
  expect(await resultOf('large-1', large)).toEqual({ event: { id: 'large-1' }, answered: large });
  expect(await resultOf('small-1', 10)).toMatchObject({ event: { result: { content: [{}] } }, answered: 10 });
});

verifies('CON-ACCESS-09', 'a login reads a small body only, and an endless one is not read', async () => {
  for (const headers of [{}, { 'Content-Length': String(2 ** 30) }]) {
    const answer = await new Promise<{ status: number | undefined; connection: string | undefined; text: string }>(
      (resolve, reject) => {
        const request = httpRequest(
          `${host.origin}/operator/session`,
          { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } },
          (response) => {
            let text = '';
            response.on('data', (chunk: Buffer) => {
              text += chunk;
            });
            response.on('end', () =>
              resolve({ status: response.statusCode, connection: response.headers.connection, text }),
            );
          },
        );
        request.on('error', reject);
        request.write('x'.repeat(2_000));
      },
    );
    expect(answer).toMatchObject({ status: 400, connection: 'close' });
    expect(answer.text).toContain('larger than 1024 bytes');
  }
});

verifies('CON-ACCESS-09', 'a body that nests too deeply or has too many values is refused at once', async () => {
  const run = (args: string) =>
    fetch(`${host.origin}/operator/run-tool`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${host.token}`, 'Content-Type': 'application/json' },
      body: `{"id":"large","server":"stage","tool":"greet","arguments":{"name":"Ann","extra":${args}}}`,
    });
  const refusal = async (args: string) => {
    const response = await run(args);
    return [response.status, ((await response.json()) as { message: string }).message];
  };
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  expect(await refusal(deep)).toEqual([400, 'the body nests deeper than 100 levels']);
  expect(await refusal(`[${'{},'.repeat(300_000)}{}]`)).toEqual([400, 'the body has more than 20000 values']);
  // Brackets and commas in strings count as text.
  await serverState(host, 'stage', 'ready');
  const text = JSON.stringify('[{,"\\'.repeat(100_000));
  expect((await run(text)).status).toBe(200);
});

interface Question {
  readonly id: string;
  readonly largeArguments?: { readonly start: string; readonly bytes: number };
}
