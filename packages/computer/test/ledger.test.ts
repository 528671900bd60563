import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { executionOf } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { CallLedger } from '../src/calls/call-ledger.js';
import { boot, textOf } from './harness.js';

const AGENT = { agent: 'a', office: 'o' };
/** A repetition of a call that was first sent to another process. */
const repeatedFrom = (computerEpoch: string, repeatedAfterMs = 3_600_000) => ({
  ...AGENT,
  repeatedAfterMs,
  computerEpoch,
});

/** The ledger as if it had been begun a day ago. */
function backdate(file: string): void {
  const text = readFileSync(file, 'utf8');
  const since = Number(/^@(\d+)$/m.exec(text)?.[1]);
  writeFileSync(file, text.replace(String(since), String(since - 86_400_000)));
}

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
    expect(readFileSync(file, 'utf8').match(/^[0-9a-f]+-[0-9a-f]+$/gm)).toHaveLength(1);
    await first.close();
    backdate(file);
    appendFileSync(file, '0123'); // A crash cut the line of a call, which has not run.

    const second = await boot({ ledgerFile: file });
    const repeat = (reqId: string) =>
      second.executeTool(reqId, 'echo', { message: 'again' }, repeatedFrom(first.epoch));
    const known = await repeat('ran');
    expect(textOf(known)).toContain('it may have run, and is not run again');
    expect(executionOf(known)).toBe('unknown');
    expect(textOf(await repeat('refused'))).toBe('again');
    expect(textOf(await repeat('never arrived'))).toBe('again');
    expect(executionOf(await repeat('never arrived'))).toBe('ran');
  },
);

verifies('SEC-ONCE-11', 'a ledger decides on no call of a process that did not write in it', async () => {
  const file = ledgerFile();
  const other = await boot();
  expect(textOf(await other.executeTool('ran', 'echo', { message: 'hi' }, AGENT))).toBe('hi');
  const computer = await boot({ ledgerFile: file });
  const repeat = async (reqId: string, epoch?: string) => {
    const { computerEpoch: _, ...withoutEpoch } = repeatedFrom('');
    const options = epoch === undefined ? withoutEpoch : repeatedFrom(epoch);
    return executionOf(await computer.executeTool(reqId, 'echo', { message: 'again' }, options));
  };
  // The ledger is new: first without a line, then with lines of this process only.
  for (const reqId of ['c1', 'c2']) {
    expect(await repeat('ran', other.epoch)).toBe('unknown');
    expect(await repeat('ran')).toBe('unknown'); // An Agent that knows no epochs.
    await computer.executeTool(reqId, 'echo', { message: 'hi' }, AGENT);
  }
  await computer.close();
  // It is older than the call.
  backdate(file);
  const next = await boot({ ledgerFile: file });
  const repeated = await next.executeTool('ran', 'echo', { message: 'again' }, repeatedFrom(other.epoch));
  expect(executionOf(repeated)).toBe('unknown');
  expect(next.history()).toHaveLength(0);
  expect(computer.history()).toHaveLength(2);
});

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

verifies('SEC-ONCE-02', 'a repetition of a call that later ones have displaced is not run', async () => {
  const file = ledgerFile();
  const limits = { rememberedCalls: 5 };
  const first = await boot({ ledgerFile: file, limits });
  const sentAt = performance.now();
  await first.executeTool('pay', 'echo', { message: 'hi' }, AGENT);
  for (let i = 0; i < 20; i += 1) await first.executeTool(`other ${i}`, 'echo', { message: 'hi' }, AGENT);
  await first.close();

  const second = await boot({ ledgerFile: file, limits });
  const repeat = async (reqId: string, repeatedAfterMs: number) =>
    executionOf(
      await second.executeTool(reqId, 'echo', { message: 'again' }, repeatedFrom(first.epoch, repeatedAfterMs)),
    );
  expect(await repeat('pay', Math.ceil(performance.now() - sentAt))).toBe('unknown');
  // It may have been on its way since the ledger was begun.
  expect(await repeat('sent after the start', 0)).toBe('unknown');
});

