import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MCPProxy, type ToolboxServer } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { describe, expect, vi } from 'vitest';
import { atEnd, DOORS, enter } from './doors.js';
import { MemoryToolbox } from './memory-toolbox.js';

const ROUNDS = 100;

function serverWith(server: string, tool: string): ToolboxServer {
  return { name: server, state: 'ready', tools: [{ name: tool, description: '', inputSchema: { type: 'object' } }] };
}

/** The servers of each list; the names of servers or of tools are never the same again. */
const LISTS: Readonly<Record<string, (round: number) => ToolboxServer>> = {
  'new servers': (round) => serverWith(`s${round}`, 't'),
  'new tools of one server': (round) => serverWith('s', `t${round}`),
};

describe('The tools of earlier lists are forgotten', () => {
  for (const [what, serverOf] of Object.entries(LISTS)) {
    for (const passThrough of [false, true]) {
      verifies('COST-LIST-04', `${what}, ${passThrough ? 'pass-through' : 'two tools'}`, async () => {
        setFlagsFromString('--expose-gc');
        const collect = runInNewContext('gc') as () => void;
        const toolbox = new MemoryToolbox([]);
        const proxy = new MCPProxy(toolbox);
        atEnd(() => proxy.close());
        const client = await enter(proxy, DOORS[0], { serve: { passThrough } });
        let alive = 0;
        const finalized = new FinalizationRegistry<undefined>(() => alive--);
        for (let round = 0; round < ROUNDS; round++) {
          const server = serverOf(round);
          for (const tool of server.tools) finalized.register(tool, undefined);
          alive++;
          toolbox.become([server]);
          await client.listTools();
        }
        expect(alive).toBeGreaterThan(0);
        const areForgotten = () => {
          collect();
          // The last list, and the last few that the JavaScript engine may keep.
          return alive < ROUNDS / 5;
        };
        await vi.waitUntil(areForgotten, { timeout: 60_000, interval: 1 });
      });
    }
  }
});

verifies(
  'COST-LIST-04',
  'a name that a second server uses too still means the first, also after a restart',
  async () => {
    const [first, second] = [serverWith('first', 'wipe'), serverWith('second', 'wipe')];
    const toolbox = new MemoryToolbox([first]);
    const proxy = new MCPProxy(toolbox);
    atEnd(() => proxy.close());
    const client = await enter(proxy, DOORS[0], { serve: { passThrough: true } });
    await client.listTools();
    toolbox.become([{ ...first, state: 'failed', tools: [], knownNames: ['wipe'] }, second]);
    await client.listTools();
    toolbox.become([first, second]);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['first__wipe', 'second__wipe']);
    await client.callTool({ name: 'wipe' });
    expect(toolbox.calls).toMatchObject([{ server: 'first', tool: 'wipe' }]);
  },
);
