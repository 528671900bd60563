import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HubError } from '@a2c/hub';
import { MCPProxy, type MCPProxyOptions } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import type { Client } from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, inject } from 'vitest';
import { atEnd, DOORS, enter } from './doors.js';
import { type ConfiguredServers, type Started, start } from './hub-over.js';
import { MemoryToolbox } from './memory-toolbox.js';
import { officeAt, serve } from './office.js';
import { hubComputer, TestComputer } from './test-computer.js';

const script = join(inject('commands'), 'records.js');
const records = (name: string) => ({ command: process.execPath, args: [script, name] });
const workshop = fileURLToPath(new URL('../../hub/test/servers/workshop.mjs', import.meta.url));
const [STDIO] = DOORS;

async function over(servers: ConfiguredServers, options: MCPProxyOptions = {}): Promise<Started> {
  const started = await start(servers, { code: 'on', ...options });
  await started.started;
  return started;
}

interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly all: readonly string[];
}

/** Calls `run` and returns the texts of the result. */
async function run(client: Client, code: string, options: object = {}): Promise<Answer> {
  const { content, isError = false } = await client.callTool({ name: 'run', arguments: { code } }, options);
  const all = (content as { text: string }[]).map(({ text }) => text);
  return { isError: isError as boolean, text: all[0] ?? '', all };
}

const tools = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `tool${index}`, inputSchema: { type: 'object' } }));
const memory = (count: number) => new MemoryToolbox([{ name: 'many', state: 'ready', tools: tools(count) }]);

function proxyOver(toolbox: ConstructorParameters<typeof MCPProxy>[0], options: MCPProxyOptions): MCPProxy {
  const proxy = new MCPProxy(toolbox, options);
  atEnd(() => proxy.close());
  return proxy;
}

describe('the tool run', () => {
  verifies('MCPX-CODE-01', 'is offered with code mode, within its tokens; with auto from ten tools on', async () => {
    const offered = async (code: 'off' | 'on' | 'auto', count: number) => {
      const client = await enter(proxyOver(memory(count), { code }), STDIO);
      return (await client.listTools()).tools.slice(2);
    };
    expect(await offered('off', 20)).toEqual([]);
    expect(await offered('auto', 9)).toEqual([]);
    expect(await offered('auto', 10)).toMatchObject([{ name: 'run' }]);
    const [definition] = await offered('on', 1);
    expect(definition?.name).toBe('run');
    expect(countTokens(JSON.stringify(definition))).toBeLessThanOrEqual(200);
  });

  verifies('MCPX-CODE-01', 'is unknown without code mode, and rejects wrong arguments', async () => {
    const off = await enter(proxyOver(memory(1), {}), STDIO);
    await expect(run(off, 'return 1')).rejects.toThrow('Unknown tool "run"');
    const on = await enter(proxyOver(memory(1), { code: 'on' }), STDIO);
    for (const given of [{}, { code: ' ' }, { code: 'return 1', timeout: 0 }, { code: 'return 1', lang: 'js' }]) {
      expect(await on.callTool({ name: 'run', arguments: given })).toMatchObject({
        isError: true,
        content: [
          { text: expect.stringMatching(/^Invalid arguments for run: (code|timeout|run has no parameter "lang")/) },
        ],
      });
    }
  });

  verifies('MCPX-CODE-03', 'returns data of tools in every form, and throws failures', async () => {
    const toolbox = new MemoryToolbox([
      {
        name: 's',
        state: 'ready',
        tools: ['structure', 'json', 'text', 'several', 'none', 'bad'].map((name) => ({ name, inputSchema: {} })),
      },
    ]);
    const text = (words: string) => ({ type: 'text', text: words });
    const image = { type: 'image', data: 'AAEC', mimeType: 'image/png' };
    const results: Record<string, object> = {
      structure: { content: [text('x')], structuredContent: { a: 1 } },
      json: { content: [text('[1, {"b": 2}]')] },
      text: { content: [text('{"id": 12345678901234567890}')] }, // a number that parsing would change
      several: { content: [text('{"c":3}'), text('words'), image] },
      none: { content: [] },
      bad: { content: [text('no such row')], isError: true },
    };
    toolbox.answer = ({ tool }) => results[tool] as never;
    const client = await enter(proxyOver(toolbox, { code: 'on', toonCompression: false }), STDIO);
    const code = `
      const { s } = servers;
      const data = [];
      for (const name of ['structure', 'json', 'text', 'several', 'none']) data.push(await s[name]());
      const failure = await s.bad().catch(({ name, code, message }) => [name, code, message]);
      return [...data, failure];`;
    expect(JSON.parse((await run(client, code)).text)).toEqual([
      { a: 1 },
      [1, { b: 2 }],
      '{"id": 12345678901234567890}',
      [{ c: 3 }, 'words', image],
      null,
      ['ToolError', 'tool-error', 'no such row'],
    ]);
  });

  verifies(
    'MCPX-CODE-03',
    'provides search, describe, print, sleep and console, and renders the result as exec does',
    async () => {
      const { proxy } = await over({ shop: records('shop') });
      const client = await enter(proxy, STDIO);
      const found = await run(
        client,
        `
      await sleep(1);
      print('found', 2);
      console.log({ ok: true });
      const [{ server, tool, call }] = await search('price of an article');
      return [call, await describe(server, tool)].join(' | ');`,
      );
      expect(found.text).toContain(
        'servers.shop["get-price"] | get-price\nThe price of one article\nArguments: {id: number',
      );
      expect(found.all[1]).toBe('Printed:\nfound 2\n{"ok":true}');

      const table = await run(
        client,
        'return (await servers.shop.list_orders({ page: 1 })).orders.map(({ id, total }) => ({ id, total }))',
      );
      expect(table.text).toMatch(/^\[50\]\{id,total\}:/);
      const long = await run(client, "return 'x'.repeat(70_000)");
      expect(long.text).toHaveLength(60_000);
      expect(long.all[1]).toContain('10000 more characters. Read on: inspect');
      expect((await run(client, '1 + 1')).text).toBe('The code returned no value: end it with return.');
    },
  );
});

