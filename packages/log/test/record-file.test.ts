import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import fc from 'fast-check';
import { describe, expect, onTestFinished } from 'vitest';
import { RecordFile, type RecordFileOptions } from '../src/index.js';

interface Numbered {
  readonly n: number;
  readonly text?: string;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file whose errors are collected in `errors`. */
function fileAt(
  path: string,
  options: Partial<RecordFileOptions> = {},
): { file: RecordFile<Numbered>; errors: string[] } {
  const errors: string[] = [];
  const onError = (error: Error) => errors.push(error.message);
  return { file: new RecordFile<Numbered>({ path, onError, ...options }), errors };
}

/** The records of `path` and its rotated files, oldest first. */
function recordsOf(path: string): Numbered[] {
  const rotated: string[] = [];
  while (existsSync(`${path}.${rotated.length + 1}`)) rotated.unshift(`${path}.${rotated.length + 1}`);
  const files = existsSync(path) ? [...rotated, path] : rotated;
  return files.flatMap(linesOf);
}

function linesOf(name: string): Numbered[] {
  const lines = readFileSync(name, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Numbered);
}

const numbers = (records: readonly Numbered[]) => records.map(({ n }) => n);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('rotation', () => {
  verifies('LOG-FILE-01', 'keeps all records in order over many files, also of an earlier process', async () => {
    const path = join(temporaryFolder(), 'records.jsonl');
    for (const [from, to] of [
      [0, 120],
      [120, 200],
    ] as const) {
      const { file, errors } = fileAt(path, { maxBytes: 500, maxFiles: 100 });
      for (let n = from; n < to; n++) file.append({ n, text: '安' });
      await file.close();
      expect(errors).toEqual([]);
    }
    expect(numbers(recordsOf(path))).toEqual(upTo(200));
    expect(statSync(`${path}.1`).size).toBeLessThanOrEqual(500);
    expect(statSync(`${path}.1`).size).toBeGreaterThan(400);
  });

  verifies('LOG-FILE-01', 'deletes the oldest file', async () => {
    const folder = temporaryFolder();
    const { file } = fileAt(join(folder, 'few.jsonl'), { maxBytes: 100, maxFiles: 3 });
    for (const n of upTo(200)) file.append({ n });
    await file.close();
    expect(readdirSync(folder).toSorted()).toEqual(['few.jsonl', 'few.jsonl.1', 'few.jsonl.2']);
    expect(numbers(recordsOf(join(folder, 'few.jsonl'))).at(-1)).toBe(199);
  });

  verifies('LOG-FILE-01', 'starts the same file again when only one is kept', async () => {
    const folder = temporaryFolder();
    const { file } = fileAt(join(folder, 'one.jsonl'), { maxBytes: 100, maxFiles: 1 });
    for (const n of upTo(50)) file.append({ n });
    await file.close();
    expect(readdirSync(folder)).toEqual(['one.jsonl']);
    expect(statSync(join(folder, 'one.jsonl')).size).toBeLessThanOrEqual(100);
    expect(numbers(recordsOf(join(folder, 'one.jsonl'))).at(-1)).toBe(49);
  });

  verifies('LOG-FILE-01', 'writes a record that is larger than a file into a file of its own', async () => {
    const path = join(temporaryFolder(), 'large.jsonl');
    const { file, errors } = fileAt(path, { maxBytes: 100 });
    for (const n of upTo(3)) file.append({ n, text: 'x'.repeat(n === 1 ? 1_000 : 1) });
    await file.close();
    expect(errors).toEqual([]);
    expect([`${path}.2`, `${path}.1`, path].map((name) => numbers(linesOf(name)))).toEqual([[0], [1], [2]]);
  });

  verifies('LOG-FILE-01', 'any records are read back as they were appended', async () => {
    const folder = temporaryFolder();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 20 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 300 }),
        async (bursts, maxBytes) => {
          const path = join(folder, `${run++}.jsonl`);
          const { file } = fileAt(path, { maxBytes, maxFiles: 100 });
          for (const burst of bursts) {
            for (const text of burst) file.append({ n: 0, text });
            await file.flush();
          }
          expect(recordsOf(path).map(({ text }) => text)).toEqual(bursts.flat());
        },
      ),
      { numRuns: 30 },
    );
  });

  verifies('LOG-FILE-01', 'continues in a new file when another program moves the current one', async () => {
    const path = join(temporaryFolder(), 'moved.jsonl');
    const { file } = fileAt(path);
    file.append({ n: 1 });
    await file.flush();
    renameSync(path, `${path}.old`);
    file.append({ n: 2 });
    await file.close();
    expect(numbers(recordsOf(path))).toEqual([2]);
  });

  verifies('LOG-FILE-01', 'a line that an earlier process left incomplete does not spoil the next record', async () => {
    const path = join(temporaryFolder(), 'torn.jsonl');
    writeFileSync(path, '{"n":1}\n{"n":2,"te');
    const { file } = fileAt(path);
    file.append({ n: 3 });
    file.append({ n: 4 });
    await file.close();
    expect(readFileSync(path, 'utf8')).toBe('{"n":1}\n{"n":2,"te\n{"n":3}\n{"n":4}\n');
  });
});

