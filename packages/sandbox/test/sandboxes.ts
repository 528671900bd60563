import { type RunOptions, type RunOutcome, Sandbox, SandboxError, type SandboxLimits } from '@a2c/sandbox';
import { afterAll, onTestFinished } from 'vitest';

/** Only code that hangs reaches these: on a busy machine everything takes many times longer. */
const PATIENT = { cpuMs: 60_000, wallMs: 110_000 };

/** A sandbox that is closed with its test. */
export function newSandbox(limits: Partial<SandboxLimits> = {}): Sandbox {
  const sandbox = new Sandbox({ limits: { ...PATIENT, ...limits } });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** A sandbox for all tests of a file, because a thread takes as long to start as ten runs. Each run is isolated. */
export function fileSandbox(): Sandbox {
  const sandbox = new Sandbox({ limits: PATIENT });
  afterAll(() => sandbox.close());
  return sandbox;
}

/** Runs code that has to fail, and returns its error. */
export async function failureOf(sandbox: Sandbox, code: string, options?: RunOptions): Promise<SandboxError> {
  let outcome: RunOutcome;
  try {
    outcome = await sandbox.run(code, options);
  } catch (error) {
    if (error instanceof SandboxError) return error;
    throw error;
  }
  throw new Error(`expected an error, got ${JSON.stringify(outcome)} for ${code.slice(0, 200)}`);
}
