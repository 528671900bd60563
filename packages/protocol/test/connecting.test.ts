import { handshakeQuery, isWrongNode, PROTOCOL_VERSION, SmcpError, travelsInTheClear } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';

describe('what every member does to connect', () => {
  verifies('WIRE-VER-01', 'the query states role, version and, where it is known, the office', () => {
    expect(handshakeQuery('agent', 'o')).toEqual({ role: 'agent', a2c_version: PROTOCOL_VERSION, office: 'o' });
    expect(handshakeQuery('computer')).toEqual({ role: 'computer', a2c_version: PROTOCOL_VERSION });
  });

  verifies('SMCP-SEC-03', 'only plain connections to other hosts can be overheard', () => {
    const isClear = (url: string) => travelsInTheClear(new URL(url));
    for (const url of [
      'http://a.example',
      'ws://10.0.0.1:7000',
      'http://localhost.example',
      'http://127.0.0.1.nip.io',
    ]) {
      expect(isClear(url), url).toBe(true);
    }
    for (const url of [
      'https://a.example',
      'wss://a',
      'http://localhost:1',
      'http://x.localhost',
      'ws://127.1.2.3',
      'http://[::1]:1',
    ])
      expect(isClear(url), url).toBe(false);
  });

  verifies('WIRE-ERR-03', 'a wrong node is told by its reason, or by the words of a join’s refusal', () => {
    const refusal = (...args: ConstructorParameters<typeof SmcpError>) => isWrongNode(new SmcpError(...args));
    expect(refusal('Unavailable', 'elsewhere', { details: { reason: 'wrong_node' } })).toBe(true);
    expect(refusal('Unavailable', 'wrong node: connect with ?office=o')).toBe(true);
    expect(refusal('Unavailable', 'this node is shutting down')).toBe(false);
    expect(refusal('Forbidden', 'wrong node')).toBe(false);
  });
});
