import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executionOf } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { CallLedger } from '../src/calls/call-ledger.js';
import { boot, textOf } from './harness.js';

const AGENT = { agent: 'a', office: 'o' };
/** A repetition of a call that was first sent to another process. */
const REPEATED = { ...AGENT, repeatedAfterMs: 3_600_000, computerEpoch: 'another' };

function ledgerFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'state', 'calls.ledger');
}

verifies(
  ['SEC-ONCE-02', 'SEC-ONCE-03'],
  'a call in the ledger is not run by the next process, others are',
  async () => {
    const file = ledgerFile();
    const first = await boot({ ledgerFile: file });
    expect(textOf(await first.executeTool('ran', 'echo', { message: 'hi' }, AGENT))).toBe('hi');
    await first.executeTool('refused', 'no such tool', {}, AGENT);
    await first.executeTool('local', 'echo', { message: 'hi' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').split('\n').filter(Boolean)).toHaveLength(1);
    await first.close();
    appendFileSync(file, '0123'); // A crash cut the line of a call, which has not run.

    const second = await boot({ ledgerFile: file });
    const repeat = (reqId: string) => second.executeTool(reqId, 'echo', { message: 'again' }, REPEATED);
    const known = await repeat('ran');
    expect(textOf(known)).toContain('it may have run, and is not run again');
    expect(executionOf(known)).toBe('unknown');
    expect(textOf(await repeat('refused'))).toBe('again');
    expect(textOf(await repeat('never arrived'))).toBe('again');
    expect(executionOf(await repeat('never arrived'))).toBe('ran');
  },
);

verifies('SEC-ONCE-01', 'without a ledger, the epoch decides about a repeated call, and not the time', async () => {
  const computer = await boot();
  const repeat = (reqId: string, computerEpoch: string) =>
    computer.executeTool(reqId, 'echo', { message: 'hi' }, { ...AGENT, repeatedAfterMs: 3_600_000, computerEpoch });
  expect(textOf(await repeat('lost on the way', computer.epoch))).toBe('hi');
  expect(executionOf(await repeat('of another process', 'another'))).toBe('unknown');
  expect(computer.history()).toHaveLength(1);
});

verifies('SEC-ONCE-02', 'an id that cannot be written to the disk is an error', async () => {
  const ledger = new CallLedger(ledgerFile(), 10);
  await ledger.add('1');
  await ledger.close();
  await expect(ledger.add('2')).rejects.toThrow('closed');
});

verifies('SEC-ONCE-02', 'an id is kept if a full disk has cut the line before it', async () => {
  const file = ledgerFile();
  const ledger = new CallLedger(file, 10);
  await ledger.add('1');
  appendFileSync(file, '0123'); // The part of another id that had room.
  await ledger.add('2');
  await ledger.close();
  const next = new CallLedger(file, 10);
  expect([next.has('1'), next.has('2'), next.has('3')]).toEqual([true, true, false]);
  await next.close();
});
