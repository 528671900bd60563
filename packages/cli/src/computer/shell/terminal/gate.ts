import { createInterface } from 'node:readline/promises';
import { describeStart, type GateAnswer, type PendingServer } from '@a2c/config';
import { oneLine } from '@a2c/protocol';
import type { AskAtGate } from '../../start-options.js';
import { translateStart } from '../translations.js';
import type { View } from '../view.js';

const ANSWERS: ReadonlyMap<string, GateAnswer> = new Map([
  ...(['y', 'yes', '是'] as const).map((word) => [word, 'yes'] as const),
  ...(['a', 'all', 'all of this project', '全部', '全部（此项目）'] as const).map((word) => [word, 'all'] as const),
  ...(['n', 'no', 'no, ask about each', '否', '否（逐个询问）'] as const).map((word) => [word, 'no'] as const),
]);

/**
 * Asks about the MCP servers of a project before the shell starts: about one, or about the rest after the answer "all".
 * Ctrl-C and Ctrl-D are no answer.
 */
export function gateOnTerminal(view: View): AskAtGate {
  return async (pending, isRest) => {
    const { say, paint } = view;
    for (const each of pending) process.stdout.write(`\n${shown(each, view).join('\n')}\n`);
    const question = isRest ? say('gateQuestionRest', { count: pending.length }) : say('gateQuestion');
    const reader = createInterface({ input: process.stdin, output: process.stdout });
    const closed = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)));
    try {
      for (;;) {
        const typed = await Promise.race([reader.question(paint('bold', question)), closed]);
        if (typed === undefined) {
          process.stdout.write('\n'); // The cursor is behind the question.
          return undefined;
        }
        const answer = ANSWERS.get(typed.trim().toLowerCase());
        if (answer) return answer;
        process.stdout.write(`${say('gateWrong')}\n`);
      }
    } finally {
      reader.close();
    }
  };
}

/** Everything that decides what the server does. */
function shown(pending: PendingServer, { language, say, paint }: View): readonly string[] {
  const { server, bundleId, assignedId, file, replaces, inputs } = pending;
  const name = server.name === bundleId ? bundleId : `${server.name} (${bundleId})`;
  const [start = '', ...details] = describeStart(server, inputs);
  return [
    paint('yellow', say('gateTitle', { name: oneLine(name) })),
    `  ${say('gateFile')}: ${oneLine(file)}`,
    ...(assignedId === bundleId ? [] : [`  ${say('gateOtherId', { id: oneLine(bundleId) })}: ${oneLine(assignedId)}`]),
    ...(replaces === undefined ? [] : [`  ${say('gateReplaces')}: ${oneLine(replaces)}`]),
    `  ${say('gateStarts')}: ${start}`,
    ...details.map((detail) => `    ${translateStart(detail, language)}`),
  ];
}
