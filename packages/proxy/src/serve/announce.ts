import type { ServerNotifier } from '@modelcontextprotocol/server';
import type { MCPProxy } from '../mcp-proxy.js';
import type { FaceOptions } from './face.js';

/** Tells stateless clients that listen of changes; returns the way to stop. */
export function announceTo(notify: ServerNotifier, proxy: MCPProxy, { passThrough = false }: FaceOptions): () => void {
  if (!passThrough) return proxy.registry.onChange(() => notify.toolsChanged());
  const stopTools = proxy.registry.onToolsChange(() => notify.toolsChanged());
  const stopOthers = proxy.toolbox.subscribe((event) => {
    if (event.kind === 'resource-updated') notify.resourceUpdated(event.uri);
    if (event.kind !== 'changed') return;
    if (event.what === 'resources') notify.resourcesChanged();
    if (event.what === 'prompts') notify.promptsChanged();
  });
  return () => {
    stopTools();
    stopOthers();
  };
}