describe('a call from code', () => {
  verifies('MCPX-CODE-04', 'has its arguments checked, and progress counts the calls that are done', async () => {
    const { proxy } = await over({ shop: records('shop') });
    const client = await enter(proxy, STDIO);
    const seen: { progress: number; message?: string | undefined }[] = [];
    const code = `
      for (let id = 0; id < 5; id++) await servers.shop['get-price']({ id });
      await sleep(1000);
      await servers.shop['get-price']({ id: 'seven' });`;
    const { isError, text } = await run(client, code, { onprogress: (progress: never) => seen.push(progress) });
    expect(isError).toBe(true);
    expect(text).toMatch(/^ToolError: Invalid arguments for get-price:\n- id: /);
    expect(text).toContain('Expected: get-price {id: number');
    expect(seen).toContainEqual({ progress: 5, message: '5 of 5 calls done' });
    expect(seen.map(({ progress }) => progress)).toEqual(
      seen.map(({ progress }) => progress).toSorted((a, b) => a - b),
    );
  });

  verifies('MCPX-CODE-05', 'ends when the client cancels its request, on every transport', async () => {
    const { proxy, hub } = await over({ shop: records('shop') });
    const counts = async () =>
      JSON.parse(((await hub.callTool('shop', 'counts', {})).content[0] as unknown as { text: string }).text);
    for (const [index, door] of DOORS.entries()) {
      const before = 2 * index;
      const title = `${door.door}, ${door.generation}`;
      const client = await enter(proxy, door);
      const stop = new AbortController();
      const code = 'await Promise.all([servers.shop.hang(), servers.shop.hang()])';
      const running = run(client, code, { signal: stop.signal }).catch((error) => error);
      await expect.poll(counts, { timeout: 20_000, message: title }).toEqual({ begun: before + 2, stopped: before });
      stop.abort();
      expect(await running, title).toBeInstanceOf(Error);
      const stopped = { begun: before + 2, stopped: before + 2 };
      await expect.poll(counts, { timeout: 20_000, message: title }).toEqual(stopped);
    }
  });

  verifies('MCPX-CODE-05', 'ends when the time of the run is over', async () => {
    const { proxy, hub } = await over({ shop: records('shop') });
    const client = await enter(proxy, STDIO);
    await run(client, 'return 1'); // loads the engine
    const args = { code: 'await servers.shop.hang()', timeout: 3 };
    expect(await client.callTool({ name: 'run', arguments: args })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('longer than 3000 ms') }],
    });
    // On a busy machine the time may be over before the call has begun.
    const pending = async () => {
      const [block] = (await hub.callTool('shop', 'counts', {})).content as unknown as { text: string }[];
      const { begun, stopped } = JSON.parse(block?.text ?? '');
      return begun - stopped;
    };
    await expect.poll(pending, { timeout: 20_000 }).toBe(0);
  });
});

