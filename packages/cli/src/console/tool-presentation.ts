import type { Computer, OfficeLink, ToolPresentation } from '@a2c/computer';
import type { AvailableTool } from '@a2c/hub';
import { contextCost, DEFAULT_OPTIONS, Registry, SchemaConverter, type Toolbox, type ToolboxServer } from '@a2c/proxy';
import { a2c } from '../pasteable-command.js';

/** Shows the tools of a Computer as the proxy does: its search, its types, its cost. */
export function presentTools(computer: Computer, linkOf: () => OfficeLink | undefined): ToolPresentation {
  const registry = new Registry(toolboxOf(computer), DEFAULT_OPTIONS);
  const converter = new SchemaConverter({ maxDescriptionLength: DEFAULT_OPTIONS.maxDescriptionLength });
  return {
    search: async (query) => {
      await registry.prepareSearch(query);
      return registry.search(query).map(({ server, tool }) => ({ server: server.name, tool: tool.name }));
    },
    typeOf: (schema) => converter.convert(schema),
    copy: (tool) => copyOf(tool, computer, linkOf()),
    context: () => ({ ...contextCost(registry), ...proxyCommand(linkOf()) }),
  };
}

/** The servers and tools of a Computer. Returns the same array until something changes. */
function toolboxOf(computer: Computer): Pick<Toolbox, 'servers' | 'on'> {
  let servers: readonly ToolboxServer[] | undefined;
  const forget = () => {
    servers = undefined;
  };
  computer.on('tools', forget);
  computer.on('status', forget);
  return {
    servers: () => {
      servers ??= computer.status().map(({ name, state }) => ({
        name,
        state: state === 'connected' ? 'ready' : 'stopped',
        tools: computer
          .tools()
          .filter(({ server }) => server === name)
          .map(({ displayName, tool }) => ({ ...tool, name: displayName }) as ToolboxServer['tools'][number]),
      }));
      return servers;
    },
    on: (event, listener) =>
      event === 'serversChanged' ? computer.on('tools', () => (listener as () => void)()) : () => {},
  };
}

/** How an MCP client gets these tools through the proxy. */
function proxyCommand({ url, office }: Partial<OfficeLink> = {}): { readonly command?: string } {
  if (url === undefined || office === undefined) return {};
  return { command: a2c('proxy', '--url', url.origin, '--office', office) };
}

/** `ARGUMENTS` stands for the arguments as JSON. The page replaces it. */
function copyOf({ displayName }: AvailableTool, computer: Computer, link: OfficeLink | undefined) {
  const url = link?.url.origin;
  const office = link?.office;
  const isInOffice = url !== undefined && office !== undefined;
  const shell = isInOffice
    ? a2c('agent', 'call', computer.name, displayName, 'ARGUMENTS', '--url', url, '--office', office)
    : `tc ${displayName} ARGUMENTS`;
  const quoted = (text: string) => JSON.stringify(text);
  const code = [
    "import { Agent } from '@a2c/agent';",
    '',
    `const agent = await Agent.connect({ url: ${quoted(url ?? 'URL')}, office: ${quoted(office ?? 'OFFICE')}, name: 'me' });`,
    `const result = await agent.callTool(${quoted(computer.name)}, ${quoted(displayName)}, ARGUMENTS);`,
  ].join('\n');
  return { shell, code };
}
