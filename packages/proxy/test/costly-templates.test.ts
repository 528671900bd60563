import { verifies } from '@a2c/requirements';
import { expect, onTestFinished, vi } from 'vitest';
import { PROXY_LIMITS } from '../src/limits.js';
import { ResourceTable } from '../src/serve/resources-and-prompts.js';
import type { MCPRequest } from '../src/toolbox.js';
import { MemoryToolbox } from './memory-toolbox.js';

/** Two servers: one has templates, and the later one lists resources. */
class TwoServers extends MemoryToolbox {
  readonly #lists: Readonly<Record<string, readonly object[]>>;

  constructor(templates: readonly string[], uris: readonly string[]) {
    const server = { state: 'ready', tools: [], capabilities: { resources: {} } } as const;
    super([
      { name: 'templates', ...server },
      { name: 'lists', ...server },
    ]);
    this.#lists = {
      'templates resources/templates/list': templates.map((uriTemplate) => ({ uriTemplate, name: 'x' })),
      'lists resources/list': uris.map((uri) => ({ uri, name: 'x' })),
    };
  }

  override async request(server = '', { method }: MCPRequest = { method: '' }): Promise<Record<string, unknown>> {
    const items = this.#lists[`${server} ${method}`] ?? [];
    return { resources: items, resourceTemplates: items };
  }
}

const tableOf = (templates: readonly string[], uris: readonly string[]) =>
  new ResourceTable(new TwoServers(templates, uris), PROXY_LIMITS, () => {});

/** The resources that a later server may list under their own URIs. */
async function kept(templates: readonly string[], uris: readonly string[]): Promise<readonly unknown[]> {
  const resources = await tableOf(templates, uris).list({});
  return resources.map(({ uri }) => uri).filter((uri) => uris.includes(String(uri)));
}

verifies('COST-TEMPLATE-01', 'long templates, those with many expressions and the 101st hold no URI', async () => {
  const long = 'x'.repeat(1_990);
  expect(await kept([`a:${long}{id}`], [`a:${long}1`])).toEqual([]);
  expect(await kept([`a:${long}xxxxxxx{id}`], [`a:${long}xxxxxxx1`])).toHaveLength(1);
  expect(await kept([`a:${'{+x}'.repeat(20)}`], ['a:1'])).toEqual([]);
  expect(await kept([`a:${'{+x}'.repeat(21)}`], ['a:1'])).toEqual(['a:1']);
  const many = Array.from({ length: 101 }, (_, index) => `a:${index}/{id}`);
  expect(await kept(many, ['a:99/1', 'a:100/1'])).toEqual(['a:100/1']);
});

verifies('COST-TEMPLATE-01', 'a template holds very long URIs by its beginning', async () => {
  const long = 'x'.repeat(2_000);
  expect(await kept(['a:{id}/b'], [`a:${long}/b`, `b:${long}/b`])).toEqual([`b:${long}/b`]);
});

/** Counts the turns of the event loop that work takes. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

verifies('COST-TEMPLATE-01', 'long lists and many links are compared with templates in several turns', async () => {
  const uris = Array.from({ length: 300 }, (_, index) => `note://${index}`);
  const table = tableOf(['note:{+a}{+b}Z'], uris);
  // A slow machine: each comparison takes a millisecond.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => ++now);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await turnsOf(() => table.list({}))).toBeGreaterThan(10);
  const content = uris.map((uri) => ({ type: 'resource_link' as const, uri: `${uri}/part`, name: 'x' }));
  expect(await turnsOf(async () => table.inResult('lists', { content }, {}))).toBeGreaterThan(10);
});

/** Two servers: the first one answers when it is allowed to. */
class LateServer extends MemoryToolbox {
  isSilent = true;
  readonly #waiting: (() => void)[] = [];

  constructor() {
    const server = { state: 'ready', tools: [], capabilities: { resources: {} } } as const;
    super([
      { name: 'late', ...server },
      { name: 'good', ...server },
    ]);
  }

  override async request(server = ''): Promise<Record<string, unknown>> {
    if (server === 'late' && this.isSilent) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return { resources: [{ uri: `x:${server}`, name: server }], resourceTemplates: [] };
  }

  release(): void {
    for (const resolve of this.#waiting) resolve();
  }
}

verifies(
  'COST-LIST-30',
  'a list does not wait for a server that is late, and the next one has what it lists',
  async () => {
    const servers = new LateServer();
    const table = new ResourceTable(servers, { ...PROXY_LIMITS, listWaitMs: 100 }, () => {});
    const names = async () => (await table.list({})).map(({ name }) => name);
    expect(await names()).toEqual(['good']);
    expect(await names()).toEqual(['good']);
    servers.release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await names()).toEqual(['late', 'good']);
    servers.isSilent = false;
    expect(await names()).toEqual(['late', 'good']);
  },
);
