import type { ToolboxServer } from '../toolbox.js';
import { callExpression } from './call-expression.js';

const ONLY = 'Code has no network, files, timers or modules: only servers, search, describe, print and sleep.';

/** Names that models write from habit, each with what to write instead. */
const HABITS: readonly (readonly [RegExp, string])[] = [
  [/^(?:setTimeout|setInterval|setImmediate)$/, 'Use await sleep(milliseconds).'],
  [/^(?:exec|query|inspect|callTool|call_tool|mcp|tools?|client)$/, 'Call a tool with servers.<server>.<tool>(args).'],
  [/^(?:fetch|XMLHttpRequest|WebSocket|require|process|Buffer|fs|module|exports|window|document)$/, ONLY],
];

/** What to write instead of a name that code does not have; empty if there is nothing to say. */
export function repairHint(error: string, servers: readonly ToolboxServer[]): string {
  if (/^syntax error.*'(?:import|export)'/.test(error)) return ONLY;
  const [, name] = /^ReferenceError: (.+?) is not defined/.exec(error) ?? [];
  if (name === undefined) return '';
  for (const server of servers) {
    if (server.name === name) return `Write servers.${name}.<tool>(args).`;
    const tool = server.tools.find((each) => each.name === name || each.name.endsWith(`-${name}`));
    if (tool) return `Write ${callExpression(server, tool)}(args).`;
  }
  return HABITS.find(([pattern]) => pattern.test(name))?.[1] ?? '';
}
