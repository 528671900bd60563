import { HubToolbox, type Toolbox, type ToolboxServer } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { officeAt, serve } from './office.js';
import { hubComputer } from './test-computer.js';
import { workshopHub } from './workshop-hub.js';

/** A toolbox over the ready server of `workshop.mjs`. */
interface ToolboxUnderTest {
  readonly toolbox: Toolbox;
  /** The name of the server in this toolbox. */
  readonly server: string;
}

behavesAsToolbox('a hub', async () => ({ toolbox: new HubToolbox(await workshopHub()), server: 'workshop' }));

behavesAsToolbox('an office', async () => {
  const { url } = await serve();
  await hubComputer({ url }, await workshopHub());
  const toolbox = officeAt(url);
  await toolbox.settled();
  return { toolbox, server: 'pc/workshop' };
});

/** The behaviour of every toolbox. */
function behavesAsToolbox(kind: string, open: () => Promise<ToolboxUnderTest>): void {
  const behaves = (title: string, test: (tested: ToolboxUnderTest) => Promise<void>) =>
    verifies('MCPX-BOX-01', title, async () => test(await open()));

  describe(`${kind} is a toolbox`, () => {
    behaves(
      'lists servers with their tools, and returns the same array until something changes',
      async ({ toolbox, server }) => {
        const { state, tools } = find(toolbox, server);
        expect(state).toBe('ready');
        expect(tools.map(({ name }) => name)).toEqual(['echo', 'whole', 'hang', 'counts', 'grow', 'shrink']);
        expect(tools[0]).toMatchObject({
          description: 'Says it again',
          inputSchema: { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] },
          annotations: { readOnlyHint: true },
        });
        expect(toolbox.servers()).toBe(toolbox.servers());
      },
    );

    behaves('returns complete results', async ({ toolbox, server }) => {
      const echoed = await toolbox.call({ server, tool: 'echo', arguments: { words: 'hi' } });
      expect(echoed).toMatchObject({ content: [{ type: 'text', text: 'hi' }] });
      expect(echoed.isError ?? false).toBe(false);
      expect(await toolbox.call({ server, tool: 'whole', arguments: {} })).toMatchObject({
        content: [
          { type: 'text', text: 'seen' },
          { type: 'image', data: 'AAEC', mimeType: 'image/png' },
          { type: 'resource', resource: { uri: 'file:///a.txt', text: 'a', mimeType: 'text/plain' } },
          { type: 'resource_link', uri: 'file:///b.txt', name: 'b' },
        ],
        structuredContent: { rows: [1, { deep: null }] },
        isError: true,
        _meta: { 'example.org/mark': { of: ['the', 'server'] } },
      });
    });

    behaves('rejects a wrong call with the kind of error', async ({ toolbox, server }) => {
      const call = (tool: string, args = {}, where = server) =>
        toolbox.call({ server: where, tool, arguments: args }).catch((error) => error);
      expect(await call('echo', {}, 'nowhere')).toMatchObject({ name: 'HubError', kind: 'unknown-server' });
      expect(await call('nothing')).toMatchObject({ name: 'HubError', kind: 'unknown-tool' });
      expect(await call('echo', { words: 7 })).toMatchObject({
        name: 'HubError',
        kind: 'invalid-arguments',
        problems: [{ path: 'words', message: expect.stringContaining('string') }],
      });
    });

    behaves('cancels a pending call', async ({ toolbox, server }) => {
      const counts = async () => {
        const { content } = await toolbox.call({ server, tool: 'counts', arguments: {} });
        return content[0]?.text;
      };
      const abort = new AbortController();
      const call = toolbox.call({ server, tool: 'hang', arguments: {}, signal: abort.signal });
      const ended = call.catch((error) => error);
      await expect.poll(counts).toBe('1 0');
      abort.abort();
      expect(await ended).toMatchObject({ name: 'HubError', kind: 'cancelled' });
      await expect.poll(counts).toBe('1 1');
      // A call that is cancelled before it starts does not start.
      const late = toolbox.call({ server, tool: 'hang', arguments: {}, signal: AbortSignal.abort() });
      await expect(late).rejects.toMatchObject({ name: 'HubError', kind: 'cancelled' });
      expect(await counts()).toBe('1 1');
    });

    behaves('emits an event when tools are added or removed', async ({ toolbox, server }) => {
      const names = () => find(toolbox, server).tools.map(({ name }) => name);
      let events = 0;
      const stop = toolbox.on('serversChanged', () => void events++);
      const before = toolbox.servers();
      await toolbox.call({ server, tool: 'grow', arguments: {} });
      await expect.poll(names).toContain('grown');
      expect(events).toBeGreaterThan(0);
      expect(before.find(({ name }) => name === server)?.tools.map(({ name }) => name)).not.toContain('grown');
      expect(await toolbox.call({ server, tool: 'grown', arguments: { words: 'new' } })).toMatchObject({
        content: [{ text: 'new' }],
      });
      stop();
      const emitted = events;
      await toolbox.call({ server, tool: 'shrink', arguments: {} });
      await expect.poll(names).not.toContain('grown');
      expect(events).toBe(emitted);
    });
  });
}

function find(toolbox: Toolbox, name: string): ToolboxServer {
  const found = toolbox.servers().find((server) => server.name === name);
  if (!found)
    throw new Error(`no server "${name}" in ${JSON.stringify(toolbox.servers().map((server) => server.name))}`);
  return found;
}
