import type { ToolboxServer, ToolboxTool } from '../toolbox.js';

/** The namespaces of code: all servers by name, and in an office also by Computer. */
export const SERVERS = 'servers';
export const COMPUTERS = 'computers';

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** How code refers to a server: `servers.weather`, `servers["my-server"]`, or in an office `computers.desk.files`. */
export function serverExpression(server: ToolboxServer): string {
  const [namespace = '', ...names] = serverPath(server);
  return `${namespace}${names.map(member).join('')}`;
}

/** How code calls a tool: `servers.weather.forecast`, `servers.everything["get-sum"]`. */
export function callExpression(server: ToolboxServer, tool: ToolboxTool): string {
  return `${serverExpression(server)}${member(tool.name)}`;
}

/** The names that lead to a server. A Computer that does not name the servers of its tools is one server. */
export function serverPath({ name, computer }: ToolboxServer): readonly string[] {
  if (computer === undefined) return [SERVERS, name];
  const slash = name.indexOf('/');
  return slash === -1 ? [COMPUTERS, computer] : [COMPUTERS, computer, name.slice(slash + 1)];
}

function member(name: string): string {
  return IDENTIFIER.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
