import { join } from 'node:path';
import {
  formatProblem,
  InputResolver,
  type LoadedConfig,
  resolveServer,
  TrustGuard,
  userCacheFolder,
} from '@a2c/config';
import { MCPServerManager } from '@a2c/hub';
import { HubToolbox } from '@a2c/proxy';
import { type ConfigOptions, loadFrom, namingFile, policyFrom } from '../config-options.js';
import { printError } from '../output.js';
import type { ToolSource } from './proxy.js';

interface ConfigSourceOptions extends ConfigOptions {
  /** Seconds, for servers whose configuration says nothing of it. */
  readonly timeout?: number;
}

/** The servers of a configuration, all of them starting. */
export async function configSource(options: ConfigSourceOptions): Promise<ToolSource> {
  const loaded = await loadFrom(options);
  for (const warning of loaded.warnings) printError(formatProblem(warning));
  const hub = await hubFor(options, loaded);
  void hub.startAll(); // Each server's state says how it went; nobody waits for the slowest.
  const toolbox = new HubToolbox(hub);
  return {
    toolbox,
    settings: loaded.proxy,
    [Symbol.asyncDispose]: () => {
      toolbox.close();
      return hub.close();
    },
  };
}

/** The configured servers, known but not started. Whoever names a file means it: there is no other way to say so in MCPX. */
async function hubFor(options: ConfigSourceOptions, loaded: LoadedConfig): Promise<MCPServerManager> {
  const { root } = loaded.source;
  const trust = options.trust ?? (options.config === undefined ? undefined : true);
  const guard = new TrustGuard(await policyFrom({ ...options, ...(trust && { trust }) }, loaded));
  const inputs = new InputResolver(loaded.inputs);
  const hub = new MCPServerManager({
    ...HubToolbox.answerers,
    guard,
    root,
    autoConnect: false,
    client: loaded.client,
    ...(options.timeout !== undefined && { limits: { callTimeoutMs: options.timeout * 1_000 } }),
    cacheFolder: join(userCacheFolder(), 'tools'),
    prepare: (server) => resolveServer(server, { trusted: guard.policy.trusted, root, inputs }),
  });
  hub.on('warning', ({ server, message }) => printError(`${server}: ${message}`));
  hub.on('state', ({ server, state, cause }) => {
    if (state !== 'error' || !cause) return;
    const why = namingFile(cause.replaceAll(`${server}: `, ''), loaded.source.files[0].file);
    // Most causes name their server already.
    printError(why.includes(`"${server}"`) ? why : `${server}: ${why}`);
  });
  await hub.initialize(loaded.servers);
  return hub;
}
