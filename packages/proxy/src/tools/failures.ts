import { nearest } from '@a2c/config';
import { countOf, troubleOf } from '../catalogue/server-entry.js';
import type { Registry } from '../registry.js';
import { errorResult } from '../results/error-result.js';
import { shownName } from '../text/one-line.js';
import type { CallToolResult, ToolboxServer, ToolboxTool } from '../toolbox.js';
import { type ArgumentProblem, ToolboxError } from '../toolbox-error.js';
import type { ToolText } from './tool-text.js';

const MAX_NAMES = 40;
const MAX_SUGGESTIONS = 3;

/** A name that has the wanted one inside was probably meant, unless that is so short that many have. */
const LEAST_PART = 3;
const MAX_PROBLEMS = 5;

/** What a model is told when something does not exist or does not work: what is wrong, what there is, what was probably meant. */
export class Failures {
  readonly #registry: Registry;
  readonly #text: ToolText;

  constructor(registry: Registry, text: ToolText) {
    this.#registry = registry;
    this.#text = text;
  }

  unknownServer(wanted: string): CallToolResult {
    const { servers } = this.#registry;
    if (servers.length === 0) return errorResult(`There is no server ${quoted(wanted)}: no servers are configured.`);
    const names = servers.map(({ name }) => name);
    return errorResult(
      `There is no server ${quoted(wanted)}.${didYouMean(wanted, names)}`,
      `Servers: ${listed(servers.map(nameWithTrouble))}`,
    );
  }

  unknownTool(server: ToolboxServer, wanted: string): CallToolResult {
    if (troubleOf(server) !== '' && server.tools.length === 0) return this.unavailable(server);
    const names = server.tools.map(({ name }) => name);
    const elsewhere = this.#registry.servers.filter(({ tools }) => tools.some(({ name }) => name === wanted));
    return errorResult(
      `Server ${quoted(server.name)} has no tool ${quoted(wanted)}.${didYouMean(wanted, names)}`,
      elsewhere.length === 0 ? '' : `${quoted(wanted)} is a tool of: ${listed(elsewhere.map(({ name }) => name))}`,
      `It has ${countOf(server)}: ${listed(names)}`,
    );
  }

  /** A tool was asked for without saying whose it is, and nobody has it. */
  unknownToolAnywhere(wanted: string): CallToolResult {
    const names = this.#registry.servers.flatMap(({ tools }) => tools.map(({ name }) => name));
    return errorResult(
      `No server has a tool ${quoted(wanted)}.${didYouMean(wanted, [...new Set(names)])}`,
      'Search with query, or say whose tool it is with server_name.',
    );
  }

  unavailable(server: ToolboxServer, cause = ''): CallToolResult {
    const trouble = troubleOf(server) || cause || 'no connection';
    return errorResult(`Server ${quoted(server.name)} is not available: ${trouble}`);
  }

  invalidArguments(tool: ToolboxTool, problems: readonly ArgumentProblem[], message: string): CallToolResult {
    const lines = problems
      .slice(0, MAX_PROBLEMS)
      .map(({ path, message: problem }) => `- ${path || 'arguments'}: ${problem}`);
    const more = problems.length > MAX_PROBLEMS ? [`- and ${problems.length - MAX_PROBLEMS} more`] : [];
    const head = lines.length === 0 ? `: ${message}` : ':';
    return errorResult(
      `Invalid arguments for ${shownName(tool.name)}${head}`,
      ...lines,
      ...more,
      `Expected: ${this.#text.signature(tool)}`,
    );
  }

  /** An exception of the toolbox. What the server itself said is passed on word for word. */
  of(error: unknown, server: ToolboxServer, tool: ToolboxTool): CallToolResult {
    if (!(error instanceof ToolboxError)) return errorResult(error instanceof Error ? error.message : String(error));
    switch (error.code) {
      case 'server-not-found':
        return this.unknownServer(server.name);
      case 'tool-not-found':
        // While the list still has it, only the words of the toolbox tell why it is gone.
        return this.#registry.getTool(server.name, tool.name)
          ? errorResult(error.message)
          : this.unknownTool(server, tool.name);
      case 'invalid-arguments':
        return this.invalidArguments(tool, error.problems, error.message);
      case 'unavailable':
        return this.unavailable(this.#registry.getServerInfo(server.name) ?? server, error.message);
      default:
        return errorResult(error.message);
    }
  }
}

/** The wanted one may be missing because another is in trouble: an office that is away takes its Computers along. */
function nameWithTrouble(server: ToolboxServer): string {
  const trouble = troubleOf(server);
  return trouble === '' ? server.name : `${shownName(server.name)} (${trouble})`;
}

function didYouMean(wanted: string, names: readonly string[]): string {
  const shown = shownName(wanted); // nobody means a page of text, and comparing one takes long
  const near = nearest(shown, names);
  const having = names.filter((name) => holdsOther(name, shown) || holdsOther(shown, name));
  const meant = [...new Set([...(near === undefined ? [] : [near]), ...having])].slice(0, MAX_SUGGESTIONS);
  return meant.length === 0 ? '' : ` Did you mean ${meant.map(quoted).join(' or ')}?`;
}

function holdsOther(name: string, other: string): boolean {
  return other.length >= LEAST_PART && name.toLowerCase().includes(other.toLowerCase());
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return `${names.slice(0, MAX_NAMES).map(shownName).join(', ')}${more}`;
}

const quoted = (name: string): string => `"${shownName(name)}"`;
