import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '@a2c/config';
import { parseRequest, visibleText } from '@a2c/protocol';
import { parseArguments } from '../../../arguments.js';
import { explainFailure } from '../../../explain-error.js';
import { resultText } from '../../../result-text.js';
import { firstWord, jsonArgument, words } from '../command-line.js';
import { findTool } from '../find-tool.js';
import { failed, json, type Reply, required, type Session, type ShellCommand } from '../session.js';
import { withSuggestion } from '../suggestion.js';

const USAGE = 'tc <tool> [key=value ...|json|@file] | <json|@file>';

/**
 * Runs a tool call: `tc TOOL ARGS`, or a request as an Agent would send it, in which `agent`, `computer` and `req_id`
 * are optional.
 */
async function toolCall(session: Session, rest: string): Promise<Reply> {
  const { computer, view, signal } = session;
  const value = await requestOf(session, required(session, rest, USAGE));
  const request = parseRequest('client:tool_call', withDefaults(value, computer.name));
  const { req_id, tool_name, params, timeout, agent } = request;
  const result = await computer.executeTool(req_id, tool_name, params, {
    timeout,
    signal,
    ...(agent !== SHELL_AGENT && { agent }),
  });
  const explanation = result.isError ? explainFailure(result, view) : undefined;
  if (session.ask) {
    // At a terminal: text as text, and a failure once.
    if (!result.isError) return { data: result, text: visibleText(resultText(result)) };
    const text = explanation ?? view.translate(resultText(result));
    return {
      ...failed(view, findTool(computer, tool_name) ? text : suggesting(session, text, tool_name)),
      data: result,
    };
  }
  if (!result.isError) return json(result);
  return { ...json(result), failed: true, ...(explanation !== undefined && { warnings: [explanation] }) };
}

function suggesting({ computer, view }: Session, problem: string, typed: string): string {
  const names = computer.tools().map(({ displayName }) => displayName);
  return withSuggestion(problem, typed, names, view);
}

async function requestOf({ computer, view, settings }: Session, rest: string): Promise<JsonValue> {
  const [name, given] = firstWord(rest);
  if (!/^["']?[\p{L}_]/u.test(rest)) {
    const example = JSON.stringify({ tool_name: 'NAME', params: {} });
    return (await jsonArgument(rest, settings.root, view, example)).value;
  }
  const schema = findTool(computer, name)?.tool.inputSchema;
  const params = /^'?[{@]/.test(given)
    ? (await jsonArgument(given, settings.root, view)).value
    : (parseArguments(words(given), schema as JsonObject | undefined) as JsonObject);
  return { tool_name: name, params };
}

/** The `agent` of calls from this shell. */
const SHELL_AGENT = 'a2c-shell';

function withDefaults(value: JsonValue, computer: string): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const defaults: JsonObject = { agent: SHELL_AGENT, req_id: randomUUID().replaceAll('-', ''), computer };
  return { ...defaults, ...value };
}

async function render(session: Session, rest: string): Promise<Reply> {
  const { computer, view, settings } = session;
  const { value } = await jsonArgument(required(session, rest, 'render <json|@file>'), settings.root, view);
  const warnings: string[] = [];
  const rendered = await computer.render(value, (message) => warnings.push(message));
  return { ...json(rendered), warnings };
}

export const callCommands: readonly ShellCommand[] = [
  {
    path: 'tc',
    usage: '<tool> [key=value ...]|<json|@file>',
    help: 'help_tc',
    argument: 'tool',
    handlesSignal: true,
    run: toolCall,
  },
  { path: 'render', usage: '<json|@file>', help: 'help_render', argument: 'file', run: render },
];
