import { nearest } from '@a2c/config';
import { HubError } from '@a2c/hub';
import type { ArgumentProblem, CallToolResult } from '@a2c/protocol';
import { serverProblem, toolCount } from '../catalogue/catalogue.js';
import type { Registry } from '../registry.js';
import { cutLine, displayName } from '../text/one-line.js';
import type { ToolboxServer, ToolboxTool } from '../toolbox.js';
import type { ToolFormatter } from '../tools/tool-formatter.js';

const MAX_NAMES = 40;
const MAX_SUGGESTIONS = 3;
const MAX_PROBLEMS = 5;
const MAX_CAUSE = 600;

/** A shorter name is part of too many others to be a useful suggestion. */
const MIN_PART_LENGTH = 3;

/** A failure as a result, which a model reads. Clients often hide exceptions from the model. */
export function errorResult(...lines: readonly string[]): CallToolResult {
  return { content: [{ type: 'text', text: lines.filter((line) => line !== '').join('\n') }], isError: true };
}

/** The error results of `inspect` and `exec`. Each says what is wrong, what exists, and what was probably meant. */
export class ErrorResults {
  readonly #registry: Registry;
  readonly #formatter: ToolFormatter;

  constructor(registry: Registry, formatter: ToolFormatter) {
    this.#registry = registry;
    this.#formatter = formatter;
  }

  unknownServer(wanted: string): CallToolResult {
    const { servers } = this.#registry;
    if (servers.length === 0) return errorResult(`There is no server ${quoted(wanted)}: no servers are configured.`);
    const names = servers.map(({ name }) => name);
    return errorResult(
      `There is no server ${quoted(wanted)}.${didYouMean(wanted, names)}`,
      `Servers: ${listed(servers.map(nameWithProblem))}`,
    );
  }

  unknownComputer(wanted: string): CallToolResult {
    const computers = this.#registry.servers.flatMap(({ computer }) => computer ?? []);
    const names = [...new Set(computers)];
    return errorResult(
      `There is no Computer ${quoted(wanted)}.${didYouMean(wanted, names)}`,
      `Computers: ${listed(names)}`,
    );
  }

  unknownTool(server: ToolboxServer, wanted: string): CallToolResult {
    if (serverProblem(server) !== '' && server.tools.length === 0) return this.unavailable(server);
    const names = server.tools.map(({ name }) => name);
    const elsewhere = this.#registry.servers.filter(({ tools }) => tools.some(({ name }) => name === wanted));
    return errorResult(
      `Server ${quoted(server.name)} has no tool ${quoted(wanted)}.${didYouMean(wanted, names)}`,
      elsewhere.length === 0 ? '' : `${quoted(wanted)} is a tool of: ${listed(elsewhere.map(({ name }) => name))}`,
      `It has ${toolCount(server)}: ${listed(names)}`,
    );
  }

  /** For a tool that was requested without a server and that no server has. */
  unknownToolAnywhere(wanted: string): CallToolResult {
    const names = this.#registry.servers.flatMap(({ tools }) => tools.map(({ name }) => name));
    return errorResult(
      `No server has a tool ${quoted(wanted)}.${didYouMean(wanted, [...new Set(names)])}`,
      'Search with query, or name the server with server_name.',
    );
  }

  unavailable(server: ToolboxServer, cause = ''): CallToolResult {
    const started = `server ${quoted(server.name)} could not be started: `;
    const known = cutLine(server.cause || cause, MAX_CAUSE).replace(started, '');
    const problem = (server.state === 'failed' && known) || serverProblem(server) || known || 'no connection';
    return errorResult(`Server ${quoted(server.name)} is not available: ${problem}`);
  }

  /** Translates a failed call. This is the only place where a `HubError` becomes a result. */
  fromCallError(error: unknown, server: ToolboxServer, tool: ToolboxTool): CallToolResult {
    if (!(error instanceof HubError)) return errorResult(error instanceof Error ? error.message : String(error));
    switch (error.kind) {
      case 'unknown-server':
        return this.unknownServer(server.name);
      case 'unknown-tool':
        // While the catalogue still lists the tool, only the error's own message explains why it is gone.
        return this.#registry.getTool(server.name, tool.name)
          ? errorResult(error.message)
          : this.unknownTool(server, tool.name);
      case 'invalid-arguments':
        return this.#invalidArguments(tool, error.problems, error.message);
      case 'disabled-server':
      case 'not-connected':
      case 'unauthorized':
      case 'needs-login':
        return this.unavailable(this.#registry.getServerInfo(server.name) ?? server, error.message);
      default:
        return errorResult(error.message, codeAndData(error));
    }
  }

  #invalidArguments(tool: ToolboxTool, problems: readonly ArgumentProblem[], message: string): CallToolResult {
    const lines = problems
      .slice(0, MAX_PROBLEMS)
      .map(({ path, message: problem }) => `- ${path || 'arguments'}: ${problem}`);
    const more = problems.length > MAX_PROBLEMS ? [`- and ${problems.length - MAX_PROBLEMS} more`] : [];
    const head = lines.length === 0 ? `: ${message}` : ':';
    return errorResult(
      `Invalid arguments for ${displayName(tool.name)}${head}`,
      ...lines,
      ...more,
      `Expected: ${this.#formatter.signature(tool)}`,
    );
  }
}

/** The JSON-RPC error of the server, for models that can act on it. */
function codeAndData({ code, data }: HubError): string {
  const json = data === undefined ? undefined : JSON.stringify(data);
  const parts = [code === undefined ? '' : `code: ${code}`, json === undefined ? '' : `data: ${json}`];
  return parts.filter((part) => part !== '').join('\n');
}

/** The wanted server may be missing because of this problem: an unavailable office hides its Computers. */
function nameWithProblem(server: ToolboxServer): string {
  const problem = serverProblem(server);
  return problem === '' ? server.name : `${displayName(server.name)} (${problem})`;
}

function didYouMean(wanted: string, names: readonly string[]): string {
  const shown = displayName(wanted); // bounds the time of the comparison
  const near = nearest(shown, names);
  const overlapping = names.filter((name) => contains(name, shown) || contains(shown, name));
  const meant = [...new Set([...(near === undefined ? [] : [near]), ...overlapping])].slice(0, MAX_SUGGESTIONS);
  return meant.length === 0 ? '' : ` Did you mean ${meant.map(quoted).join(' or ')}?`;
}

function contains(name: string, part: string): boolean {
  return part.length >= MIN_PART_LENGTH && name.toLowerCase().includes(part.toLowerCase());
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return `${names.slice(0, MAX_NAMES).map(displayName).join(', ')}${more}`;
}

const quoted = (name: string): string => `"${displayName(name)}"`;
