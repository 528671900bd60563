import { verifies } from '@a2c/requirements';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { ArrayScanner } from '../src/wire/json-scanner.js';
import { ask, CALL, next, office } from './harness.js';

/** Scans in parts, and returns whether the text is valid. */
function isValid(text: string, budget: number): boolean {
  try {
    const scanner = new ArrayScanner(Buffer.from(text), 0, 10_000, true);
    while (!scanner.run(budget));
    return true;
  } catch {
    return false;
  }
}

function isJsonArray(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

const anyArray = fc.array(fc.jsonValue()).map((value) => JSON.stringify(value));
const spaced = fc.array(fc.jsonValue()).map((value) => JSON.stringify(value, undefined, '\t'));
const numbers = fc.stringMatching(/^\[ ?-?0?[0-9.eE+-]{0,6} ?\]$/);
const strings = fc.stringMatching(/^\["(\\?["\\/bfnrtu0-9a-f]){0,8}"\]$/);
const mutated = fc
  .tuple(
    anyArray,
    fc.nat(),
    fc.constantFrom('', '"', '\\', ',', '[', ']', '{', '}', ':', '0', '-', '\n', '\u0001', 'e'),
  )
  .map(([text, at, inserted]) => {
    const position = at % (text.length + 1);
    return text.slice(0, position) + inserted + text.slice(position + 1);
  });

describe('the JSON of a packet', () => {
  verifies('RELAY-RAW-01', 'is accepted exactly if JSON.parse accepts it', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyArray, spaced, numbers, strings, mutated),
        fc.constantFrom(1, 7, 1e9),
        (text, budget) => isValid(text, budget) === isJsonArray(text),
      ),
      { numRuns: 3_000 },
    );
  });

  verifies(
    'RELAY-RAW-01',
    'passes unchanged, with attachments and all arguments, over WebSocket and polling',
    async () => {
      const { server, agent, computer } = await office();
      const text = '你好 \\ " \u0000 \u2028';
      const request = { ...CALL, params: { text, big: 'x'.repeat(200_000), bytes: Buffer.from([0, 255]) } };
      const answer = { content: [{ text, bytes: Buffer.from([1, 2]), number: 1e300 }], isError: false };
      computer.on('client:tool_call', (payload, ack) => {
        expect(payload).toEqual(request);
        ack(answer, text);
      });
      expect(await ask(agent, 'client:tool_call', request)).toEqual([answer, text]);
      agent.disconnect();
      const polling = await server.member('agent', 'a', 'o', { transports: ['polling'] });
      expect(await ask(polling, 'client:tool_call', request)).toEqual([answer, text]);
    },
  );

  verifies('RELAY-RAW-01', 'that is malformed ends the connection of its sender only', async () => {
    for (const broken of ['[{"content":[}]', '[{}', '[{}]]', '{}', '[{"a":"\u0001"}]', '["\\x"]', '[01]', '']) {
      const { agent, computer } = await office();
      const disconnected = next(computer, 'disconnect');
      computer.on('client:tool_call', () => {
        const { engine } = computer.io as unknown as { engine: { write(packet: string): void } };
        engine.write(`3/smcp,0${broken}`);
      });
      expect((await ask(agent, 'client:tool_call', CALL))[0]).toMatchObject({ code: 404, details: { reason: 'gone' } });
      await disconnected;
      expect(agent.connected).toBe(true);
    }
  });

  verifies('RELAY-RAW-01', 'that refers to a missing attachment ends the connection of its sender only', async () => {
    for (const num of [7, -1, 0.5, '"0"', null]) {
      const { agent, computer } = await office();
      computer.on('client:tool_call', () => {
        const { engine } = computer.io as unknown as { engine: { write(packet: string | Buffer): void } };
        engine.write(`61-/smcp,0[{"_placeholder":true,"num":${num}}]`);
        engine.write(Buffer.from([1]));
      });
      expect((await ask(agent, 'client:tool_call', CALL))[0], `${num}`).toMatchObject({ code: 404 });
      expect(agent.connected).toBe(true);
    }
  });

  verifies('RELAY-RAW-01', 'that nests too deeply is answered with an error', async () => {
    const { agent, computer } = await office();
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const write = (socket: typeof agent, packet: string) =>
      (socket.io as unknown as { engine: { write(packet: string): void } }).engine.write(packet);
    computer.on('client:tool_call', () => write(computer, `3/smcp,0[${deep}]`));
    expect((await ask(agent, 'client:tool_call', CALL))[0]).toMatchObject({
      code: 500,
      message: expect.stringMatching(/nests too deeply/),
    });
    const acknowledged = new Promise((resolve) => {
      (agent as unknown as { acks: Record<number, unknown> }).acks[99] = resolve;
    });
    write(agent, `2/smcp,99["client:tool_call",${deep}]`);
    expect(await acknowledged).toMatchObject({ code: 400 });
    expect(agent.connected && computer.connected).toBe(true);
  });
});

