import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that take longest, mostly because their tests wait for processes one after the other. In a new clone
 * vitest knows no times and starts with the largest files: these are short, so they would run at the end, when nothing
 * is left for the other cores.
 */
const LONGEST = [
  'packages/cli/test/sdk-matrix.interop.test.ts',
  'packages/proxy/test/conformance-client.interop.test.ts',
  'packages/cli/test/sdk-credentials.interop.test.ts',
  'packages/proxy/test/real-clients.interop.test.ts',
  'packages/hub/test/python.interop.test.ts',
  'packages/hub/test/transports/behaviour.test.ts',
  'tests/shell-blocks.test.ts',
  'packages/proxy/test/conformance.test.ts',
  'packages/cli/test/computer-office.test.ts',
  'tests/docs.test.ts',
  'packages/sandbox/test/hostile.test.ts',
  'packages/cli/test/proxy.test.ts',
  'packages/protocol/test/robustness.test.ts',
  'packages/hub/test/real-servers.test.ts',
  'packages/vrl/test/memory.test.ts',
  'packages/proxy/test/schema-fidelity.test.ts',
  'packages/server/test/cost.test.ts',
  'packages/server/test/rooms.test.ts',
  'packages/cli/test/up.test.ts',
  'packages/hub/test/transports/processes.test.ts',
  'packages/cli/test/login.test.ts',
  'packages/agent/test/blobs.test.ts',
  'packages/cli/test/server.test.ts',
  'packages/hub/test/slow-starts.test.ts',
  'packages/proxy/test/tasks.test.ts',
  'packages/server/test/fuzz.test.ts',
  'packages/cli/test/agent.test.ts',
  'packages/proxy/test/office-toolbox.test.ts',
  'packages/proxy/test/pass-through.test.ts',
  'packages/proxy/test/code-mode.test.ts',
  'packages/hub/test/transports/http.test.ts',
  'packages/hub/test/life.test.ts',
  'packages/hub/test/floods.test.ts',
  'packages/hub/test/transports/stdio.test.ts',
  'packages/hub/test/login-race.test.ts',
  'packages/hub/test/listeners.test.ts',
  'packages/hub/test/http-timeouts.test.ts',
  'packages/proxy/test/hub-toolbox.test.ts',
];

/** Starts the longest files first, and the others in the order that vitest chooses. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const gone = LONGEST.filter((file) => !existsSync(join(root, file)));
    if (gone.length > 0) throw new Error(`tests/longest-first.ts names files that do not exist: ${gone.join(', ')}`);
    const place = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.indexOf(relative(root, moduleId).split(sep).join('/'));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
