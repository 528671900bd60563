import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished, vi } from 'vitest';
import { toAnthropicTools, toOpenAITools } from '../src/tools/adapters.js';
import { distinctTools, ToolIndex } from '../src/tools/tool-index.js';
import { serve } from './harness.js';
import { corpusTools } from './model-corpus.js';
import { TestComputer, tool } from './test-computer.js';

vi.setConfig({ testTimeout: 600_000 });

const exec = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const CHECK = `
import type Anthropic from '@anthropic-ai/sdk';
import { type Agent, toAnthropicMessage, toOpenAIMessages } from '@a2c/agent';
import type { ToolSet } from 'ai';
import type OpenAI from 'openai';
export const check = (agent: Agent) => ({
  aiSDK: agent.toAISDKTools() satisfies ToolSet,
  openAI: agent.toOpenAITools() satisfies OpenAI.ChatCompletionTool[],
  openAIMessages: toOpenAIMessages([]) satisfies OpenAI.ChatCompletionMessageParam[],
  anthropic: agent.toAnthropicTools() satisfies Anthropic.Tool[],
  anthropicMessage: toAnthropicMessage([]) satisfies Anthropic.MessageParam,
});
`;

/** Every tool of the corpus in both forms, one statement each: the compiler compares the items of one list. */
async function corpusProgram(): Promise<string> {
  const tools = corpusTools().map(({ name, description = '', inputSchema = {} }) =>
    tool(name, { description, params_schema: inputSchema }),
  );
  const index = new ToolIndex([{ name: 'pc', state: 'ready', tools: await distinctTools('pc', tools) }]);
  const statements = (type: string, forms: readonly object[]) =>
    forms.map((form) => `used.push(${JSON.stringify(form)} satisfies ${type});`);
  return [
    "import type Anthropic from '@anthropic-ai/sdk';",
    "import type OpenAI from 'openai';",
    'const used: unknown[] = [];',
    ...statements('OpenAI.ChatCompletionTool', toOpenAITools(index.tools)),
    ...statements('Anthropic.Tool', toAnthropicTools(index.tools)),
  ].join('\n');
}

/** The program of the documentation, with the address, office and tool of this test. */
async function langChainProgram(url: string): Promise<string> {
  const page = await readFile(join(ROOT, 'docs/agent.md'), 'utf8');
  const program = /```ts\n(import[^`]*langchain[^`]*)```/.exec(page)?.[1] ?? '';
  return program.replace('http://127.0.0.1:7000', url).replace("'demo'", "'o'").replace('pc__add_note', 'pc__echo');
}

verifies('AGT-ADAPT-03', 'the types fit the current libraries, and the LangChain program runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'a2c-models-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const run = (program: string, ...args: string[]) => exec(program, args, { cwd: folder, encoding: 'utf8' });
  const { url } = await serve();
  await TestComputer.join(url, { tools: [tool('echo')] });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await run('npm', 'install', '--no-audit', '--no-fund', 'ai', 'openai', '@anthropic-ai/sdk', '@langchain/core');
  await mkdir(join(folder, 'node_modules/@a2c'));
  for (const name of ['agent', 'link', 'protocol'])
    await symlink(join(ROOT, 'packages', name), join(folder, 'node_modules/@a2c', name));
  await writeFile(join(folder, 'check.ts'), CHECK);
  await writeFile(join(folder, 'corpus.ts'), await corpusProgram());
  await writeFile(join(folder, 'langchain.ts'), await langChainProgram(url));
  await run(
    join(ROOT, 'node_modules/.bin/tsc'),
    ...['--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022', '--lib', 'esnext,dom'],
    ...['check.ts', 'corpus.ts', 'langchain.ts'],
  );
  const { stdout } = await run(process.execPath, 'langchain.js');
  expect(stdout).toContain("text: 'hello'");
});
