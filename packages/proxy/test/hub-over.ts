import { readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { MCPServerManager } from '@a2c/hub';
import { HubToolbox, MCPProxy, type MCPProxyOptions } from '@a2c/proxy';
import { atEnd } from './doors.js';

/** An MCP server for a configuration. */
export interface ServerSpec {
  readonly name: string;
  /** Its entry under `mcpServers`. */
  readonly entry: () => Promise<object>;
}

export interface Started {
  readonly hub: MCPServerManager;
  readonly proxy: MCPProxy;
  /** Resolves when every server has started or failed. */
  readonly started: Promise<void>;
}

/** The servers by name as in `mcpServers`, or a list in a2c's own format. */
export type ConfiguredServers = Readonly<Record<string, object>> | readonly object[];

/** A proxy over a real hub; the servers are starting. */
export async function start(servers: ConfiguredServers, options: MCPProxyOptions = {}): Promise<Started> {
  const content = Array.isArray(servers) ? { servers, inputs: [] } : { mcpServers: servers };
  const { config, problems } = readConfig(JSON.stringify(content), { file: 'mcp.json' });
  if (!config) throw new Error(JSON.stringify(problems));
  const guard = new TrustGuard({ ...UNTRUSTED, trusted: true });
  const limits = { attributionTimeoutMs: 300 };
  const hub = new MCPServerManager({ ...HubToolbox.hubOptions, guard, autoConnect: false, limits });
  atEnd(() => hub.close());
  await hub.initialize(config.servers);
  const started = hub.startAll();
  const toolbox = new HubToolbox(hub);
  atEnd(() => toolbox.close());
  // A test waits for what is true, however busy the machine is.
  const proxy = new MCPProxy(toolbox, {
    ...options,
    limits: { clientListMs: 60_000, listWaitMs: 60_000, ...options.limits },
  });
  atEnd(() => proxy.close());
  return { hub, proxy, started };
}

/** A proxy over a real hub, after every server has started or failed. */
export async function proxyOver(...specs: readonly ServerSpec[]): Promise<MCPProxy> {
  const entries = specs.map(async ({ name, entry }) => [name, await entry()]);
  const { proxy, started } = await start(Object.fromEntries(await Promise.all(entries)));
  await started;
  return proxy;
}
