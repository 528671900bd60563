import type { Writable } from 'node:stream';
import type { StdioTransport as StdioConfig } from '@a2c/config';
import { LineTransport } from './line-transport.js';
import { StdoutLog } from './log/stdout-log.js';
import { type Launch, launch, planLaunch, ServerProcess } from './process/server-process.js';
import { StderrRing } from './process/stderr-ring.js';
import type { TransportDiagnostics, TransportLimits } from './server-transport.js';
import { type TextCodec, textCodec } from './wire/text-codec.js';

/** A server that is a child of ours and speaks through its stdin and stdout. */
export class StdioTransport extends LineTransport {
  readonly #launch: Launch;
  readonly #log: StdoutLog | undefined;
  readonly #codec: TextCodec;
  readonly #stderr: StderrRing;
  #process: ServerProcess | undefined;
  #pid: number | null = null;
  #gone: Promise<void> | undefined;

  /** Checks everything that can be checked without starting the program, and opens its log. */
  static async prepare(config: StdioConfig, root: string, limits: TransportLimits): Promise<StdioTransport> {
    const codec = textCodec(config.encoding, config.encoding_error_handler);
    const launch = await planLaunch(config, root);
    const log = config.stdout_log ? await StdoutLog.open(config.stdout_log, root) : undefined;
    return new StdioTransport(launch, codec, log, limits);
  }

  private constructor(launch: Launch, codec: TextCodec, log: StdoutLog | undefined, limits: TransportLimits) {
    super(codec, limits);
    this.#launch = launch;
    this.#codec = codec;
    this.#log = log;
    this.#stderr = new StderrRing(limits.stderrBytes);
  }

  protected override async open(): Promise<Writable> {
    const child = await launch(this.#launch).catch(async (error: unknown) => {
      await this.#log?.close();
      throw error;
    });
    this.#pid = child.pid ?? null;
    this.#process = new ServerProcess(child, this.limits.stopGraceMs);
    child.stdout.on('data', (chunk: Buffer) => this.wire.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    // A child that has closed its stdin fails the write that finds out; the pipe as such is not ours to mourn.
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => {});
    this.#gone = this.#process.gone.then(async (how) => {
      this.wire.end();
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

  protected override onLine(bytes: Buffer): void {
    this.#log?.write(bytes, this.#codec.newline);
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
