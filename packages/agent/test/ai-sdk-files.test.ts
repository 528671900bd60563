import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { toAISDKTools } from '../src/tools/adapters.js';
import { tool } from './test-computer.js';

verifies('AGT-ADAPT-02', 'files have the type that the installed AI SDK does not warn of', async () => {
  const output = { content: [{ type: 'image', data: 'iVBORw0K', mimeType: 'image/png' }] };
  const tools = toAISDKTools(
    [{ computer: 'pc', name: 'echo', tool: tool('echo') } as never],
    async () => output as never,
  );
  const { execute, toModelOutput } = tools.echo ?? expect.unreachable();
  await execute({}, { experimental_context: undefined } as object); // `ai` 6
  expect(toModelOutput({ output: output as never })).toEqual({
    type: 'content',
    value: [{ type: 'image-data', data: 'iVBORw0K', mediaType: 'image/png' }],
  });
  await execute({}, { context: undefined } as object); // `ai` 7
  expect(toModelOutput({ output: output as never })).toEqual({
    type: 'content',
    value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0K' } }],
  });
});