describe('consent for calls from code', () => {
  const ASK = { auto_apply: false };
  const SHOP = [
    {
      name: 'shop',
      type: 'stdio',
      disabled: false,
      forbidden_tools: [],
      tool_meta: { pay: ASK, list_orders: ASK },
      server_parameters: records('shop'),
    },
  ];
  const CAN_ANSWER = { capabilities: { elicitation: { form: {} } } };
  const PAY_TWICE = `await Promise.all([servers.shop.pay({ order: 1 }), servers.shop.pay({ order: 2 })]);
return servers.shop.pay({ order: 3 });`;

  type Action = 'accept' | 'decline';

  async function asked(options: MCPProxyOptions, door: (typeof DOORS)[number], action: Action) {
    const { proxy } = await over(SHOP, options);
    return askedBy(proxy, door, action);
  }

  async function askedBy(proxy: MCPProxy, door: (typeof DOORS)[number], action: Action) {
    const client = await enter(proxy, door, CAN_ANSWER);
    const questions: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
      questions.push(message);
      return { action };
    });
    return { client, questions };
  }

  verifies('MCPX-CODE-06', 'is asked for once per tool and run, on every transport', async () => {
    const { proxy } = await over(SHOP);
    for (const door of DOORS) {
      const title = `${door.door}, ${door.generation}`;
      const { client, questions } = await askedBy(proxy, door, 'accept');
      expect((await run(client, PAY_TWICE)).text, title).toBe('paid 3');
      expect(questions, title).toEqual([expect.stringMatching(/^Run pay of shop with \{"order":1\}\?\n/)]);
      expect(questions[0]).toContain(PAY_TWICE);
      await run(client, PAY_TWICE);
      expect(questions, title).toHaveLength(2);
    }
  });

  verifies(
    'MCPX-CODE-06',
    'is an exception if refused; code that hides characters or is long is not approved as a whole',
    async () => {
      const { client, questions } = await asked({}, STDIO, 'decline');
      const caught = await run(client, 'return servers.shop.pay({ order: 1 }).catch((error) => error.code) // \u202e');
      expect(caught).toMatchObject({ isError: false, text: 'consent-denied' });
      expect(questions[0]).toContain('// \\u202e');
      expect(await run(client, PAY_TWICE)).toMatchObject({
        isError: true,
        text: expect.stringContaining('consent was declined'),
      });
      questions.length = 0;
      const each = 'for (const order of [1, 2]) await servers.shop.pay({ order }).catch(() => {});';
      await run(client, each);
      expect(questions).toHaveLength(1);
      await run(client, `${each} //${' '.repeat(4_000)}`);
      expect(questions.slice(1)).toEqual(['Run pay of shop with {"order":1}?', 'Run pay of shop with {"order":2}?']);
    },
  );

  verifies('MCPX-CODE-07', 'is not needed for tools that only read, if the configuration trusts them', async () => {
    const read = 'return (await servers.shop.list_orders({ page: 1 })).orders.length';
    const strict = await asked({}, STDIO, 'decline');
    expect(await run(strict.client, read)).toMatchObject({ isError: true });
    expect(strict.questions).toHaveLength(1);
    const trusting = await asked({ trustReadOnly: true }, STDIO, 'decline');
    expect((await run(trusting.client, read)).text).toBe('50');
    expect(await run(trusting.client, PAY_TWICE)).toMatchObject({ isError: true });
    expect(trusting.questions).toHaveLength(1);
  });
});

