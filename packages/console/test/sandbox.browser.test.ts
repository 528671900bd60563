import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { launch, open, show } from './browser.js';
import { Host, stage } from './host.js';

verifies(
  'SEC-SANDBOX-01',
  'the panel of a server shows whether it is sandboxed',
  async () => {
    const free = stage('free');
    const server_parameters = { ...(free as { server_parameters: object }).server_parameters, sandbox: true };
    const caged = { ...free, name: 'caged', disabled: true, server_parameters };
    const host = await Host.start(['up', '--port', '0', '--name', 'pc', '--config', 'servers.json'], {
      'servers.json': [free, caged],
    });
    onTestFinished(() => host.close());
    const browser = await launch();
    onTestFinished(() => browser.close());
    const page = await open(browser, host.link);
    for (const [name, value] of [
      ['caged', 'on'],
      ['free', 'none'],
    ] as const) {
      await show(page, `computer/${name}`);
      const facts = page.getByRole('region', { name }).locator('dl');
      await facts.waitFor();
      expect(await facts.innerText()).toMatch(new RegExp(`Sandbox\\s+${value}\\b`));
    }
  },
  { timeout: 120_000 },
);