verifies('SEC-ONCE-04', 'two Computers with one ledger run a call once, also after a restart', async () => {
  const file = ledgerFile();
  const first = await boot({ ledgerFile: file });
  const second = await boot({ ledgerFile: file });
  const call = (computer: typeof first, reqId: string) =>
    computer.executeTool(reqId, 'echo', { message: reqId }, AGENT);
  expect(textOf(await call(first, 'c1'))).toBe('c1');
  expect(textOf(await call(second, 'c2'))).toBe('c2');
  const repeated = await call(second, 'c1');
  expect(textOf(repeated)).toContain('it may have run, and is not run again');
  expect(executionOf(repeated)).toBe('unknown');
  await first.close();
  const third = await boot({ ledgerFile: file });
  expect(executionOf(await call(third, 'c1'))).toBe('unknown');
  expect(executionOf(await call(third, 'c2'))).toBe('unknown');
  expect(textOf(await call(third, 'c3'))).toBe('c3');
});

verifies(
  'SEC-ONCE-04',
  'processes that add the same ids agree who was first, also while old ids are removed',
  async () => {
    const file = ledgerFile();
    const ledgers = [1, 2, 3].map(() => new CallLedger(file, 40));
    for (let from = 0; from < 300; from += 10) {
      const ids = Array.from({ length: 10 }, (_, index) => `call ${from + index}`);
      const answers = await Promise.all(ledgers.map((ledger) => Promise.all(ids.map((id) => ledger.add(id)))));
      const winners = ids.map((_, index) => answers.filter((each) => each[index]).length);
      expect(winners).toEqual(ids.map(() => 1));
    }
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    expect(readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)))).toHaveLength(2);
    const next = new CallLedger(file, 40);
    expect([next.has('call 299'), next.has('call 260'), next.has('call 0')]).toEqual([true, true, false]);
    await next.close();
  },
);

verifies(
  'SEC-ONCE-04',
  'a start changes no file of the ledger, and continues a file of an earlier version',
  async () => {
    const file = ledgerFile();
    const first = new CallLedger(file, 2);
    for (const id of ['1', '2', '3']) await first.add(id);
    await first.close();
    const files = () => readdirSync(dirname(file)).map((name) => readFileSync(join(dirname(file), name), 'utf8'));
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/-.*/g, '')); // Earlier versions wrote no owner.
    const before = files();
    const next = new CallLedger(file, 2);
    expect(files()).toEqual(before);
    expect([next.has('1'), next.has('2'), next.has('3'), next.has('4')]).toEqual([true, true, true, false]);
    expect(await next.add('1')).toBe(false);
    await next.close();
  },
);

verifies('SEC-ONCE-04', 'on a full disk a call is an error, and no id that was recorded is lost', async () => {
  const file = ledgerFile();
  const full = (limit: number) => {
    const module = JSON.stringify(new URL('../dist/calls/call-ledger.js', import.meta.url));
    const program = `
      const { CallLedger } = await import(${module});
      const ledger = new CallLedger(${JSON.stringify(file)}, 100);
      const added = await Promise.all(Array.from({ length: 30 }, (_, id) => ledger.add(String(id)).then(() => id, () => -1)));
      for (let id = 30; id < 60; id++) added.push(await ledger.add(String(id)).then(() => id, () => -1));
      console.log(JSON.stringify(added.filter((id) => id >= 0)));`;
    const node = [process.execPath, '--input-type=module', '--eval', program];
    const { stdout, stderr } = spawnSync('prlimit', [`--fsize=${limit}`, ...node], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as number[];
  };
  const recorded = full(2_000);
  expect(recorded.length).toBeGreaterThan(30);
  expect(recorded.length).toBeLessThan(60);
  const size = statSync(file).size;
  expect(full(2_000)).toEqual([]);
  expect(statSync(file).size).toBe(size);
  const next = new CallLedger(file, 100);
  expect(recorded.filter((id) => !next.has(String(id)))).toEqual([]);
  expect(await next.add('new')).toBe(true);
  await next.close();
});
