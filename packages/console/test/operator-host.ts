import { onTestFinished } from 'vitest';
import { Host, stage } from './host.js';

/** The value of the secret input, and a secret in the configuration. */
export const SECRET = 'very-secret-value-4711';
export const LITERAL = 'literal-secret-0815';

/** Starts `a2c up` with three MCP servers. `locked` starts when its input is set. */
export function startOperatorHost(): Promise<Host> {
  return Host.start(['up', '--port', '0', '--name', 'pc', '--config', 'servers.json'], {
    'servers.json': {
      inputs: [{ id: 'token', type: 'promptString', description: 'A token', password: true }],
      servers: [
        stage('stage', { default_tool_meta: { auto_apply: true } }),
        stage('locked', { tool_meta: {} }, { TOKEN: '$' + '{input:token}' }),
        stage('literal', { default_tool_meta: { auto_apply: true, alias: undefined } }, { TOKEN: LITERAL }),
      ],
    },
  });
}

interface Server {
  readonly name: string;
  readonly state: string;
}

/** Waits until an MCP server has a state. */
export async function serverState(host: Host, name: string, state: string): Promise<void> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const { until } = await host.follow(controller.signal);
  await until(
    (event, value) =>
      event === 'servers' && value.set.some((each: Server) => each.name === name && each.state === state),
  );
}

/** Sets the input of `locked`, whose tools need consent, and waits until it is ready. */
export async function unlock(host: Host): Promise<void> {
  await host.ask('set-input', { input: 'token', value: SECRET });
  await serverState(host, 'locked', 'ready');
}
