import { fileURLToPath } from 'node:url';

export interface WhatIsUp {
  readonly url: string;
  readonly office: string;
  readonly computer: string;
  readonly tools: readonly string[];
}

/** What a newcomer does next, ready to be pasted. */
export function instructions({ url, office, computer, tools }: WhatIsUp) {
  const where = `--url ${url} --office ${office}`;
  const tool = tools.includes('now') ? 'now' : (tools[0] ?? 'TOOL');
  const agent_command = `npx a2c agent call ${computer} ${tool} ${where}`;
  const program = fileURLToPath(new URL('../../bin/a2c.js', import.meta.url));
  const mcp_client = {
    mcpServers: { a2c: { command: process.execPath, args: [program, 'proxy', '--url', url, '--office', office] } },
  };
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  const lines = `a2c is up at ${url}: computer "${computer}" with ${count} in office "${office}"

See its tools, and call one, from another terminal:
  npx a2c agent tools ${where}
  ${agent_command}

Give them to an MCP client (Claude Desktop, Cursor, …) by putting this into its configuration:
${indented(JSON.stringify(mcp_client, null, 2))}

An office seats one Agent at a time. Ctrl-C ends everything.`;
  return { agent_command, mcp_client, lines };
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
