import { randomBytes } from 'node:crypto';
import { type CallToolResult, SMCPError } from '@a2c/agent';
import { META_KEYS, withFailureText } from '@a2c/protocol';
import { parseArguments } from '../arguments.js';
import { EXIT } from '../exit-codes.js';
import { explainWithRemedy, withMessage } from '../explain-error.js';
import { print, printError, printJson } from '../output.js';
import { abortOnSignal, exitOnSignal } from '../process-signals.js';
import { ProgressLine, progressText } from '../progress-line.js';
import { writeFiles } from '../result-files.js';
import { resultText } from '../result-text.js';
import { type AgentCommandOptions, withAgent } from './agent-options.js';
import { withSuggestion } from './suggestions.js';

export interface CallCommandOptions extends AgentCommandOptions {
  /** The folder for the images and files of the result. */
  readonly save?: string;
  /** The former name of `save`. */
  readonly out?: string;
  readonly reqId?: string;
}

/** Time between two progress messages. */
const PROGRESS_MS = 10_000;
const TERMINAL_PROGRESS_MS = 1_000;

/** `a2c agent call COMPUTER TOOL [ARGS]` */
export async function call(
  computer: string,
  tool: string,
  words: readonly string[],
  options: CallCommandOptions,
): Promise<void> {
  const { timeout, reqId = randomBytes(16).toString('hex'), out, save = out, json } = options;
  const result = await withAgent(options, async (agent) => {
    // Only KEY=VALUE arguments need the schema.
    if (words.some((word) => !/^[{@]/.test(word))) await agent.ready({ computer });
    const schema = agent.computers.get(computer)?.tools.find(({ name }) => name === tool)?.params_schema;
    const params = parseArguments(words, schema);
    const signal = abortOnSignal();
    printError(`calling ${tool} on ${computer}, req_id ${reqId}, as ${agent.name}; Ctrl-C cancels`);
    const report = new Report();
    try {
      return await agent.callTool(computer, tool, params, {
        timeout,
        reqId,
        signal,
        onProgress: (progress) => report.show(progressText(progress)),
      });
    } catch (error) {
      if (!signal.aborted) throw explained(await withSuggestion(error, agent, options.url, computer, tool));
      return undefined;
    } finally {
      report.end();
    }
  });
  if (!result) {
    printError('cancelled');
    process.exitCode = EXIT.interrupted;
    return;
  }
  const explanation = result.isError ? explainWithRemedy(result) : undefined;
  const readable = explanation === undefined ? result : withFailureText(result, explanation);
  exitOnSignal(); // The call has ended: writing the files needs no clean end.
  const shown = save === undefined ? readable : await writeFiles(readable, save, tool);
  if (json) printJson(shown);
  else if (explanation === undefined) print(resultText(shown, '--save'));
  if (explanation !== undefined) printError(withCode(explanation, result));
  if (result.isError) process.exitCode = EXIT.failed;
}

/** Replaces the message of a known failure by its explanation. */
function explained(error: unknown): unknown {
  const explanation = error instanceof SMCPError ? explainWithRemedy(error) : undefined;
  return explanation === undefined ? error : withMessage(error as SMCPError, explanation);
}

function withCode(explanation: string, { _meta }: CallToolResult): string {
  const code = _meta?.[META_KEYS.errorCode];
  return code === undefined ? explanation : `${code} ${explanation}`;
}

/** Reports the progress of a call and, while it does not change, the time it takes; at a terminal in one line. */
class Report {
  readonly #line = new ProgressLine();
  readonly #started = Date.now();
  #last = 'still running';
  #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = this.#reportTime();
  }

  show(text: string): void {
    clearInterval(this.#timer);
    this.#last = text;
    this.#line.show(text);
    this.#timer = this.#reportTime();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#line.clear();
  }

  #reportTime(): NodeJS.Timeout {
    const show = () => this.#line.show(`${this.#last} after ${Math.round((Date.now() - this.#started) / 1_000)} s`);
    return setInterval(show, process.stderr.isTTY ? TERMINAL_PROGRESS_MS : PROGRESS_MS);
  }
}