verifies('LOG-FILE-02', 'only the owner can read the files and the folders made for them', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'deep', 'deeper', 'records.jsonl');
  const { file } = fileAt(path, { maxBytes: 100, maxFiles: 3 });
  for (const n of upTo(50)) file.append({ n });
  await file.close();
  const mode = (name: string) => statSync(name).mode & 0o777;
  expect([path, `${path}.1`, `${path}.2`].map(mode)).toEqual([0o600, 0o600, 0o600]);
  expect([join(folder, 'deep'), join(folder, 'deep', 'deeper')].map(mode)).toEqual([0o700, 0o700]);
});

describe('records that cannot be written', () => {
  verifies('LOG-FILE-03', 'a full disk is reported with the number of lost records', async () => {
    const { file, errors } = fileAt('/dev/full');
    for (const n of upTo(3)) file.append({ n });
    await file.close();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^\/dev\/full: cannot write 3 records: ENOSPC/);
  });

  verifies('LOG-FILE-03', 'an impossible path is reported, and a possible one is written to again', async () => {
    const folder = temporaryFolder();
    const parent = join(folder, 'not-a-folder');
    writeFileSync(parent, '');
    const { file, errors } = fileAt(join(parent, 'records.jsonl'));
    file.append({ n: 1 });
    await file.flush();
    expect(errors).toEqual([expect.stringMatching(/records\.jsonl: cannot write 1 record: ENOTDIR/)]);
    rmSync(parent);
    mkdirSync(parent);
    file.append({ n: 2 });
    await file.close();
    expect(numbers(recordsOf(join(parent, 'records.jsonl')))).toEqual([2]);
    expect(errors).toHaveLength(1);
  });

  verifies('LOG-FILE-03', 'a record that is not JSON is reported and the others are written', async () => {
    const path = join(temporaryFolder(), 'cyclic.jsonl');
    const { file, errors } = fileAt(path);
    const cyclic: { n: number; self?: unknown } = { n: 1 };
    cyclic.self = cyclic;
    file.append({ n: 0 });
    file.append(cyclic);
    file.append({ n: 2 });
    await file.close();
    expect(errors).toEqual([`${path}: record dropped, it is not JSON`]);
    expect(numbers(recordsOf(path))).toEqual([0, 2]);
  });

  verifies('LOG-FILE-03', 'a record after close is reported', async () => {
    const path = join(temporaryFolder(), 'closed.jsonl');
    const { file, errors } = fileAt(path);
    await file.close();
    file.append({ n: 1 });
    expect(errors).toEqual([`${path}: record dropped, the file is closed`]);
    expect(existsSync(path)).toBe(false);
  });

  verifies('LOG-FILE-03', 'a rotation that fails is reported and loses no earlier record', async () => {
    const path = join(temporaryFolder(), 'stuck.jsonl');
    appendFileSync(path, '{"n":0}\n');
    mkdirSync(`${path}.1`);
    appendFileSync(join(`${path}.1`, 'not-empty'), '');
    const { file, errors } = fileAt(path, { maxBytes: 10, maxFiles: 2 });
    file.append({ n: 1 });
    await file.close();
    expect(errors).toEqual([expect.stringContaining('cannot write 1 record: ')]);
    expect(readFileSync(path, 'utf8')).toBe('{"n":0}\n');
  });
});

verifies('LOG-FILE-04', 'a full queue drops further records and reports their number', async () => {
  const path = join(temporaryFolder(), 'queue.jsonl');
  const { file, errors } = fileAt(path, { maxQueuedRecords: 10 });
  for (const n of upTo(25)) file.append({ n });
  expect(errors).toEqual([`${path}: 10 records wait for the disk; dropping records`]);
  await file.flush();
  expect(errors.slice(1)).toEqual([`${path}: 15 records were dropped, the disk was too slow`]);
  expect(numbers(recordsOf(path))).toEqual(upTo(10));
  file.append({ n: 25 });
  await file.close();
  expect(numbers(recordsOf(path)).at(-1)).toBe(25);
  expect(errors).toHaveLength(2);
});
