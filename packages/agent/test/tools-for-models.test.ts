import { createHash } from 'node:crypto';
import { META_KEYS } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { toAnthropicMessage, toOpenAIMessages } from '../src/index.js';
import { ToolIndex } from '../src/tools/tool-index.js';
import { agentAt, serve, until } from './harness.js';
import { TestComputer, text, tool } from './test-computer.js';

const VALID = /^[A-Za-z0-9_-]{1,64}$/;

function namesOf(computers: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  const { tools } = new ToolIndex(
    Object.entries(computers).map(([name, tools]) => ({ name, state: 'ready', tools: tools.map((t) => tool(t)) })),
  );
  return Object.fromEntries(tools.map(({ name, computer, tool: { name: own } }) => [name, `${computer}\n${own}`]));
}

const identifier = fc.oneof(
  fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' }),
  fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('a', '_', '-', '.', '/') }),
);

describe('names for models', () => {
  verifies('AGT-NAME-01', 'are plain where they are unambiguous', () => {
    expect(Object.keys(namesOf({ pc: ['read_file', 'list', '_x'], 'my-pc': ['read_file'] }))).toEqual([
      'my-pc__read_file',
      'pc__read_file',
      'pc__list',
      'pc___x',
    ]);
  });

  verifies('AGT-NAME-01', 'are shortened and get a hash otherwise', () => {
    const [long, dotted] = Object.keys(namesOf({ 'the computer in the attic of my house': ['a.b', 'x'.repeat(100)] }));
    expect(long).toMatch(/^the_computer_in_the_attic_of_my_house__a_b_[0-9a-f]{20}$/);
    expect(dotted).toMatch(/^the_computer_in___?x+_[0-9a-f]{20}$/);
    expect(dotted).toHaveLength(64);
  });

  verifies('AGT-NAME-01', 'are valid and unique for any Computers and tools, and the same in any order', () => {
    fc.assert(
      fc.property(
        fc.dictionary(identifier, fc.uniqueArray(identifier, { maxLength: 8 }), { maxKeys: 5 }),
        (computers) => {
          const names = namesOf(computers);
          const pairs = Object.entries(computers).flatMap(([name, tools]) => tools.map((own) => `${name}\n${own}`));
          for (const name of Object.keys(names)) expect(name).toMatch(VALID);
          expect(Object.values(names).toSorted()).toEqual(pairs.toSorted());
          expect(namesOf(Object.fromEntries(Object.entries(computers).toReversed()))).toEqual(names);
        },
      ),
    );
  });

  verifies('AGT-NAME-01', 'do not change when another Computer joins', () => {
    const some = { 'a b': ['x y'], a__b: ['c'], a_: ['b'] };
    const alone = namesOf(some);
    const together = namesOf({ ...some, a: ['b__c', '_b'], 'a.b': ['x y', 'x.y'] });
    expect(together).toMatchObject(alone);
    expect(Object.keys(together)).toHaveLength(7);
  });

  verifies('SEC-NAME-03', 'stay with their tool when another one is named like its hash', () => {
    for (const [computer, own] of [
      ['a_', 't'],
      ['Müller-PC', 'bank__pay'],
      ['workstation-of-the-finance-department-eu', 'bank__pay_invoice_of_supplier'],
    ] as const) {
      const names = namesOf({ [computer]: [own] });
      const [hashed = ''] = Object.keys(names);
      const at = hashed.indexOf('__');
      const together = namesOf({ [computer]: [own], [hashed.slice(0, at)]: [hashed.slice(at + 2)] });
      expect(together).toMatchObject(names);
      expect(Object.keys(together)).toHaveLength(2);
    }
  });

  verifies('SEC-NAME-03', 'have the SHA-256 of Computer and tool', () => {
    const texts = [
      ...Array.from({ length: 130 }, (_, length) => 'é'.repeat(length % 3) + 'x'.repeat(length)),
      '\ud800',
    ];
    for (const own of texts) {
      const hash = createHash('sha256')
        .update(JSON.stringify(['a b', own]))
        .digest('hex');
      expect(Object.keys(namesOf({ 'a b': [own] }))).toEqual([expect.stringMatching(`_${hash.slice(0, 20)}$`)]);
    }
    expect(Object.keys(namesOf({ a: ['\ud800', '\ud801', '\ufffd'] }))).toHaveLength(3);
  });

  verifies('SEC-NAME-03', 'of a Computer are not those of one that joins later', async () => {
    const { url } = await serve();
    await TestComputer.join(url, { name: 'Müller-PC', tools: [tool('bank__pay')] });
    const agent = await agentAt(url);
    const [{ name = '' } = {}] = agent.tools();
    const at = name.indexOf('__');
    await TestComputer.join(url, { name: name.slice(0, at), tools: [tool(name.slice(at + 2))] });
    await until(() => agent.tools().length === 2);
    expect(agent.tools().find((known) => known.name === name)?.computer).toBe('Müller-PC');
  });

  verifies('AGT-NAME-02', 'resolve to the tool; an unknown name is 404', async () => {
    const { url } = await serve();
    await TestComputer.join(url, { name: 'pc 1', tools: [tool('echo'), tool('fail')] });
    await TestComputer.join(url, { name: 'pc.1', tools: [tool('echo')] });
    const agent = await agentAt(url);
    expect(agent.tools()).toBe(agent.tools());
    for (const {
      name,
      tool: { name: own },
    } of agent.tools()) {
      const result = await agent.callNamed(name, { text: name }, { timeout: 60 });
      expect(result).toEqual(own === 'echo' ? text(name) : text('it broke', true));
    }
    await expect(agent.callNamed('pc__nothing')).rejects.toMatchObject({ kind: 'ToolNotFound', code: 404 });
  });
});