describe('a packet of very many values', () => {
  const VALUES = `[${'[],'.repeat(300_000)}[]]`;
  const KEYS = `{${Array.from({ length: 11_000 }, (_, i) => `"${i}":0`).join()}}`;

  verifies('COST-MEMBER-03', 'is answered with an error and not passed on', async () => {
    const { agent, computer } = await office();
    let asked = 0;
    computer.on('client:tool_call', (_payload, ack) => ack({ content: [], isError: false }, asked++));
    const { agent: name, computer: target, tool_name, timeout } = CALL;
    const call = (id: number, params: string) =>
      new Promise((resolve) => {
        (agent as unknown as { acks: Record<number, unknown> }).acks[id] = resolve;
        const head = JSON.stringify({ agent: name, computer: target, tool_name, timeout, req_id: `many-${id}` });
        const { engine } = agent.io as unknown as { engine: { write(packet: string): void } };
        engine.write(`2/smcp,${id}["client:tool_call",${head.slice(0, -1)},"params":${params}}]`);
      });
    expect(await call(901, `{"a":${VALUES}}`)).toMatchObject({
      code: 400,
      message: expect.stringMatching(/more than 100000 values/),
    });
    expect(await call(902, KEYS)).toMatchObject({ code: 400, message: expect.stringMatching(/more than 10000 keys/) });
    expect(asked).toBe(0);
    expect(await call(903, '{}')).toMatchObject({ isError: false });
    expect(agent.connected && computer.connected).toBe(true);
  });

  verifies('COST-MEMBER-03', 'as an answer becomes an error, and the connection of the Computer stays', async () => {
    const { agent, computer } = await office();
    const { engine } = computer.io as unknown as { engine: { write(packet: string): void } };
    let id = 0;
    computer.on('client:get_tools', () => engine.write(`3/smcp,${id++}[{"tools":${VALUES},"req_id":"r"}]`));
    const request = { agent: CALL.agent, computer: CALL.computer, req_id: 'r' };
    const [answer] = await ask(agent, 'client:get_tools', request);
    expect(answer).toMatchObject({ code: 500, message: expect.stringMatching(/too many values/) });
    expect(computer.connected).toBe(true);
  });
});

describe('the attachments of a call', () => {
  verifies('COST-MEMBER-04', 'are compared without being encoded as JSON', async () => {
    const { agent, computer } = await office();
    const received: number[] = [];
    computer.on('client:tool_call', ({ params }, ack) =>
      ack({ content: [], isError: false }, received.push(params.x.length)),
    );
    // As JSON, a byte takes four characters: 200 of these would exceed the longest string.
    const part = Buffer.alloc(2 ** 20, 200);
    const call = { ...CALL, req_id: 'attached', params: { x: Array.from({ length: 200 }, () => part) } };
    const write = (bytes: Buffer) =>
      new Promise((resolve) => {
        const id = 950 + received.length + (bytes === part ? 0 : 10);
        (agent as unknown as { acks: Record<number, unknown> }).acks[id] = resolve;
        const { engine } = agent.io as unknown as { engine: { write(packet: string | Buffer): void } };
        const x = call.params.x.map(() => ({ _placeholder: true, num: 0 }));
        engine.write(`51-/smcp,${id}${JSON.stringify(['client:tool_call', { ...call, params: { x } }])}`);
        engine.write(bytes);
      });
    expect(await write(part)).toMatchObject({ isError: false });
    expect(await write(Buffer.from(part))).toMatchObject({ isError: false }); // the first outcome
    expect(received).toEqual([200]);
    expect(await write(Buffer.alloc(2 ** 20, 201))).toMatchObject({
      code: 400,
      message: expect.stringMatching(/belongs to another call/),
    });
  });
});

describe('a relayed request', () => {
  verifies('RELAY-RAW-02', 'keeps the text of the fields that are not changed', async () => {
    const { agent, computer } = await office();
    const received: Promise<string> = new Promise((resolve) => {
      const { engine } = computer.io as unknown as {
        engine: { on(event: 'data', listener: (data: string) => void): void };
      };
      engine.on('data', (data) => resolve(data));
    });
    const large = `{"n":1.0,"text":"\\u0041${'x'.repeat(10_000)}"}`;
    const { engine } = agent.io as unknown as { engine: { write(packet: string): void } };
    engine.write(
      `2/smcp,7["client:tool_call",{"agent":"a","req_id":"r1","old":null,"computer":"pc","tool_name":"t","params":${large},"timeout":"5","extra":[1.50]}]`,
    );
    expect((await received).replace(/^2\/smcp,\d+/, '')).toBe(
      `["client:tool_call",{"agent":"a","req_id":"r1","computer":"pc","tool_name":"t","params":${large},"timeout":5,"extra":[1.50]}]`,
    );
  });
});
