import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { race } from './login-race.js';

verifies(
  ['LOGIN-REFRESH-01', 'LOGIN-REFRESH-02'],
  '50 processes and 20 expiries: one redemption each, no lost login, also when holders are killed',
  async () => {
    const { killed, redemptions } = await race({ processes: 50, expiries: 20, kills: 5 });
    expect(killed).toBe(5);
    expect(redemptions).toBeGreaterThanOrEqual(20);
  },
  { timeout: 1_800_000 },
);
