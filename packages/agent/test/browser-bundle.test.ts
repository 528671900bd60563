import { createContext, runInContext } from 'node:vm';
import type { Agent, AgentOptions } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { bundle } from './bundle.js';
import { serve } from './harness.js';
import { TestComputer, text } from './test-computer.js';

verifies('AGT-CONNECT-06', 'the bundle works in an environment without Node', async () => {
  const { code, imports, dynamicImports } = await bundle();
  expect(code).not.toMatch(/__vite-browser-external|["']node:/);
  expect([...imports, ...dynamicImports]).toEqual([]);

  const { url } = await serve();
  await TestComputer.join(url);
  // Only the globals of a browser: no process, no Buffer, no require.
  const page = createContext({
    ...{ WebSocket, URL, URLSearchParams, TextEncoder, TextDecoder, AbortController, AbortSignal, crypto },
    ...{ performance, queueMicrotask, setTimeout, clearTimeout, setInterval, clearInterval, console, fetch },
    ...{ ArrayBuffer, Uint8Array },
  });
  runInContext('globalThis.self = globalThis; globalThis.window = globalThis;', page);
  runInContext(`${code}\nglobalThis.Agent = a2c.Agent;`, page);
  const Bundled = (page as unknown as { Agent: { connect(options: AgentOptions): Promise<Agent> } }).Agent;
  const agent = await Bundled.connect({ url, office: 'o', name: 'page', transports: ['websocket'] });
  expect(await agent.callTool('pc', 'echo', { text: 'from a page' })).toEqual(text('from a page'));
  await agent.close();
});

verifies('AGT-BUNDLE-01', 'a page that imports one error class loads only that', async () => {
  const [all, one] = await Promise.all([bundle(), bundle('{ SMCPError }')]);
  expect(one.code).toContain('SMCPError');
  expect(one.code.length).toBeLessThan(all.code.length / 20);
});
