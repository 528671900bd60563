import { capabilityKey } from '@a2c/hub';
import {
  type LoggingMessageNotification,
  type ServerNotifier,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/server';
import type { Toolbox } from '../toolbox.js';
import type { ConnectedClient } from './connected-client.js';
import type { LenientServer } from './lenient-server.js';
import type { ClientConnection, Endpoint, ServeOptions } from './server-factory.js';
import type { ResourceSubscriptions } from './subscriptions.js';
import { showTasks } from './tasks.js';

/** Forwards changes to the SDK's subscriptions of stateless clients. Returns a function that stops it. */
export function notifyStatelessClients(
  notifier: ServerNotifier,
  { proxy: { registry, toolbox }, resources: { uris } }: Endpoint,
  { passThrough = false }: ServeOptions,
): () => void {
  if (!passThrough) return registry.on('descriptionChanged', () => notifier.toolsChanged());
  return stopAll([
    registry.on('toolsChanged', () => notifier.toolsChanged()),
    toolbox.on('clientToolsChanged', () => notifier.toolsChanged()),
    toolbox.on('resourcesChanged', () => notifier.resourcesChanged()),
    toolbox.on('promptsChanged', () => notifier.promptsChanged()),
    toolbox.on('resourceUpdated', ({ server, uri }) => notifier.resourceUpdated(uris.shown(server, uri))),
  ]);
}

/**
 * Forwards notifications of the MCP servers to a client with a lasting connection. Returns a function that stops it.
 */
export function notifyClient(
  server: LenientServer,
  { proxy: { registry, toolbox }, tasks, resources: { uris } }: Endpoint,
  subscriptions: ResourceSubscriptions,
  { client }: ClientConnection,
): () => void {
  const send = (sent: Promise<void>) => {
    sent.catch(() => {}); // the client has disconnected or does not accept the notification
  };
  return stopAll([
    registry.on('toolsChanged', () => send(server.sendToolListChanged())),
    toolbox.on('clientToolsChanged', ({ capabilities, client: only }) => {
      if (only === client || capabilities === capabilityKey(client.capabilities)) send(server.sendToolListChanged());
    }),
    toolbox.on('resourcesChanged', () => send(server.sendResourceListChanged())),
    toolbox.on('promptsChanged', () => send(server.sendPromptListChanged())),
    toolbox.on('resourceUpdated', ({ server: from, uri: own, meta }) => {
      const uri = uris.shown(from, own, client);
      // On a connection of MCP 2026 the SDK filters by subscription.
      const isWanted = client.era === 'modern' || subscriptions.has(uri);
      if (isWanted) send(server.sendResourceUpdated({ uri, ...ownMeta(meta) }));
    }),
    notifyOfOpenedUrls(server, toolbox, client),
    toolbox.on('taskStatus', ({ server: from, params: own, client: owner }) => {
      const params = showTasks(from, own);
      if (client.era === 'modern' || !(owner ? owner === client : tasks.isFor(params.taskId, client))) return;
      send(server.notification({ method: 'notifications/tasks/status', params }));
    }),
    toolbox.on('log', ({ server: from, params, client: owner }) => {
      // A message outside of calls goes to all clients, unless it came on the connection of one.
      if ((owner !== undefined && owner !== client) || !client.wantsLog(params, client.logLevel)) return;
      send(server.sendLoggingMessage(showTasks(from, params) as LoggingMessageNotification['params']));
    }),
  ]);
}

/** Notifies a client that a person has finished what a URL asked for. MCP 2026 has no such notification. */
export function notifyOfOpenedUrls(server: LenientServer, toolbox: Toolbox, client: ConnectedClient): () => void {
  return toolbox.on('elicitationComplete', ({ params, client: owner }) => {
    if (client.era === 'modern' || !(owner ? owner === client : client.wasAsked(params.elicitationId))) return;
    const { elicitationId } = params as { elicitationId: string };
    const sent = server.notification({
      method: 'notifications/elicitation/complete',
      params: { ...params, elicitationId },
    });
    sent.catch(() => {}); // the client has disconnected
  });
}

/** `_meta` of an update without the id of the proxy's subscription at the server. */
function ownMeta(meta: Readonly<Record<string, unknown>> = {}): { readonly _meta?: Record<string, unknown> } {
  const { [SUBSCRIPTION_ID_META_KEY]: _, ...own } = meta;
  return Object.keys(own).length === 0 ? {} : { _meta: own };
}

function stopAll(stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}
