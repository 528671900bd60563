import { PluginStore } from '@a2c/computer';
import { skillHome } from '../skill-options.js';
import type { ComputerRunOptions } from './start-options.js';

/**
 * Fetches the marketplaces with automatic updates in the background: skills follow at once, MCP servers at the next
 * start. A failure is reported and changes nothing.
 */
export function updateMarketplaces(
  { skills }: ComputerRunOptions,
  report: (message: string) => void,
): { stop(): Promise<void> } {
  if (skills === false) return { stop: async () => {} };
  const ended = new AbortController();
  const store = new PluginStore({ home: skillHome(skills) });
  const updating = store.syncMarketplaces({ signal: ended.signal }).then(
    (failures) => {
      for (const { name, reason } of failures) report(`the marketplace "${name}" was not updated: ${reason}`);
    },
    (error: Error) => report(`marketplaces were not updated: ${error.message}`),
  );
  return {
    stop: () => {
      ended.abort();
      return updating;
    },
  };
}
