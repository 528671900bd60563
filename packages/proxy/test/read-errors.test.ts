import { HubError } from '@a2c/hub';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { firstAnswer } from '../src/serve/first-answer.js';
import type { Toolbox } from '../src/toolbox.js';

const upstream = (code: number, data?: object) => new HubError('upstream', `error ${code}`, { code, data } as never);

verifies(
  'BRIDGE-PASS-04',
  'of several refusals the one that explains most is kept, with its code and data',
  async () => {
    const cases = [
      [[upstream(-32_002, { uri: 'x:1' }), upstream(-32_602)], 0],
      [[upstream(-32_602), upstream(-32_002, { uri: 'x:1' })], 1],
      [[upstream(-32_601), upstream(-32_602)], 1],
      [[upstream(-32_002, { uri: 'x:1' }), upstream(-32_050)], 1],
    ] as const;
    for (const [errors, kept] of cases) {
      const toolbox = { request: (server: string) => Promise.reject(errors[Number(server)]) } as unknown as Toolbox;
      const request = { method: 'resources/read', params: { uri: 'x:1' } };
      await expect(firstAnswer(toolbox, ['0', '1'], request, 1_000, {})).rejects.toBe(errors[kept]);
    }
  },
);
