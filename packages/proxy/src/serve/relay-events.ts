import type { LoggingMessageNotification, McpRequestContext, Server } from '@modelcontextprotocol/server';
import type { McpProxy } from '../mcp-proxy.js';
import type { ToolboxEvent } from '../toolbox.js';
import type { Followed } from './followed.js';
import { onToolsChange } from './tool-changes.js';

/** What the servers say unasked goes to the client, as long as its connection lasts. */
export function relayEvents(
  server: Server,
  proxy: McpProxy,
  followed: Followed,
  { era, requestInfo }: McpRequestContext,
): void {
  const isLasting = era === 'legacy' || requestInfo === undefined;
  if (!isLasting) return;
  const send = (sent: Promise<void> | undefined) => {
    sent?.catch(() => {}); // a client that has gone, or does not want to hear it
  };
  const stopTools = onToolsChange(proxy, () => send(server.sendToolListChanged()));
  // On a connection of 2026 the SDK knows who listens to what, and passes on no more than that.
  const isHeard = (uri: string) => era === 'modern' || followed.has(uri);
  const stopOthers = proxy.toolbox.subscribe((event) => send(relay(server, isHeard, event)));
  server.onclose = () => {
    stopTools();
    stopOthers();
    followed.close();
  };
}

function relay(server: Server, isHeard: (uri: string) => boolean, event: ToolboxEvent): Promise<void> | undefined {
  switch (event.kind) {
    case 'log':
      return server.sendLoggingMessage(event.params as LoggingMessageNotification['params']);
    case 'resource-updated':
      return isHeard(event.uri) ? server.sendResourceUpdated({ uri: event.uri }) : undefined;
    case 'changed':
      if (event.what === 'resources') return server.sendResourceListChanged();
      return event.what === 'prompts' ? server.sendPromptListChanged() : undefined;
  }
}
