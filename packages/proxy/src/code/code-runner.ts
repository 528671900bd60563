import type { CallToolResult } from '@a2c/protocol';
import { type RunOutcome, SANDBOX_LIMITS, Sandbox, SandboxError, type UnawaitedCall } from '@a2c/sandbox';
import type { ProxyOptions } from '../options.js';
import { errorResult } from '../results/error-results.js';
import { renderResult } from '../results/render-result.js';
import type { TruncatedTexts } from '../results/truncate.js';
import type { ToolboxCallOptions } from '../toolbox.js';
import { runConsentHandler } from '../tools/consent.js';
import { type CancelledCall, type CodeContext, CodeRun } from './code-run.js';
import { repairHint } from './repair-hint.js';
import { RUN, readRunArguments } from './run-definition.js';
import { RunQueue } from './run-queue.js';

/** With fewer tools, `auto` does not offer `run`: the model calls them with `exec`. */
const AUTO_TOOLS = 10;

const MAX_UNAWAITED = 5;

const SENT = 'sent, and may have run: check before you call it again';

/** Models use `console.log` as often as `print`. */
const PRELUDE = 'globalThis.console = { log: print, info: print, warn: print, error: print, debug: print };';

interface CodeRunnerContext extends CodeContext {
  readonly rests: TruncatedTexts;
  readonly options: ProxyOptions;
}

/** The tool `run`: runs code in a sandbox, where it calls the tools of all servers. */
export class CodeRunner {
  readonly #context: CodeRunnerContext;
  readonly #queue: RunQueue;
  #sandbox: Sandbox | undefined;

  /** @hidden */
  constructor(context: CodeRunnerContext) {
    this.#context = context;
    this.#queue = new RunQueue({ ...SANDBOX_LIMITS, ...context.options.sandboxLimits });
  }

  /** Whether `run` can be called. */
  get isEnabled(): boolean {
    return this.#context.options.code !== 'off';
  }

  /** Whether clients see `run`: always with `on`, with `auto` while there are many tools. */
  get isOffered(): boolean {
    const { options, registry } = this.#context;
    if (options.code !== 'auto') return this.isEnabled;
    return registry.servers.reduce((sum, { tools }) => sum + tools.length, 0) >= AUTO_TOOLS;
  }

  /**
   * Answers one call of `run`. Never rejects: every failure is a result with `isError` and a message for the model.
   *
   * @example
   * ```ts
   * const proxy = new MCPProxy(toolbox, { code: 'on' });
   * const code = 'return (await servers.weather.forecast({ city: "Oslo" })).rain';
   * const result = await proxy.codeRunner.run({ code });
   * ```
   */
  async run(given: Readonly<Record<string, unknown>>, options: ToolboxCallOptions = {}): Promise<CallToolResult> {
    const args = readRunArguments(given);
    if (typeof args === 'string') return errorResult(`Invalid arguments for run: ${args}`);
    const ended = new AbortController();
    const settings = this.#context.options;
    const consent = runConsentHandler({ ...options, signal: ended.signal }, settings, args.code);
    const run = new CodeRun(this.#context, { ...options, signal: options.signal, consent });
    const { functions, namespaces } = run;
    try {
      const { signal } = options;
      const limits = { signal, timeoutMs: this.#timeoutMs(args.timeout) };
      const outcome = await this.#queue.run(options, limits, (timeoutMs) =>
        this.#sandboxed().run(args.code, {
          functions,
          namespaces,
          prelude: PRELUDE,
          timeoutMs,
          ...(signal && { signal }),
        }),
      );
      return this.#render(resultOf(outcome, run.cancelled));
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      const hint = repairHint(error.message, this.#context.registry.servers);
      const note = unawaitedNote(error.unawaited, run.cancelled);
      return this.#render(errorResult(error.message, hint, printed(error), note));
    } finally {
      run.end();
      ended.abort(new Error('the run has ended'));
    }
  }

  /** Ends all runs and the sandbox. */
  async close(): Promise<void> {
    await this.#sandbox?.close();
  }

  /** Created with the first run, because most proxies never run code. */
  #sandboxed(): Sandbox {
    this.#sandbox ??= new Sandbox({ limits: this.#context.options.sandboxLimits });
    return this.#sandbox;
  }

  #timeoutMs(seconds: number | undefined): number {
    const { runTimeoutMs, maxRunTimeoutMs } = this.#context.options.limits;
    return Math.min(seconds === undefined ? runTimeoutMs : seconds * 1_000, maxRunTimeoutMs);
  }

  #render(result: CallToolResult): CallToolResult {
    const { options, rests } = this.#context;
    return renderResult(result, { tool: { name: RUN }, arguments: {} }, options, rests);
  }
}

function resultOf(outcome: RunOutcome, cancelled: readonly CancelledCall[]): CallToolResult {
  const { value, unawaited } = outcome;
  const output = printed(outcome);
  const note = unawaitedNote(unawaited, cancelled);
  const texts = [
    value === undefined ? (output || note ? '' : 'The code returned no value: end it with return.') : valueText(value),
    output,
    note,
  ];
  return { content: texts.filter((text) => text !== '').map((text) => ({ type: 'text', text })) };
}

function valueText(value: unknown): string {
  if (value === '') return '""';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function printed({ output, outputTruncated }: Pick<RunOutcome, 'output' | 'outputTruncated'>): string {
  if (output === '') return '';
  return `Printed:\n${output.trimEnd()}${outputTruncated ? '\n[more was printed and dropped]' : ''}`;
}

/** Calls that the code did not wait for, and failures that it did not read: frequent mistakes that go unnoticed. */
function unawaitedNote(calls: readonly UnawaitedCall[], cancelled: readonly CancelledCall[]): string {
  const list = <T>(title: string, found: readonly T[], line: (call: T) => string) => {
    if (found.length === 0) return [];
    const more = found.length > MAX_UNAWAITED ? [`- and ${found.length - MAX_UNAWAITED} more`] : [];
    return [title, ...found.slice(0, MAX_UNAWAITED).map((call) => `- ${line(call)}`), ...more];
  };
  const name = ({ path }: Pick<UnawaitedCall, 'path'>) => path.join('.');
  const pending = calls.filter(({ state }) => state === 'pending');
  const failed = calls.filter(({ state, path }) => state === 'rejected' && path.length > 0);
  const own = calls.filter(({ path }) => path.length === 0);
  // Few are shown: first those that may have run.
  const known = cancelled.toSorted((a, b) => Number(b.isSent) - Number(a.isSent));
  // A run that was ended from outside, such as at its deadline, reports no calls itself.
  const interrupted = pending.length === 0 ? [...known] : [];
  const outcome = (call: Pick<UnawaitedCall, 'path'>) => {
    const place = known.findIndex((each) => name(each) === name(call));
    const [{ isSent = true } = {}] = place < 0 ? [] : known.splice(place, 1);
    return `${name(call)}: ${isSent ? SENT : 'not sent'}`;
  };
  return [
    ...list('Calls without await:', pending, outcome),
    ...(pending.length > 0 ? ['Await calls, and your own async functions that call them: return await main();'] : []),
    ...list('Calls that had not ended:', interrupted, outcome),
    ...list('Failed calls whose error the code did not use:', failed, (call) => `${name(call)}: ${call.message}`),
    ...list('Async functions without await that failed:', own, ({ message }) => `${message}`),
  ].join('\n');
}