describe('code over an office', () => {
  verifies('MCPX-CODE-08', 'calls the tools of two Computers by name', async () => {
    const { url } = await serve();
    const shop = await over({ shop: records('shop') });
    const crm = await over({ crm: records('crm') });
    await hubComputer({ url, name: 'desk' }, shop.hub);
    await hubComputer({ url, name: 'my laptop' }, crm.hub);
    const plain = { name: 'read', description: '', params_schema: { type: 'object' }, return_schema: null, meta: {} };
    await TestComputer.join(
      { url, name: 'old' },
      { tools: () => [plain], run: async () => ({ content: [{ type: 'text', text: 'old read' }], isError: false }) },
    );
    const toolbox = officeAt(url);
    await toolbox.settled();
    const client = await enter(proxyOver(toolbox, { code: 'on' }), STDIO);
    expect((await client.listTools()).tools[2]?.description).toContain('computers.COMPUTER.SERVER.TOOL(args)');
    const { text } = await run(
      client,
      `
      const [{ orders }, customers, old, same] = await Promise.all([
        computers.desk.shop.list_orders({ page: 1 }),
        computers['my laptop'].crm.customers(),
        computers.old.read(),
        servers['desk/shop']['get-price']({ id: 2 }),
      ]);
      return [orders.length, customers.length, old, same.price].join(' ');`,
    );
    expect(text).toBe('50 40 old read 6');
    const wrong = async (call: string) => (await run(client, `return ${call}`)).text;
    expect(await wrong('computers.desc.shop.pay()')).toContain('There is no Computer "desc". Did you mean "desk"?');
    expect(await wrong('computers.desk.shopp.pay()')).toContain('Did you mean "desk/shop"?');
    expect(await wrong('computers.desk.pay()')).toContain('call computers.<computer>.<server>.<tool>(args)');
    const inspected = await client.callTool({
      name: 'inspect',
      arguments: { server_name: 'my laptop/crm', tool_name: 'customers' },
    });
    expect(inspected.content).toMatchObject([
      { text: expect.stringContaining('In code: await computers["my laptop"].crm.customers(arguments)') },
    ]);
  });
});

describe('errors of code', () => {
  verifies('MCPX-CODE-09', 'show what to repair', async () => {
    const { proxy } = await over(
      { shop: records('shop'), crm: records('crm') },
      { sandboxLimits: { resultBytes: 10_000 } },
    );
    const client = await enter(proxy, STDIO);
    const failed = async (code: string) => {
      const { isError, all } = await run(client, code);
      expect(isError, code).toBe(true);
      return all.join('\n');
    };
    expect(await failed('const a = 1;\nreturn (a + 1;')).toContain(
      "syntax error at line 2, column 14: Expected ',', got ';'\n  2 | return (a + 1;\n    |              ^",
    );
    expect(await failed('return servers.shp.pay({ order: 1 })')).toContain(
      'There is no server "shp". Did you mean "shop"?',
    );
    expect(await failed('return servers.shop.list_order({ page: 1 })')).toContain('Did you mean "list_orders"?');
    expect(await failed('return servers.shop.get_price({ id: 1 })')).toContain(
      'Write servers.shop["get-price"](args).',
    );
    expect(await failed('\nreturn servers.shop.pay({ order: 1, to: { x: 1 } }, 2)')).toContain('takes one object');
    expect(await failed('\nawait servers.shop.pay({ order: "1" })')).toMatch(/- order: [^\n]+\n[\s\S]*code\.ts:2:/);
    expect(await failed('return shop.pay({ order: 1 })')).toContain('Write servers.shop.<tool>(args).');
    expect(await failed('return servers.shop.get-price({ id: 1 })')).toContain(
      'Write servers.shop["get-price"](args).',
    );
    expect(await failed('setTimeout(() => {}, 10)')).toContain('Use await sleep(milliseconds).');
    expect(await failed("return fetch('http://localhost')")).toContain('Code has no network');
    expect(await failed("import fs from 'fs';")).toContain('Code has no network');
    expect(await failed('return exec({ server_name: 1 })')).toContain('servers.<server>.<tool>(args)');
    expect(await failed('return Object.keys(servers.shop)')).toContain('servers.shop cannot be listed');
    expect(await failed('return servers.shop()')).toContain('call servers.<server>.<tool>(args)');
    expect(await failed('return { a: [servers.crm.customers()] }')).toContain('result.a[0] is a promise; await it');
    expect(await failed("return 'x'.repeat(20_000)")).toContain('the result has 20002 bytes; the limit is 10000');
    expect(await failed('print("so far"); throw new Error("enough")')).toMatch(
      /^Error: enough[\s\S]*Printed:\nso far$/,
    );

    const own = await run(client, 'const f = async () => {\n  null.x };\nf();\nreturn 1');
    expect(own.all.join('\n')).toMatch(/^1\nAsync functions without await that failed:\n- TypeError: .* \(line 2\)$/);
    const forgotten = await run(client, 'const customers = servers.crm.customers();\nreturn typeof customers.length');
    expect(forgotten.all).toEqual([
      'undefined',
      'Calls without await:\n- servers.crm.customers: sent, and may have run: check before you call it again\nAwait calls, and your own async functions that call them: return await main();',
    ]);
    const lost = await run(client, 'servers.shop.nothing();\nawait servers.crm.customers();\nreturn 1');
    expect(lost.all[1]).toContain(
      'Failed calls whose error the code did not use:\n- servers.shop.nothing: Server "shop" has no tool "nothing".',
    );
  });
});

