import { join } from 'node:path';
import { type LoadedConfig, userCacheFolder } from '@a2c/config';
import { MCPServerManager, type ServedClient } from '@a2c/hub';
import { HubToolbox } from '@a2c/proxy';
import {
  type ConfigOptions,
  hubOptionsFrom,
  loadFrom,
  trustingNamedFile,
  withTrustCommand,
} from '../config-options.js';
import { indented, printError } from '../output.js';
import { type PinChoice, pinOptions } from '../pin-options.js';
import { type SkillChoice, skillOptions } from '../skill-options.js';
import { startHealthCheck } from './health-check.js';
import { LocalSkills } from './local-skills.js';
import type { ToolSource } from './proxy.js';

interface ConfigSourceOptions extends ConfigOptions, SkillChoice {
  /** The only client, if there is no other. The servers start when it is known. */
  readonly onlyClient?: Promise<ServedClient | undefined>;
  /** No server is started before. */
  readonly startAfter?: Promise<void>;
  /** The call timeout in seconds of servers whose configuration has none. */
  readonly timeout?: number;
  readonly pins: PinChoice;
}

/** The servers of a configuration. They start in the background; their state is part of the catalogue. */
export async function configSource(options: ConfigSourceOptions): Promise<ToolSource> {
  const loaded = await loadFrom(options);
  const hub = await hubFor(options, loaded);
  const started = hub.startAll();
  const stopHealthCheck =
    loaded.proxy && loaded.proxy.health_check_enabled !== false
      ? startHealthCheck(hub, loaded.proxy, printError)
      : undefined;
  const chosen = skillOptions(options);
  const skills = chosen && new LocalSkills(chosen, hub, started, printError);
  const toolbox = new HubToolbox(hub, { skills });
  return {
    toolbox,
    settings: loaded.proxy,
    [Symbol.asyncDispose]: async () => {
      stopHealthCheck?.();
      toolbox.close();
      await hub.close();
      await skills?.close();
    },
  };
}

/** A hub with the configured servers, not started yet. A file given with `--config` is trusted. */
async function hubFor(options: ConfigSourceOptions, loaded: LoadedConfig): Promise<MCPServerManager> {
  const hub = new MCPServerManager({
    ...HubToolbox.hubOptions,
    ...(options.onlyClient && { onlyClient: options.onlyClient }),
    ...(options.startAfter && { startAfter: options.startAfter }),
    ...(await hubOptionsFrom(trustingNamedFile(options), loaded)),
    autoConnect: false,
    ...(options.timeout !== undefined && { limits: { callTimeoutMs: options.timeout * 1_000 } }),
    pins: pinOptions(options.pins),
    cacheFolder: join(userCacheFolder(), 'tools'),
  });
  hub.on('warning', ({ server, message }) => printError(indented(`${server}: ${message}`)));
  // A start is repeated; its failure is printed once, until the server is connected.
  const printed = new Map<string, string>();
  hub.on('state', ({ server, state, cause }) => {
    if (state === 'connected') printed.delete(server);
    if ((state !== 'error' && state !== 'needs-login') || !cause) return;
    if (printed.get(server) === cause) return;
    printed.set(server, cause);
    const why = withTrustCommand(cause.replaceAll(`${server}: `, ''), loaded.source.files[0].file, loaded.source.root);
    // Most causes already name their server.
    printError(indented(why.includes(`"${server}"`) ? why : `${server}: ${why}`));
  });
  await hub.initialize(loaded.servers);
  return hub;
}
