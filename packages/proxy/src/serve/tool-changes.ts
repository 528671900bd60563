import type { McpProxy } from '../mcp-proxy.js';
import { exposedTools } from './exposed-tools.js';

/** Tells when the list of tools has become another one, which servers that go and come back with the same tools do not make it. */
export function onToolsChange(proxy: McpProxy, listener: () => void): () => void {
  const list = () => JSON.stringify(exposedTools(proxy.registry));
  let known = list();
  return proxy.toolbox.subscribe((event) => {
    if (event.kind !== 'changed' || event.what !== 'tools') return;
    const present = list();
    if (present === known) return;
    known = present;
    listener();
  });
}
