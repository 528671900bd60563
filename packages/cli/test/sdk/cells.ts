import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type Defect, defectOf } from './defects.js';
import { type Office, OPERATIONS, within } from './operations.js';
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
    for (const { name: operation, needs = [], run } of OPERATIONS) {
      const exists = (feature: Feature) =>
        role.has(feature) && pc.has(feature) && server.version >= SERVER_SINCE[feature];
      if (!needs.every(exists)) continue;
      const seconds = defectOf(defects, cell, operation) ? DEFECT_SECONDS : OPERATION_SECONDS;
      const verdict = await within(run(office), seconds).catch((error: Error) => `${error.name}: ${error.message}`);
      outcomes.set(operation, verdict === true ? true : String(verdict));
    }
  } catch (error) {
    outcomes.set('join', String(error));
  } finally {
    // After a failed operation a peer may not be able to stop.
    for (const stop of stops.reverse()) await within(stop(), 10).catch(() => {});
  }
  return cell;
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
