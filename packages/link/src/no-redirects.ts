import type { Agent, ClientRequest, IncomingMessage } from 'node:http';

interface RequestingAgent extends Agent {
  addRequest(request: ClientRequest, ...rest: unknown[]): void;
}

/** The client for polling follows these in Node, with all headers, also to another host. It does not follow 308. */
const FOLLOWED: ReadonlySet<number | undefined> = new Set([302, 303, 307]);
const NOT_FOLLOWED = 308;

/**
 * An agent whose requests follow no redirect: the key of the Server would be sent to another host. Undefined in
 * browsers, which have their own rules.
 *
 * @param given the agent to use; without one, each connection has its own
 */
export function agentWithoutRedirects(origin: string, given: object | undefined): object | undefined {
  const agent = (given ?? newAgent(origin)) as RequestingAgent | undefined;
  if (!agent) return undefined;
  const addRequest = (request: ClientRequest, ...rest: unknown[]) => {
    request.prependListener('response', (response: IncomingMessage) => {
      if (FOLLOWED.has(response.statusCode)) response.statusCode = NOT_FOLLOWED;
    });
    agent.addRequest(request, ...rest);
  };
  return Object.create(agent, { addRequest: { value: addRequest } });
}

/** The link runs in browsers, so that it imports no module of Node. */
function newAgent(origin: string): object | undefined {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const isSecure = /^(?:https|wss):/.test(origin);
  const { Agent } = process?.getBuiltinModule?.(isSecure ? 'node:https' : 'node:http') ?? {};
  return Agent && new Agent();
}
