// An HTTP client that costs as little as possible, so that the server is what is measured: one socket per call in
// flight, prepared requests, responses that are only searched for their end.
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from './table.js';

const percentile = (times, share) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)];

/** Sends one request after the other on one socket, which is opened again if the server has closed it. */
function sender(url) {
  let socket;
  let received = '';
  let pending;
  const open = () => {
    received = '';
    const opened = connect(Number(url.port), url.hostname).setNoDelay(true).setEncoding('latin1');
    opened.on('data', (text) => {
      received += text;
      const end = received.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, end + 2))?.[1];
      const isWhole = length ? received.length >= end + 4 + Number(length) : received.endsWith('0\r\n\r\n');
      if (!isWhole) return;
      const response = received;
      received = '';
      const { resolve } = pending;
      pending = undefined;
      resolve(response);
    });
    opened.on('error', () => {}); // followed by close
    opened.on('close', () => {
      socket = undefined;
      // It was idle for too long when the request was sent.
      if (pending && received === '') write(pending.request);
      else pending?.reject(new Error(`the server has closed the connection: ${received}`));
    });
    return opened;
  };
  const write = (request) => {
    socket ??= open();
    socket.write(request);
  };
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        pending = { request, resolve, reject };
        write(request);
      }),
    close: () => socket?.destroy(),
  };
}

/** The bytes of a POST request. */
export function post(url, message, headers = {}) {
  const body = JSON.stringify(message);
  const all = {
    host: url.host,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(body),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `POST ${url.pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** A client with up to `width` sockets. */
export function httpClient(url, width) {
  const sockets = Array.from({ length: width }, () => sender(url));
  return {
    send: (request) => sockets[0].send(request),
    /** Sends the requests again and again for `ms`, on `inFlight` sockets at once. `requests`: the bytes by id. */
    slice: async (requests, inFlight, ms) => {
      const times = [];
      const started = performance.now();
      const worker = async ({ send }, index) => {
        const request = requests(index);
        while (performance.now() - started < ms) {
          const sent = performance.now();
          await send(request);
          times.push(performance.now() - sent);
        }
      };
      await Promise.all(sockets.slice(0, inFlight).map(worker));
      const perSecond = (times.length * 1_000) / (performance.now() - started);
      const calls = times.length;
      return {
        calls,
        perSecond,
        p50: median(times),
        p99: percentile(times, 0.99),
      };
    },
    /**
     * Sends `perSecond` requests for `ms`, whether earlier ones are answered or not. Their times start when they are
     * due: the wait for a free socket counts.
     */
    steady: async (requests, perSecond, ms) => {
      const free = sockets.map((socket, index) => ({ ...socket, request: requests(index) }));
      const [due, times, answers] = [[], [], []];
      const sendDue = async () => {
        while (due.length > 0 && free.length > 0) {
          const at = due.shift();
          const socket = free.pop();
          const answered = socket.send(socket.request).then(() => {
            times.push(performance.now() - at);
            free.push(socket);
            return sendDue();
          });
          answers.push(answered);
        }
      };
      const started = performance.now();
      for (let count = 0; count < (perSecond * ms) / 1_000; ) {
        await delay(1);
        for (; count < ((performance.now() - started) * perSecond) / 1_000; count++) {
          due.push(started + (count * 1_000) / perSecond);
        }
        void sendDue();
      }
      while (times.length < answers.length || due.length > 0) await Promise.all(answers);
      return percentile(times, 0.99);
    },
    /** Sends `count` requests, `inFlight` of them at once. */
    repeat: async (requests, inFlight, count) => {
      let left = count;
      const worker = async ({ send }, index) => {
        const request = requests(index);
        while (left-- > 0) await send(request);
      };
      await Promise.all(sockets.slice(0, inFlight).map(worker));
    },
    close: () => {
      for (const { close } of sockets) close();
    },
  };
}
