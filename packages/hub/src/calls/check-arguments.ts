import type { JsonObject } from '@a2c/config';
import type { ArgumentProblem } from '@a2c/protocol';
import type { Deadline } from '../deadline.js';
import { HubError } from '../errors.js';
import type { ListedTool } from '../tools/parse-tool.js';
import type { AvailableTool } from '../tools/tool-table.js';
import { type CallerOptions, callerOf } from './call-options.js';
import { problemFinder } from './find-problems.js';
import { quickCheck } from './quick-check.js';
import { mayBeCostly, type SchemaCost, schemaCost } from './schema-cost.js';
import type { ServerThreads } from './server-threads.js';
import { signatureOf } from './signature.js';

interface Checker {
  /** Finds out that nothing is wrong, if the schema is simple. */
  readonly isRight: ((args: JsonObject) => boolean) | undefined;
  readonly cost: SchemaCost;
  /** Created for the first check in the main thread. */
  find?: (args: JsonObject) => readonly ArgumentProblem[];
}

/** Created on the first call of a tool and freed with it. */
const checkers = new WeakMap<ListedTool, Checker>();

/**
 * Checks the arguments against the tool's input schema, at once if that is cheap. A schema comes from the MCP server,
 * which may be hostile: a check whose cost has no small bound runs in a thread of that server and of this caller, which
 * is ended when it takes too long.
 *
 * @throws HubError of kind `invalid-arguments` with one problem for each invalid argument and the signature of the tool
 */
export function checkArguments(
  checked: AvailableTool,
  args: JsonObject,
  { threads, checkMs }: { readonly threads: ServerThreads; readonly checkMs: number },
  options: CallerOptions,
  deadline: Deadline,
): void | Promise<void> {
  const { tool } = checked;
  const checker = checkerOf(tool);
  if (checker.isRight?.(args)) return;
  if (mayBeCostly(checker.cost, args)) {
    const task = { kind: 'check', schema: tool.inputSchema, args } as const;
    return threads
      .run<readonly ArgumentProblem[]>(callerOf(options), task, checkMs, deadline)
      .then((problems) => refuse(checked, problems));
  }
  checker.find ??= problemFinder(tool.inputSchema);
  refuse(checked, checker.find(args));
}

function refuse({ server, name, tool }: AvailableTool, problems: readonly ArgumentProblem[] | 'too-slow'): void {
  if (problems === 'too-slow') {
    const message = `the arguments for "${name}" cannot be checked: the input schema takes too long to evaluate`;
    throw new HubError('invalid-arguments', message, { server, tool: name });
  }
  if (problems.length === 0) return;
  const lines = problems.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const message = `invalid arguments for "${name}": ${lines.join('; ')}. Call it as ${signatureOf(tool)}`;
  throw new HubError('invalid-arguments', message, { server, tool: name, problems });
}

function checkerOf(tool: ListedTool): Checker {
  let checker = checkers.get(tool);
  if (!checker) {
    checker = { isRight: quickCheck(tool.inputSchema), cost: schemaCost(tool.inputSchema) };
    checkers.set(tool, checker);
  }
  return checker;
}
