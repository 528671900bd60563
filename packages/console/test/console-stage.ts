import { Agent } from '@a2c/agent';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';
import { launch } from './browser.js';
import { Host, stage } from './host.js';

/** A browser, and `a2c up` with a Computer `pc` that has one MCP server, `stage`. */
export class ConsoleStage {
  browser!: Browser;
  host!: Host;

  /** Starts them before the tests of a file, and ends them after the last one. */
  static forFile(): ConsoleStage {
    const place = new ConsoleStage();
    beforeAll(async () => {
      place.browser = await launch();
      place.host = await Host.start(['up', '--port', '0', '--name', 'pc', '--config', 'servers.json'], {
        'servers.json': [stage('stage')],
      });
      const hasTools = async () => (await place.host.ask('tools')).total > 0;
      await vi.waitUntil(hasTools, { timeout: 60_000, interval: 100 });
    });
    afterAll(async () => {
      await place.browser?.close();
      await place.host?.close();
    });
    return place;
  }

  /** An Agent in the office, until the test has finished. */
  async connect(name: string): Promise<Agent> {
    const agent = await Agent.connect({ url: this.host.url, office: 'demo', name });
    onTestFinished(() => agent.close());
    await agent.ready();
    return agent;
  }
}
