import {
  buildWindowUri,
  isWindowUri,
  organiseDesktop,
  parseWindowUri,
  selectWindow,
  type Window,
  windowMetadata,
  withoutQuery,
} from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';

const window = (server: string, uri: string, ...texts: string[]): Window => ({
  server,
  resource: { uri },
  contents: (texts.length > 0 ? texts : ['body']).map((text) => ({ text })),
});

describe('window URIs', () => {
  verifies('WIRE-WIN-01', 'host, segments and query metadata are parsed', () => {
    expect(parseWindowUri('window://com.example.app')).toEqual({ host: 'com.example.app', segments: [] });
    expect(parseWindowUri('window://h/')).toEqual({ host: 'h', segments: [] });
    expect(parseWindowUri('window://h/a/b%20c/c%2Fd?priority=80&fullscreen=YES&other=1')).toEqual({
      host: 'h',
      segments: ['a', 'b c', 'c/d'],
      priority: 80,
      fullscreen: true,
    });
    for (const word of ['1', 'true', 'Yes', 'ON'])
      expect(parseWindowUri(`window://h?fullscreen=${word}`).fullscreen).toBe(true);
    for (const word of ['0', 'false', 'No', 'OFF'])
      expect(parseWindowUri(`window://h?fullscreen=${word}`).fullscreen).toBe(false);
  });

  verifies('WIRE-WIN-01', 'an invalid one is rejected with the reason', () => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      ['http://h', /start with window:\/\//],
      ['window:/h', /start with/],
      ['window://', /host is missing/],
      ['window:///path', /host is missing/],
      ['window://h?priority=high', /whole number from 0 to 100/],
      ['window://h?priority=101', /whole number/],
      ['window://h?priority=-1', /whole number/],
      ['window://h?priority=1.5', /whole number/],
      ['window://h?fullscreen=maybe', /fullscreen must be/],
      ['window://h/%zz', /percent-encoded/],
    ];
    for (const [uri, reason] of wrong) {
      expect(() => parseWindowUri(uri), uri).toThrow(
        expect.objectContaining({ code: 400, message: expect.stringMatching(reason) }),
      );
      expect(isWindowUri(uri)).toBe(false);
    }
    expect(isWindowUri('window://h')).toBe(true);
  });

  verifies('WIRE-WIN-01', 'are built encoded and valid, or rejected', () => {
    expect(buildWindowUri({ host: 'h', segments: [] })).toBe('window://h');
    expect(buildWindowUri({ host: 'h', segments: ['a b', 'c/d', '你'], fullscreen: true, priority: 5 })).toBe(
      'window://h/a%20b/c%2Fd/%E4%BD%A0?priority=5&fullscreen=true',
    );
    for (const bad of [
      { host: '' },
      { host: 'a/b' },
      { host: 'a?b' },
      { host: 'h', priority: 200 },
      { host: 'h', segments: ['\ud800'] },
      { host: 'h', segments: ['a', ''] },
    ]) {
      expect(() => buildWindowUri({ segments: [], ...bad })).toThrow(expect.objectContaining({ code: 400 }));
    }
    expect(withoutQuery('window://h/a?priority=1')).toBe('window://h/a');
  });
});

describe('window metadata', () => {
  const metadata = (uri: string, rest: object = {}) => windowMetadata({ uri, ...rest });

  verifies('WIRE-WIN-02', 'annotations take precedence over the URI; invalid values are ignored', () => {
    expect(metadata('window://h')).toEqual({ priority: 0, fullscreen: false });
    expect(metadata('window://h?priority=80&fullscreen=1')).toEqual({ priority: 0.8, fullscreen: true });
    const newer = { annotations: { priority: 0.3 }, _meta: { fullscreen: false } };
    expect(metadata('window://h?priority=80&fullscreen=1', newer)).toEqual({ priority: 0.3, fullscreen: false });
    for (const priority of [7, -1, 'high', Number.NaN]) {
      expect(metadata('window://h?priority=80', { annotations: { priority } }).priority).toBe(0);
    }
    expect(
      metadata('window://h?priority=80', { annotations: { audience: ['user'] }, _meta: { fullscreen: 'yes' } }),
    ).toEqual({
      priority: 0.8,
      fullscreen: false,
    });
    expect(metadata('window://h', { annotations: null, _meta: [] })).toEqual({ priority: 0, fullscreen: false });
  });
});