verifies('MCPX-CODE-12', 'a call that had not ended was sent and may have run, or was not sent', async () => {
  const server_parameters = { command: process.execPath, args: [workshop] };
  const { proxy, hub } = await over([{ name: 'w', type: 'stdio', server_parameters }], {
    limits: { runTimeoutMs: 2_000 },
  });
  const client = await enter(proxy, STDIO);
  const sleeps = 'for (let i = 0; i < 65; i++) servers.w.sleep({ ms: 3_600_000 });';
  const unawaited = await run(client, `${sleeps}\nawait sleep(500);\nreturn 1`);
  const sent = '- servers.w.sleep: sent, and may have run: check before you call it again';
  expect(unawaited.all[1]).toContain('- and 60 more');
  expect(unawaited.all[1]).toContain(sent);
  await expect.poll(() => hub.statusOf('w')?.callsInFlight).toBe(0);
  const late = await run(client, 'await Promise.all([servers.w.sleep({ ms: 3_600_000 })]); return 1');
  expect(late.all.join('\n')).toContain(`Calls that had not ended:\n${sent}`);
});

verifies('MCPX-CODE-12', 'a call that waited for its MCP server was not sent', async () => {
  const server_parameters = { command: process.execPath, args: [workshop] };
  const { proxy, hub } = await over([{ name: 'w', type: 'stdio', server_parameters }]);
  for (let caller = 0; caller < 64; caller++) {
    for (let i = 0; i < 8; i++) hub.executeTool('sleep', { ms: 3_600_000 }, { caller }).catch(() => {});
  }
  await expect.poll(() => hub.statusOf('w')?.callsInFlight).toBe(256);
  const { all } = await run(await enter(proxy, STDIO), 'servers.w.echo({ message: "hi" }); return 1');
  expect(all[1]).toContain('- servers.w.echo: not sent');
});

describe('inspect in code mode', () => {
  verifies('MCPX-CODE-10', 'shows the call of each tool with the same types', async () => {
    const { proxy } = await over({ shop: records('shop'), 'my crm': records('crm') });
    const shown = (args: object) => (proxy.inspector.run(args as never).content[0] as unknown as { text: string }).text;
    expect(shown({ server_name: 'shop', tool_name: 'get-price' })).toMatch(
      /^Arguments: \{id: number.*\}\nIn code: await servers\.shop\["get-price"\]\(arguments\)$/m,
    );
    expect(shown({ server_name: 'my crm' })).toContain('In code: await servers["my crm"].name(arguments)');
    const off = proxyOver(proxy.toolbox, {});
    expect(
      (off.inspector.run({ server_name: 'shop', tool_name: 'get-price' }).content[0] as unknown as { text: string })
        .text,
    ).not.toContain('In code');
  });
});

