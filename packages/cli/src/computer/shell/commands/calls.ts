import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '@a2c/config';
import { parseRequest } from '@a2c/protocol';
import { explainFailure } from '../../../explain-error.js';
import { jsonArgument, words } from '../command-line.js';
import { json, type Reply, required, type Session, type ShellCommand } from '../session.js';

/** Runs a tool call request as an Agent would send it. `agent`, `computer` and `req_id` are optional. */
async function toolCall(session: Session, rest: string): Promise<Reply> {
  const { computer, view, settings, signal } = session;
  const argument = required(session, rest, 'tc <json|@file.json>');
  const { value } = await jsonArgument(argument, settings.root, view.say, exampleRequest(argument));
  const request = parseRequest('client:tool_call', withDefaults(value, computer.name));
  const { req_id, tool_name, params, timeout, agent } = request;
  const result = await computer.executeTool(req_id, tool_name, params, {
    timeout,
    signal,
    ...(agent !== SHELL_AGENT && { agent }),
  });
  if (!result.isError) return json(result);
  const explanation = explainFailure(result, view.say);
  return { ...json(result), failed: true, ...(explanation !== undefined && { warnings: [explanation] }) };
}

/** An example for the error message: the user may have typed only the name of the tool. */
function exampleRequest(typed: string): string {
  const [name = ''] = words(typed);
  return JSON.stringify({ tool_name: /^[\w.-]+$/.test(name) ? name : 'NAME', params: {} });
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
  const { value } = await jsonArgument(required(session, rest, 'render <json|@file>'), settings.root, view.say);
  const warnings: string[] = [];
  const rendered = await computer.render(value, (message) => warnings.push(message));
  return { ...json(rendered), warnings };
}

export const callCommands: readonly ShellCommand[] = [
  { path: 'tc', usage: '<json|@file>', help: 'help_tc', argument: 'file', handlesSignal: true, run: toolCall },
  { path: 'render', usage: '<json|@file>', help: 'help_render', argument: 'file', run: render },
];
