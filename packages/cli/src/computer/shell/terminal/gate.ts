import { createInterface } from 'node:readline/promises';
import { describeStart, type GateAnswer, type PendingServer } from '@a2c/config';
import { oneLine } from '@a2c/protocol';
import type { View } from '../view.js';

const ANSWERS: ReadonlyMap<string, GateAnswer> = new Map([
  ...(['y', 'yes', '是'] as const).map((word) => [word, 'yes'] as const),
  ...(['a', 'all', '全部'] as const).map((word) => [word, 'all'] as const),
  ...(['n', 'no', '否'] as const).map((word) => [word, 'no'] as const),
]);

/** Asks about the MCP servers of a project, before the shell starts. Ctrl-C and Ctrl-D are no answer. */
export function gateOnTerminal(view: View): (pending: PendingServer) => Promise<GateAnswer | undefined> {
  return async ({ server, bundleId, file, replaces, commands }) => {
    const { say, paint } = view;
    const name = server.name === bundleId ? bundleId : `${server.name} (${bundleId})`;
    const [start = '', ...details] = describeStart(server);
    const lines = [
      paint('yellow', say('gateTitle', { name: oneLine(name) })),
      `  ${say('gateFile')}: ${oneLine(file)}`,
      ...(replaces === undefined ? [] : [`  ${say('gateReplaces')}: ${oneLine(replaces)}`]),
      `  ${say('gateStarts')}: ${start}`,
      ...details.map((detail) => `    ${detail}`),
      ...commands.map((command) => `  ${say('gateCommand')}: ${command}`),
    ];
    process.stdout.write(`\n${lines.join('\n')}\n`);
    const reader = createInterface({ input: process.stdin, output: process.stdout });
    const closed = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)));
    try {
      for (;;) {
        const typed = await Promise.race([reader.question(paint('bold', say('gateQuestion'))), closed]);
        if (typed === undefined) return undefined;
        const answer = ANSWERS.get(typed.trim().toLowerCase());
        if (answer) return answer;
      }
    } finally {
      reader.close();
    }
  };
}
