import type { LoggingMessageNotification, Server } from '@modelcontextprotocol/server';
import type { MCPProxy } from '../mcp-proxy.js';
import type { ToolboxEvent } from '../toolbox.js';
import type { ClientConnection } from './face.js';
import type { Followed } from './followed.js';

/** What the servers say unasked goes to the client, as long as its connection lasts. */
export function relayEvents(
  server: Server,
  proxy: MCPProxy,
  followed: Followed,
  { isLasting, isShared, isModern }: ClientConnection,
): void {
  if (!isLasting) return;
  const send = (sent: Promise<void> | undefined) => {
    sent?.catch(() => {}); // a client that has gone, or does not want to hear it
  };
  const stopTools = proxy.registry.onToolsChange(() => send(server.sendToolListChanged()));
  // On a connection of 2026 the SDK knows who listens to what, and passes on no more than that.
  const isHeard = (event: ToolboxEvent) => {
    if (event.kind === 'resource-updated') return isModern || followed.has(event.uri);
    return event.kind !== 'log' || !isShared || event.client === server;
  };
  const stopOthers = proxy.toolbox.subscribe((event) => {
    if (isHeard(event)) send(relay(server, event));
  });
  server.onclose = () => {
    stopTools();
    stopOthers();
    followed.close();
  };
}

function relay(server: Server, event: ToolboxEvent): Promise<void> | undefined {
  switch (event.kind) {
    case 'log':
      // Levels are kept by session.
      return server.sendLoggingMessage(
        event.params as LoggingMessageNotification['params'],
        server.transport?.sessionId,
      );
    case 'resource-updated':
      return server.sendResourceUpdated({ uri: event.uri });
    case 'changed':
      if (event.what === 'resources') return server.sendResourceListChanged();
      return event.what === 'prompts' ? server.sendPromptListChanged() : undefined;
  }
}
