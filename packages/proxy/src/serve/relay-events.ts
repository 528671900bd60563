import type { LoggingMessageNotification, McpRequestContext, Server } from '@modelcontextprotocol/server';
import type { Toolbox, ToolboxEvent } from '../toolbox.js';

/** What the servers say unasked goes to the client, as long as its connection lasts. */
export function relayEvents(server: Server, toolbox: Toolbox, { era, requestInfo }: McpRequestContext): void {
  const isLasting = era === 'legacy' || requestInfo === undefined;
  if (!isLasting) return;
  server.onclose = toolbox.subscribe((event) => {
    relay(server, event).catch(() => {}); // a client that has gone, or does not want to hear it
  });
}

async function relay(server: Server, event: ToolboxEvent): Promise<void> {
  switch (event.kind) {
    case 'log':
      return server.sendLoggingMessage(event.params as LoggingMessageNotification['params']);
    case 'resource-updated':
      return server.sendResourceUpdated({ uri: event.uri });
    case 'changed':
      if (event.what === 'tools') return server.sendToolListChanged();
      return event.what === 'resources' ? server.sendResourceListChanged() : server.sendPromptListChanged();
  }
}
