import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type Defect, defectOf } from './defects.js';
import { type Office, OPERATIONS, type Operation, within } from './operations.js';
import type { ComputerSetup, Feature, Maker } from './roles.js';
import { SERVER_SINCE } from './sdk-roles.js';

const TOOLS = [process.execPath, fileURLToPath(new URL('tools-server.mjs', import.meta.url))];

/** An Agent, a server and a Computer. */
export interface Triple {
  readonly agent: Maker;
  readonly server: { readonly version: string; readonly url: string };
  readonly computer: Maker;
}

/** The versions of one combination. */
export interface Members {
  readonly agent: string;
  readonly server: string;
  readonly computer: string;
}

/** What happened in one combination. */
export interface Cell extends Members {
  /** True for each operation that worked, or what happened instead. */
  readonly outcomes: ReadonlyMap<string, string | true>;
}

function setupOf(name: string, folder: string, { version }: Maker, guardedUrl: string): ComputerSetup {
  const skill = join(folder, 'skills/user/my-skill');
  mkdirSync(skill, { recursive: true });
  mkdirSync(join(folder, 'landing'));
  writeFileSync(join(skill, 'SKILL.md'), '---\nname: my-skill\ndescription: a skill\n---\nhello\n');
  writeFileSync(join(skill, 'data.bin'), Buffer.alloc(40_000, 1));
  writeFileSync(join(skill, '.skillenv'), 'SECRET=1\n');
  // Computers before 0.3 do not start two MCP servers with equal tool names.
  const stdio = version >= '0.3' ? ['my tools', 'more tools'] : ['my tools'];
  return { name, folder, stdio, tools: TOOLS, http: { guarded: guardedUrl } };
}

/** Only something that hangs takes this long. */
const OPERATION_SECONDS = 120;
/** What is known to hang is not waited for as long. */
const DEFECT_SECONDS = 4;

/** The processes of peers that do not stop end with the test file. */
const STOP_SECONDS = 5;

/** Runs all operations in an office of its own. */
export async function runCell(
  { agent, server, computer }: Triple,
  guardedUrl: string,
  defects: readonly Defect[],
): Promise<Cell> {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-sdk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const name = `${agent.version} ${computer.version}`;
  const outcomes = new Map<string, string | true>();
  const cell = { agent: agent.version, server: server.version, computer: computer.version, outcomes };
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const pc = await within(computer.computer(setupOf(name, folder, computer, guardedUrl)), OPERATION_SECONDS);
    stops.push(() => pc.stop());
    const bare = await within(
      computer.computer({ name: `bare ${name}`, folder: null, stdio: [], tools: TOOLS, http: {} }),
      OPERATION_SECONDS,
    );
    stops.push(() => bare.stop());
    await within(pc.join(server.url, name), OPERATION_SECONDS);
    const role = await within(agent.agent(server.url, name, `agent ${name}`), OPERATION_SECONDS);
    stops.push(() => role.stop());
    const office: Office = {
      ...{
        url: server.url,
        name,
        pc: name,
        agent: role,
        agentMaker: agent,
        computer: pc,
        computerMaker: computer,
        bare,
        folder,
      },
      serverVersion: server.version,
    };
    const exists = (feature: Feature) =>
      role.has(feature) && pc.has(feature) && server.version >= SERVER_SINCE[feature];
    const operations = OPERATIONS.filter(({ needs = [] }) => needs.every(exists));
    const verdicts = await runAll(operations, ({ name: operation, run }) => {
      const seconds = defectOf(defects, cell, operation) ? DEFECT_SECONDS : OPERATION_SECONDS;
      return within(run(office), seconds).catch((error: Error) => `${error.name}: ${error.message}`);
    });
    for (const { name: operation } of operations) {
      const verdict = verdicts.get(operation);
      outcomes.set(operation, verdict === true ? true : String(verdict));
    }
  } catch (error) {
    outcomes.set('join', String(error));
  } finally {
    // After a failed operation a peer may not be able to stop: the next cell does not wait for it.
    const stopped = (async () => {
      for (const stop of stops.reverse()) await within(stop(), STOP_SECONDS).catch(() => {});
    })();
    onTestFinished(() => stopped);
  }
  return cell;
}

/** Runs one operation after the other, and beside them those that mostly wait. */
async function runAll<T>(operations: readonly Operation[], run: (operation: Operation) => Promise<T>) {
  const verdicts = new Map<string, T>();
  const perform = async (operation: Operation) => void verdicts.set(operation.name, await run(operation));
  const at = (wanted: Operation['when']) => operations.filter(({ when }) => when === wanted);
  const beside = at('beside').map(perform);
  for (const operation of at(undefined)) await perform(operation);
  await Promise.all(beside);
  for (const operation of at('last')) await perform(operation);
  return verdicts;
}

/** Runs tasks, some at a time, and keeps their order. */
export async function inParallel<T>(tasks: readonly (() => Promise<T>)[], width: number): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < tasks.length; i = next++) results[i] = await (tasks[i] as () => Promise<T>)();
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
