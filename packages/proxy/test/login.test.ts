import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { MCPServerManager, Vault } from '@a2c/hub';
import { HubToolbox, MCPProxy } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { approve, startAuthorizationServer, startNotesServer } from '@a2c/test-authorization-server';
import { describe, expect } from 'vitest';
import { atEnd, DOORS, enter } from './doors.js';

/** A proxy over an MCP server that needs a login. */
async function proxyOverNotes(isLoggedIn = false): Promise<MCPProxy> {
  const authorization = await startAuthorizationServer();
  const notes = await startNotesServer(authorization);
  const folder = mkdtempSync(join(tmpdir(), 'a2c-proxy-'));
  atEnd(async () => {
    await notes.close();
    await authorization.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const entry = { mcpServers: { notes: { type: 'http', url: notes.url } } };
  const { config } = readConfig(JSON.stringify(entry), { file: 'mcp.json' });
  const guard = new TrustGuard({ ...UNTRUSTED, trusted: true });
  const hub = new MCPServerManager({ guard, vault: new Vault(folder, 'file') });
  atEnd(() => hub.close());
  await hub.initialize(config?.servers ?? []);
  if (isLoggedIn) {
    await hub.login('notes', { onUrl: ({ url }) => void approve(url) });
    await hub.startClient('notes');
  }
  const toolbox = new HubToolbox(hub);
  atEnd(() => toolbox.close());
  return new MCPProxy(toolbox);
}

const exec = (tool: string) => ({ name: 'exec', arguments: { server_name: 'notes', tool_name: tool, arguments: {} } });

describe.each(DOORS)('a client over $door, $generation', (door) => {
  verifies('LOGIN-AFAR-01', 'opens the login address, and the call goes on', async () => {
    const client = await enter(await proxyOverNotes(), door, { capabilities: { elicitation: { url: {} } } });
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      void approve((params as { url: string }).url);
      return { action: 'accept' };
    });
    expect((await client.callTool(exec('read'))).content).toEqual([{ type: 'text', text: 'a note' }]);
    // A tool that needs more scopes asks again, for all of them.
    expect((await client.callTool(exec('write'))).content).toEqual([{ type: 'text', text: 'written' }]);
    expect(asked).toEqual(Array(2).fill('Log in to the MCP server "notes"'));
  });

  verifies('LOGIN-AFAR-01', 'opens the login address also in pass-through mode', async () => {
    const serve = { passThrough: true };
    const client = await enter(await proxyOverNotes(true), door, { serve, capabilities: { elicitation: { url: {} } } });
    client.setRequestHandler('elicitation/create', ({ params }) => {
      void approve((params as { url: string }).url);
      return { action: 'accept' };
    });
    expect((await client.callTool({ name: 'read' })).content).toEqual([{ type: 'text', text: 'a note' }]);
    expect((await client.callTool({ name: 'write' })).content).toEqual([{ type: 'text', text: 'written' }]);
  });

  verifies('LOGIN-AFAR-01', 'gets the command if it declines or cannot open addresses', async () => {
    const proxy = await proxyOverNotes();
    const declining = await enter(proxy, door, { capabilities: { elicitation: { url: {} } } });
    declining.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
    const plain = await enter(proxy, door);
    for (const client of [declining, plain]) {
      const { content, isError } = await client.callTool(exec('read'));
      expect(isError).toBe(true);
      expect(content[0]).toMatchObject({
        text: 'Server "notes" is not available: server "notes" needs a login: run "a2c login notes"',
      });
      const { tools } = await client.listTools();
      expect(tools[0]?.description).toContain('Server: notes - (server "notes" needs a login: run "a2c login notes")');
    }
  });
});