describe('adapters', () => {
  const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  const annotated = tool('echo', {
    description: 'says it again',
    params_schema: schema,
    return_schema: { type: 'object', properties: {} },
    meta: { [META_KEYS.toolAnnotation]: '{"title":"Echo","readOnlyHint":true,"destructiveHint":null}' },
  });
  const bare = tool('bare', { description: 'd'.repeat(2_000), params_schema: {}, return_schema: { type: 'string' } });

  verifies('AGT-ADAPT-01', 'return tools in the formats of MCP, OpenAI and Anthropic', async () => {
    const { url } = await serve();
    await TestComputer.join(url, { tools: [annotated, bare] });
    const agent = await agentAt(url);
    const empty = { type: 'object', properties: {} };
    expect(agent.toMCPTools()).toEqual([
      {
        name: 'pc__echo',
        title: 'Echo',
        description: 'says it again',
        inputSchema: schema,
        outputSchema: empty,
        annotations: { title: 'Echo', readOnlyHint: true },
      },
      { name: 'pc__bare', description: bare.description, inputSchema: empty },
    ]);
    expect(agent.toOpenAITools()).toEqual([
      { type: 'function', function: { name: 'pc__echo', description: 'says it again', parameters: schema } },
      {
        type: 'function',
        function: { name: 'pc__bare', description: `${'d'.repeat(1_023)}…`, parameters: empty },
      },
    ]);
    expect(agent.toAnthropicTools()).toEqual([
      { name: 'pc__echo', description: 'says it again', input_schema: schema },
      { name: 'pc__bare', description: bare.description, input_schema: empty },
    ]);
  });

  verifies('AGT-ADAPT-01', 'return executable tools for the AI SDK', async () => {
    const { url } = await serve();
    const computer = await TestComputer.join(url, { tools: [annotated, tool('gate')] });
    const agent = await agentAt(url);
    const tools = agent.toAISDKTools();
    expect(Object.keys(tools)).toEqual(['pc__echo', 'pc__gate']);
    // What the SDK requires of a schema that it uses unchanged.
    const inputSchema = tools.pc__echo?.inputSchema as unknown as Record<string | symbol, unknown>;
    expect(inputSchema[Symbol.for('vercel.ai.schema')]).toBe(true);
    expect(inputSchema).toHaveProperty('validate', undefined);
    expect(inputSchema.jsonSchema).toEqual(schema);
    expect(await tools.pc__echo?.execute({ text: 'hi' })).toEqual(text('hi'));
    const stop = new AbortController();
    const waiting = expect(tools.pc__gate?.execute({}, { abortSignal: stop.signal })).rejects.toThrow('enough');
    await until(() => computer.waiting === 1);
    stop.abort(new Error('enough'));
    await waiting;
    await until(() => computer.stopped.length === 1);
  });
});

describe('results', () => {
  const image = { type: 'image', data: 'iVBORw0K', mimeType: 'image/png' };
  const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' };
  const resource = { type: 'resource', resource: { uri: 'file:///a.txt', text: 'inside' } };
  const mixed = { content: [{ type: 'text', text: 'a cat' }, image, audio, resource] };

  verifies('AGT-ADAPT-02', 'become messages for OpenAI: texts first, then all images and sounds', () => {
    const failed = { ...text('it broke'), isError: true };
    expect(
      toOpenAIMessages([
        { id: 'c1', result: mixed },
        { id: 'c2', result: failed },
      ]),
    ).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'a cat\n[image/png, 6 bytes]\n[audio/wav, 3 bytes]\ninside' },
      { role: 'tool', tool_call_id: 'c2', content: 'it broke' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Image of the result of c1:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0K' } },
          { type: 'text', text: 'Sound of the result of c1:' },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
        ],
      },
    ]);
    const [, { content }] = toOpenAIMessages([{ id: 'c1', result: mixed }], { audio: false }) as [
      unknown,
      { content: [] },
    ];
    expect(content).toHaveLength(2);
  });

  verifies('AGT-ADAPT-02', 'become one message for Anthropic', () => {
    const structured = { content: [], structuredContent: { sum: 5 } };
    expect(
      toAnthropicMessage([
        { id: 'u1', result: mixed },
        { id: 'u2', result: { ...structured, isError: true } },
      ]),
    ).toEqual({
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'u1',
          is_error: false,
          content: [
            { type: 'text', text: 'a cat' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0K' } },
            { type: 'text', text: '[audio/wav, 3 bytes]' },
            { type: 'text', text: 'inside' },
          ],
        },
        { type: 'tool_result', tool_use_id: 'u2', is_error: true, content: [{ type: 'text', text: '{"sum":5}' }] },
      ],
    });
  });

  verifies('AGT-ADAPT-02', 'become outputs of the AI SDK', async () => {
    const { url } = await serve();
    await TestComputer.join(url, { tools: [tool('echo')] });
    const agent = await agentAt(url);
    const output = agent.toAISDKTools().pc__echo?.toModelOutput;
    expect(output?.({ output: mixed })).toEqual({
      type: 'content',
      value: [
        { type: 'text', text: 'a cat' },
        { type: 'image-data', data: 'iVBORw0K', mediaType: 'image/png' },
        { type: 'file-data', data: 'AAAA', mediaType: 'audio/wav' },
        { type: 'text', text: 'inside' },
      ],
    });
    expect(output?.({ output: text('plain') })).toEqual({ type: 'text', value: 'plain' });
    expect(output?.({ output: { ...text('it broke'), isError: true } })).toEqual({
      type: 'error-text',
      value: 'it broke',
    });
  });
});