describe('the desktop', () => {
  const A_MAIN = 'window://a/main?priority=60';
  const A_DASH = 'window://a/dashboard?priority=90&fullscreen=true';
  const B_BOARD = 'window://b/board?priority=85';
  const B_MAIN = 'window://b/main?priority=50';
  const TWO_SERVERS = [window('a', A_MAIN), window('a', A_DASH), window('b', B_MAIN), window('b', B_BOARD)];
  const order = (windows: Window[], options: Parameters<typeof organiseDesktop>[1] = {}) =>
    organiseDesktop(windows, options).map((text) => text.split('\n', 1)[0]);

  verifies(
    ['WIRE-DESK-01', 'WIRE-DESK-02'],
    'the most recently used server comes first; a fullscreen window is shown alone',
    () => {
      expect(order(TWO_SERVERS, { history: ['a', 'b'] })).toEqual([B_BOARD, B_MAIN, A_DASH]);
      expect(order(TWO_SERVERS, { history: ['b', 'a'] })).toEqual([A_DASH, B_BOARD, B_MAIN]);
      expect(order(TWO_SERVERS, { history: ['a', 'a', 'b', 'gone'] })).toEqual([B_BOARD, B_MAIN, A_DASH]);
    },
  );

  verifies(
    'WIRE-DESK-01',
    'without history servers are ordered by name (code units); equal priorities keep their order',
    () => {
      const windows = [
        window('é', 'window://é'),
        window('b', 'window://b/1'),
        window('b', 'window://b/2'),
        window('B', 'window://B'),
      ];
      expect(order(windows)).toEqual(['window://B', 'window://b/1', 'window://b/2', 'window://é']);
    },
  );

  verifies(
    'WIRE-DESK-02',
    'of several fullscreen windows the highest priority is shown, or in the newer generation the first',
    () => {
      const low = 'window://a/low?priority=10&fullscreen=1';
      const high = 'window://a/high?priority=20&fullscreen=1';
      const windows = [window('a', low), window('a', high), window('a', 'window://a/x?priority=99')];
      expect(order(windows)).toEqual([high]);
      expect(order(windows, { generation: '0.3' })).toEqual(['window://a/low']);
    },
  );

  verifies('WIRE-DESK-03', 'the size limits the windows; zero or less means none', () => {
    expect(order(TWO_SERVERS, { history: ['b'], size: 2 })).toEqual([B_BOARD, B_MAIN]);
    expect(order(TWO_SERVERS, { history: ['b'], size: 1 })).toEqual([B_BOARD]);
    for (const size of [0, -3]) expect(order(TWO_SERVERS, { size })).toEqual([]);
    expect(order(TWO_SERVERS, { size: 99 })).toHaveLength(3);
  });

  verifies('WIRE-DESK-04', 'windows are shown as URI and text; empty ones are left out', () => {
    const blob: Window = { server: 'c', resource: { uri: 'window://c/blob' }, contents: [{ blob: 'AA==' }] };
    const windows = [
      window('a', 'window://a/1', ' one ', '', 'two\n'),
      window('a', 'window://a/2', ''),
      window('a', 'http://a/3'),
      window('a', 'window://a/4?priority=x'),
      { ...window('b', 'window://b'), contents: [] },
      blob,
    ];
    expect(organiseDesktop(windows)).toEqual(['window://a/1\n\none \n\ntwo', 'window://a/2', 'window://c/blob']);
    expect(organiseDesktop(windows, { generation: '0.3' })).toEqual([
      'window://a/1\n\none \n\ntwo',
      'window://a/2',
      'window://a/4\n\nbody',
    ]);
    expect(organiseDesktop([window('a', 'window://a?priority=3', 'x')], { generation: '0.3' })).toEqual([
      'window://a\n\nx',
    ]);
  });

  verifies('WIRE-DESK-05', 'the filter matches the exact URI, then an equivalent one, otherwise nothing', () => {
    const windows = [window('a', 'window://a/x y'), window('a', 'window://a/x%20y'), window('b', 'window://b')];
    expect(organiseDesktop(windows, { window: 'window://a/x y' })).toEqual(['window://a/x y\n\nbody']);
    expect(selectWindow([window('b', 'window://b/é')], 'window://b/%C3%A9')).toHaveLength(1);
    expect(organiseDesktop(windows, { window: 'window://nowhere' })).toEqual([]);
    expect(organiseDesktop(windows, { window: 'not a uri' })).toEqual([]);
  });
});
