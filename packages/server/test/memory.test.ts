import { request } from 'node:http';
import type { Socket } from 'node:net';
import { verifies } from '@a2c/requirements';
import type { Authenticator } from '@a2c/server';
import { describe, expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { serve, until } from './harness.js';

const MIB = 2 ** 20;

/** The key is the name of the identity. */
const authenticate: Authenticator = ({ auth }) => ({ subject: String(auth.api_key) });

interface RawMember {
  readonly received: string[];
  readonly isOpen: () => boolean;
  /** Writes to the TCP socket below the WebSocket. */
  write(bytes: Buffer): void;
  send(data: string | Buffer): void;
}

async function rawMember(url: string, key: string): Promise<RawMember> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  onTestFinished(() => socket.terminate());
  socket.on('error', () => {});
  const received: string[] = [];
  socket.on('message', (data) => received.push(String(data)));
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(`40/smcp,{"api_key":"${key}"}`);
  await until(() => received.some((text) => text.startsWith('40')));
  const { _socket: tcp } = socket as unknown as { _socket: Socket };
  return {
    received,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    write: (bytes) => void tcp.write(bytes),
    send: (data) => socket.send(data),
  };
}

/** A frame with a mask of zeros, without its last byte. */
function unfinished(first: number, text: Buffer): Buffer {
  const header = Buffer.alloc(14);
  header[0] = first;
  header[1] = 0xff;
  header.writeUInt32BE(text.length, 6);
  return Buffer.concat([header, text.subarray(0, -1)]);
}

const TEXT = Buffer.from(`42/smcp,1["server:list_room",{"agent":"a","req_id":"r","x":"${'x'.repeat(MIB)}"}]`);

/** Ways to send a message of 1 MiB that never ends. */
const UNFINISHED: Readonly<Record<string, (url: string) => Promise<() => boolean>>> = {
  'a frame': async (url) => {
    const { write, isOpen } = await rawMember(url, 'evil');
    write(unfinished(0x81, TEXT));
    return isOpen;
  },
  fragments: async (url) => {
    const { write, isOpen } = await rawMember(url, 'evil');
    write(unfinished(0x01, TEXT));
    return isOpen;
  },
  attachments: async (url) => {
    const { send, isOpen } = await rawMember(url, 'evil');
    send('452-/smcp,["x",{"_placeholder":true,"num":0}]');
    send(Buffer.alloc(MIB));
    return isOpen;
  },
  'a polling request': async (url) => {
    const polling = await pollingMember(url, 'evil');
    const headers = { 'Content-Length': TEXT.length };
    const sent = request(polling, { method: 'POST', headers }).on('error', () => {});
    onTestFinished(() => void sent.destroy());
    sent.write(TEXT.subarray(0, -1));
    let isOpen = true;
    sent.on('close', () => {
      isOpen = false;
    });
    return () => isOpen;
  },
};

/** Returns the URL of a session. */
async function pollingMember(url: string, key: string): Promise<string> {
  const polling = `${url}/socket.io/?EIO=4&transport=polling`;
  const { sid } = JSON.parse((await (await fetch(polling)).text()).slice(1)) as { sid: string };
  const session = `${polling}&sid=${sid}`;
  await fetch(session, { method: 'POST', body: `40/smcp,{"api_key":"${key}"}` });
  expect(await (await fetch(session)).text()).toMatch(/^40/);
  return session;
}

describe('messages that are not complete', () => {
  for (const [what, send] of Object.entries(UNFINISHED))
    verifies('COST-MEMBER-07', `of one identity end its connections, not those of others: ${what}`, async () => {
      const { url, logs } = await serve({ authenticate, limits: { unfinishedBytes: 4 * MIB } });
      const honest = await rawMember(url, 'honest');
      honest.write(unfinished(0x81, TEXT));
      const attackers: (() => boolean)[] = [];
      for (let i = 0; i < 6; i++) attackers.push(await send(url));
      await until(() => attackers.filter((isOpen) => isOpen()).length <= 3);
      expect(logs).toContainEqual(expect.objectContaining({ message: expect.stringContaining('unfinished messages') }));
      honest.write(TEXT.subarray(-1));
      await until(() => honest.received.some((text) => text.startsWith('43/smcp,1')));
    });
});

describe('the packets of one polling request', () => {
  verifies('COST-MEMBER-08', 'are handled in order, in several turns of the event loop', async () => {
    const { url, audit } = await serve({ authenticate, limits: { eventsPerSecond: 1e6 } });
    const session = await pollingMember(url, 'm');
    const count = 900;
    const packet = (id: number) => `42/smcp,${id}["server:list_room",{"agent":"${'é'.repeat(8_000)}"}]`;
    const body = Array.from({ length: count }, (_, id) => packet(id)).join('\u001e');
    let inOneTurn = 0;
    let before = 0;
    let isDone = false;
    const countTurn = () => {
      inOneTurn = Math.max(inOneTurn, audit.length - before);
      before = audit.length;
      if (!isDone) setImmediate(countTurn);
    };
    countTurn();
    expect(await (await fetch(session, { method: 'POST', body })).text()).toBe('ok');
    const answers: string[] = [];
    while (answers.length < count) answers.push(...(await (await fetch(session)).text()).split('\u001e'));
    isDone = true;
    expect(answers.map((answer) => Number(/^43\/smcp,(\d+)/.exec(answer)?.[1]))).toEqual([...Array(count).keys()]);
    expect(inOneTurn).toBeGreaterThan(0);
    expect(inOneTurn).toBeLessThan(count / 2);
  });
});
