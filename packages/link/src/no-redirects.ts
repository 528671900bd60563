/** What is used of Node's types: the link runs in browsers, too, and imports no module of Node. */
interface Agent {
  addRequest(request: ClientRequest, ...rest: unknown[]): void;
}

interface ClientRequest {
  prependListener(event: 'response', listener: (response: { statusCode?: number }) => void): void;
}

interface NodeProcess {
  getBuiltinModule?(name: 'http' | 'https'): { readonly Agent: new () => object };
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
  const agent = (given ?? newAgent(origin)) as Agent | undefined;
  if (!agent) return undefined;
  const addRequest = (request: ClientRequest, ...rest: unknown[]) => {
    request.prependListener('response', (response) => {
      if (FOLLOWED.has(response.statusCode)) response.statusCode = NOT_FOLLOWED;
    });
    agent.addRequest(request, ...rest);
  };
  return Object.create(agent, { addRequest: { value: addRequest } });
}

function newAgent(origin: string): object | undefined {
  const { process } = globalThis as { readonly process?: NodeProcess };
  const isSecure = /^(?:https|wss):/.test(origin);
  const { Agent } = process?.getBuiltinModule?.(isSecure ? 'https' : 'http') ?? {};
  return Agent && new Agent();
}
