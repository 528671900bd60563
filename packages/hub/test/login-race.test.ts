import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { race } from './login-race.js';

verifies(
  ['LOGIN-REFRESH-01', 'LOGIN-REFRESH-02'],
  'processes that share a login redeem each refresh token once, also when one is killed meanwhile',
  async () => {
    expect(await race({ processes: 4, expiries: 2, kills: 1 })).toMatchObject({ killed: 1 });
  },
);
