import type { ProxySettings } from '@a2c/config';
import { HubError, type MCPServerManager } from '@a2c/hub';

/** The defaults of MCPX. */
const DEFAULTS = { intervalSeconds: 30, timeoutSeconds: 5, failures: 2 };

/**
 * The health check of an MCPX file: pings every connected server and reports one that stops answering, and when it
 * answers again. As in MCPX it only informs. Any answer counts, also an error: newer servers do not know `ping`.
 *
 * @returns A function that ends the check.
 */
export function startHealthCheck(
  hub: MCPServerManager,
  settings: ProxySettings,
  report: (line: string) => void,
): () => void {
  const timeout = settings.health_check_timeout ?? DEFAULTS.timeoutSeconds;
  const threshold = settings.health_check_failure_threshold ?? DEFAULTS.failures;
  const failures = new Map<string, number>();
  const pinging = new Set<string>();

  const check = async (server: string): Promise<void> => {
    if (pinging.has(server)) return;
    pinging.add(server);
    const answered = await ping(hub, server, timeout);
    pinging.delete(server);
    if (answered === undefined) return;
    const before = failures.get(server) ?? 0;
    failures.set(server, answered ? 0 : before + 1);
    if (!answered && before + 1 === threshold) {
      report(`${server}: does not answer: ${threshold} pings without an answer within ${timeout} s`);
    } else if (answered && before >= threshold) report(`${server}: answers again`);
  };
  const timer = setInterval(
    () => {
      for (const { name, state } of hub.status()) if (state === 'connected') void check(name);
    },
    (settings.health_check_interval ?? DEFAULTS.intervalSeconds) * 1_000,
  );
  return () => clearInterval(timer);
}

/** Whether the server answered in time; undefined after a lost connection, which the hub reports itself. */
async function ping(hub: MCPServerManager, server: string, timeout: number): Promise<boolean | undefined> {
  try {
    await hub.request(server, 'ping', {}, { timeout });
    return true;
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    if (error.kind === 'timeout') return false;
    return error.code === undefined ? undefined : true;
  }
}