describe('hostile code', () => {
  verifies('MCPX-CODE-11', 'ends within its limits, and the proxy continues to serve', async () => {
    const toolbox = memory(1);
    const over = (cpuMs: number) =>
      enter(
        proxyOver(toolbox, { code: 'on', sandboxLimits: { cpuMs, calls: 50, memoryBytes: 8 * 1024 * 1024 } }),
        STDIO,
      );
    const hurried = await over(300);
    for (const code of ['for (;;);', "/(a+)+$/.test('a'.repeat(60) + 'b'); for (;;);"]) {
      const text = expect.stringMatching(/longer than 300 ms of CPU/);
      expect(await run(hurried, code), code).toMatchObject({ isError: true, text });
    }
    const client = await over(60_000);
    const cases: Record<string, RegExp> = {
      'const all = []; for (;;) all.push(new Array(1000).fill(1));': /memory|CPU/,
      'const f = () => f() + 1; return f();': /recursed deeper/,
      'for (;;) await servers.many.tool0({});': /more than 50 calls/,
      'return { get a() { throw new Error("got you"); } };': /got you/,
      'return await import("node:fs")': /./,
      'return process.env': /process is not defined/,
      'return servers.constructor.constructor("return process")()': /not a function/,
      'Object.prototype.order = 1; Array.prototype.toJSON = () => "x"; return servers.many.nothing({ a: [1] })':
        /no tool "nothing"/,
      'return servers.__proto__.tool0({})': /There is no server "__proto__"/,
      'return servers.many["__proto__"]({})': /has no tool "__proto__"/,
      [`/*${'x'.repeat(300_000)}*/`]: /the limit is 262144/,
    };
    for (const [code, message] of Object.entries(cases)) {
      const answer = await run(client, code);
      expect(answer, code.slice(0, 80)).toMatchObject({ isError: true, text: expect.stringMatching(message) });
    }
    expect(toolbox.calls).toHaveLength(50);
    expect((await run(client, 'return 1 + 1')).text).toBe('2');
    const exec = { name: 'exec', arguments: { server_name: 'many', tool_name: 'tool0' } };
    expect(await client.callTool(exec)).not.toHaveProperty('isError', true);
  });

  verifies('MCPX-CODE-11', 'many lookups or failures at once leave turns of the event loop to others', async () => {
    let turn = 0;
    const turnsOfLookups = new Set<number>();
    const turnsOfFailures = new Set<number>();
    const tool = {
      name: 'tool0',
      get inputSchema() {
        turnsOfFailures.add(turn); // The error shows the arguments that the tool expects.
        return { type: 'object' };
      },
      get description() {
        turnsOfLookups.add(turn);
        return 'Does something.';
      },
    };
    const toolbox = new MemoryToolbox([{ name: 'many', state: 'ready', tools: [tool] }]);
    const client = await enter(proxyOver(toolbox, { code: 'on' }), STDIO);
    const count = () => {
      turn++;
      pulse = setImmediate(count);
    };
    let pulse = setImmediate(count);
    const code = 'return (await Promise.all(Array.from({ length: 100 }, () => describe("many", "tool0")))).length';
    expect((await run(client, code)).text).toBe('100');
    expect(turnsOfLookups.size).toBeGreaterThan(80);
    toolbox.answer = () => Promise.reject(new HubError('invalid-arguments', 'not these'));
    turnsOfFailures.clear();
    const failing = 'servers.many.tool0({}).catch((error) => error.code)';
    const failures = `return (await Promise.all(Array.from({ length: 100 }, () => ${failing}))).join()`;
    expect((await run(client, failures)).text).toBe(Array(100).fill('invalid-arguments').join());
    clearImmediate(pulse);
    expect(turnsOfFailures.size).toBeGreaterThan(80);
  });
});
