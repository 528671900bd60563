import type { LoggingMessageNotification, McpRequestContext, Server } from '@modelcontextprotocol/server';
import type { McpProxy } from '../mcp-proxy.js';
import type { ToolboxEvent } from '../toolbox.js';
import { onToolsChange } from './tool-changes.js';

/** What the servers say unasked goes to the client, as long as its connection lasts. */
export function relayEvents(server: Server, proxy: McpProxy, { era, requestInfo }: McpRequestContext): void {
  const isLasting = era === 'legacy' || requestInfo === undefined;
  if (!isLasting) return;
  const send = (sent: Promise<void> | undefined) => {
    sent?.catch(() => {}); // a client that has gone, or does not want to hear it
  };
  const stopTools = onToolsChange(proxy, () => send(server.sendToolListChanged()));
  const stopOthers = proxy.toolbox.subscribe((event) => send(relay(server, event)));
  server.onclose = () => {
    stopTools();
    stopOthers();
  };
}

function relay(server: Server, event: ToolboxEvent): Promise<void> | undefined {
  switch (event.kind) {
    case 'log':
      return server.sendLoggingMessage(event.params as LoggingMessageNotification['params']);
    case 'resource-updated':
      return server.sendResourceUpdated({ uri: event.uri });
    case 'changed':
      if (event.what === 'resources') return server.sendResourceListChanged();
      return event.what === 'prompts' ? server.sendPromptListChanged() : undefined;
  }
}
