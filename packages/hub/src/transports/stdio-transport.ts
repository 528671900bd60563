import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { StdioTransport as StdioConfig } from '@a2c/config';
import { type LineEncoding, LineTransport } from './line-transport.js';
import { StdoutLog } from './log/stdout-log.js';
import { type Launch, launch, planLaunch, ServerProcess } from './process/server-process.js';
import { StderrRing } from './process/stderr-ring.js';
import type { TransportDiagnostics, TransportLimits } from './server-transport.js';

/** The server is a child process; messages are lines on its stdin and stdout. */
export class StdioTransport extends LineTransport {
  readonly #launch: Launch;
  #log: StdoutLog | undefined;
  readonly #stderr: StderrRing;
  #process: ServerProcess | undefined;
  #pid: number | null = null;
  #gone: Promise<void> | undefined;
  #onOutput: () => void = () => {};

  /** Checks all that can be checked without starting the program, and opens its log. */
  static async prepare(
    config: StdioConfig,
    root: string,
    limits: TransportLimits,
    onOutput: () => void = () => {},
  ): Promise<StdioTransport> {
    const launch = await planLaunch(config, root);
    const encoding = { encoding: config.encoding, errors: config.encoding_error_handler };
    const transport = new StdioTransport(launch, encoding, limits);
    transport.#onOutput = onOutput;
    if (config.stdout_log) transport.#log = await StdoutLog.open(config.stdout_log, root);
    return transport;
  }

  private constructor(launch: Launch, encoding: LineEncoding, limits: TransportLimits) {
    super(limits, encoding);
    this.#launch = launch;
    this.#stderr = new StderrRing(limits.stderrBytes);
  }

  protected override async open(): Promise<Writable> {
    const child = await launch(this.#launch).catch(async (error: unknown) => {
      await this.#log?.close();
      throw error;
    });
    this.#pid = child.pid ?? null;
    this.#process = new ServerProcess(child, this.limits.stopGraceMs);
    this.read(child.stdout);
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr.push(chunk);
      this.#onOutput();
    });
    // A write to a closed stdin fails by itself; errors of the pipes add nothing.
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => {});
    this.#gone = this.#process.gone.then(async (how) => {
      await this.receiveEnd(); // The log gets the last line too.
      await this.#log?.close();
      await this.finish(how);
    });
    return child.stdin;
  }

  protected override async shut(): Promise<void> {
    if (!this.#process) await this.#log?.close();
    await this.#process?.stop();
    await this.#gone;
  }

  protected override async endingWithin(ms: number): Promise<void> {
    await Promise.race([this.#gone, delay(ms, undefined, { ref: false })]);
  }

  protected override onLine(bytes: Buffer, newline: Buffer): void {
    this.#log?.write(bytes, newline);
  }

  override get pid(): number | null {
    return this.#pid;
  }

  override get stderr(): string {
    return this.#stderr.text();
  }

  override diagnostics(): TransportDiagnostics {
    return { ...super.diagnostics(), stdoutLogError: this.#log?.error ?? null };
  }
}
