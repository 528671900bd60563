import { join } from 'node:path';
import { formatProblem, type LoadedConfig, userCacheFolder } from '@a2c/config';
import { MCPServerManager } from '@a2c/hub';
import { HubToolbox } from '@a2c/proxy';
import { type ConfigOptions, hubOptionsFrom, loadFrom, withTrustCommand } from '../config-options.js';
import { printError } from '../output.js';
import type { ToolSource } from './proxy.js';

interface ConfigSourceOptions extends ConfigOptions {
  /** The call timeout in seconds of servers whose configuration has none. */
  readonly timeout?: number;
}

/** The servers of a configuration. They start in the background; their state is part of the catalogue. */
export async function configSource(options: ConfigSourceOptions): Promise<ToolSource> {
  const loaded = await loadFrom(options);
  for (const warning of loaded.warnings) printError(formatProblem(warning));
  const hub = await hubFor(options, loaded);
  void hub.startAll();
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

/** A hub with the configured servers, not started yet. A file given with `--config` is trusted. */
async function hubFor(options: ConfigSourceOptions, loaded: LoadedConfig): Promise<MCPServerManager> {
  const trust = options.trust ?? (options.config === undefined ? undefined : true);
  const hub = new MCPServerManager({
    ...HubToolbox.answerers,
    ...(await hubOptionsFrom({ ...options, ...(trust && { trust }) }, loaded)),
    autoConnect: false,
    ...(options.timeout !== undefined && { limits: { callTimeoutMs: options.timeout * 1_000 } }),
    cacheFolder: join(userCacheFolder(), 'tools'),
  });
  hub.on('warning', ({ server, message }) => printError(`${server}: ${message}`));
  hub.on('state', ({ server, state, cause }) => {
    if (state !== 'error' || !cause) return;
    const why = withTrustCommand(cause.replaceAll(`${server}: `, ''), loaded.source.files[0].file);
    // Most causes already name their server.
    printError(why.includes(`"${server}"`) ? why : `${server}: ${why}`);
  });
  await hub.initialize(loaded.servers);
  return hub;
}
