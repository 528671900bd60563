import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import {
  environmentNames,
  type InputDefinition,
  InputError,
  InputResolver,
  type InputResolverOptions,
} from '../src/index.js';
import { temporaryFolder } from './reading.js';

const prompt = (id: string, more: object = {}): InputDefinition => ({
  type: 'promptString',
  id,
  description: '',
  default: null,
  password: false,
  ...more,
});
const pick = (options: string[], fallback: string | null = null): InputDefinition => ({
  type: 'pickString',
  id: 'p',
  description: '',
  options: options.map((value) => ({ label: `${value}!`, value })),
  default: fallback,
});
const command = (text: string, args: Record<string, string> | null = null): InputDefinition => ({
  type: 'command',
  id: 'c',
  description: '',
  command: text,
  args,
});
const resolver = (definitions: InputDefinition[], options: InputResolverOptions = {}) =>
  new InputResolver(definitions, { env: {}, ...options });

describe('the order of sources', () => {
  const provider = async () => 'asked';

  verifies('CONF-INPUT-01', 'cache, environment, provider, default', async () => {
    const all = resolver([prompt('KEY', { default: 'default' })], { env: { A2C_SMCP_KEY: 'env' }, provider });
    all.setCachedValue('KEY', 'cached');
    expect(await all.resolve('KEY')).toBe('cached');
    all.removeCachedValue('KEY');
    expect(await all.resolve('KEY')).toBe('env');
    expect(await resolver([prompt('KEY', { default: 'default' })], { provider }).resolve('KEY')).toBe('asked');
    expect(await resolver([prompt('KEY', { default: 'default' })]).resolve('KEY')).toBe('default');
    await expect(resolver([prompt('KEY')]).resolve('KEY')).rejects.toThrow('set A2C_SMCP_KEY');
    await expect(resolver([]).resolve('KEY')).rejects.toThrow('input "KEY" is not defined');
    // A client that does not know its placeholder passes it on.
    for (const unresolved of ['${env:A2C_SMCP_KEY}', '${A2C_SMCP_KEY}', '$A2C_SMCP_KEY'])
      await expect(resolver([prompt('KEY')], { env: { A2C_SMCP_KEY: unresolved } }).resolve('KEY')).rejects.toThrow(
        'set A2C_SMCP_KEY',
      );
  });

  verifies('CONF-INPUT-01', 'an empty or missing answer selects the default', async () => {
    const answer = (value: string | undefined, fallback: string | null) =>
      resolver([prompt('k', { default: fallback })], { provider: async () => value }).resolve('k');
    expect(await answer('', 'd')).toBe('d');
    expect(await answer(undefined, 'd')).toBe('d');
    expect(await answer('', null)).toBe('');
    await expect(answer(undefined, null)).rejects.toThrow('has no value');
  });

  verifies('CONF-INPUT-07', 'an accepted default is remembered; one without a person is not', async () => {
    const asked: string[] = [];
    const provider = async ({ id }: { id: string }) => {
      asked.push(id);
      return '';
    };
    const inputs = resolver([prompt('k', { default: 'd' })], { provider });
    expect([await inputs.resolve('k'), await inputs.resolve('k')]).toEqual(['d', 'd']);
    expect([asked, inputs.cachedValue('k')]).toEqual([['k'], 'd']);
    const alone = resolver([prompt('k', { default: 'd' })]);
    expect([await alone.resolve('k'), alone.cachedValue('k')]).toEqual(['d', undefined]);
  });

  verifies('CONF-INPUT-07', 'a cancelled question fails instead of taking the default', async () => {
    const provider = () => Promise.reject(new InputError('cancelled'));
    const inputs = resolver([prompt('k', { default: 'd' })], { provider });
    await expect(inputs.resolve('k')).rejects.toThrow('cancelled');
  });

  verifies('CONF-INPUT-01', 'the variable of an id, as written and in capitals', async () => {
    expect(environmentNames('api-key.x')).toEqual(['A2C_SMCP_api_key_x', 'A2C_SMCP_API_KEY_X']);
    expect(environmentNames('KEY')).toEqual(['A2C_SMCP_KEY']);
    const env = { A2C_SMCP_API_KEY: 'capitals' };
    expect(await resolver([prompt('api-key')], { env }).resolve('api-key')).toBe('capitals');
    const both = { ...env, A2C_SMCP_api_key: 'exact' };
    expect(await resolver([prompt('api-key')], { env: both }).resolve('api-key')).toBe('exact');
  });

  verifies('CONF-INPUT-01', 'the value of pickString must be one of its options, from every source', async () => {
    expect(await resolver([pick(['a', 'b'], 'b')]).resolve('p')).toBe('b');
    await expect(resolver([pick(['a'], 'z')]).resolve('p')).rejects.toThrow('has no value');
    await expect(resolver([pick(['a', 'b'])], { env: { A2C_SMCP_p: 'z' } }).resolve('p')).rejects.toThrow(
      'the environment variable A2C_SMCP_p for input "p" is not one of a, b',
    );
    await expect(resolver([pick(['a'])], { provider: async () => 'z' }).resolve('p')).rejects.toThrow('the answer');
  });

  verifies('MEM-INPUT-02', 'a stored selection that is no longer an option is an error, not the default', async () => {
    const inputs = resolver([pick(['a', 'b'], 'a')]);
    inputs.setCachedValue('p', 'b');
    inputs.define([pick(['a', 'b', 'c'], 'a')]);
    expect(await inputs.resolve('p')).toBe('b');
    inputs.define([pick(['a', 'c'], 'a')]);
    await expect(inputs.resolve('p')).rejects.toThrow('the stored value for input "p" is not one of a, c');
    inputs.removeCachedValue('p');
    expect(await inputs.resolve('p')).toBe('a');
  });

  verifies('MEM-INPUT-03', 'the published vectors of variable names', () => {
    /** `env_segment_conformance_vectors.json`, those with an id alone. */
    const vectors = {
      api_key: 'api_key',
      'frontend@team/figma_token': 'frontend_team_figma_token',
      API_KEY: 'API_KEY',
      Figma_Token: 'Figma_Token',
      'a--b': 'a__b',
      _lead_trail_: '_lead_trail_',
      'a-b': 'a_b',
      a_b: 'a_b',
      'api.key': 'api_key',
      令牌: '__',
      'a😀b': 'a_b',
    };
    for (const [id, name] of Object.entries(vectors)) expect(environmentNames(id)[0]).toBe(`A2C_SMCP_${name}`);
    expect(() => resolver([prompt('a-b'), prompt('a_b')])).toThrow(
      'inputs "a-b" and "a_b" share the environment variable A2C_SMCP_a_b',
    );
  });
});

describe('lazy resolution', () => {
  verifies('CONF-INPUT-02', 'the person is asked on first use, once for all callers', async () => {
    const asked: string[] = [];
    const inputs = resolver([prompt('a'), prompt('b')], {
      provider: async ({ id }) => {
        asked.push(id);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return `${id}!`;
      },
    });
    expect(asked).toEqual([]);
    const values = await Promise.all(['a', 'b', 'a', 'a'].map((id) => inputs.resolve(id)));
    expect(values).toEqual(['a!', 'b!', 'a!', 'a!']);
    expect(await inputs.resolve('a')).toBe('a!');
    expect(asked.toSorted()).toEqual(['a', 'b']);
  });

  verifies('CONF-INPUT-02', 'a failure is not cached', async () => {
    let attempts = 0;
    const inputs = resolver([prompt('a')], {
      provider: async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('gone');
        return 'back';
      },
    });
    await expect(inputs.resolve('a')).rejects.toThrow('gone');
    expect(await inputs.resolve('a')).toBe('back');
  });

  verifies(['CONF-INPUT-03', 'COMP-RULE-01'], 'the cache survives changes of other definitions', async () => {
    const inputs = resolver([prompt('a'), prompt('b'), prompt('c')]);
    for (const id of ['a', 'b', 'c']) inputs.setCachedValue(id, id);
    inputs.define([prompt('d'), prompt('a'), prompt('b', { default: 'new' })]);
    expect([inputs.cachedValue('a'), inputs.cachedValue('b'), inputs.cachedValue('c')]).toEqual(['a', undefined, 'c']);
    inputs.replaceAll([prompt('a'), prompt('e')]);
    expect(inputs.definitions.map(({ id }) => id)).toEqual(['a', 'e']);
    expect(inputs.maskedValues()).toEqual({ a: 'a' });
    expect([inputs.setCachedValue('zzz', 1), inputs.remove('a'), inputs.remove('a')]).toEqual([false, true, false]);
    inputs.setCachedValue('e', 'e');
    inputs.clearCache();
    expect(inputs.maskedValues()).toEqual({});
  });

  verifies('CONF-INPUT-03', 'a definition replaced during resolution does not get the old value', async () => {
    let answer: (value: string) => void = () => undefined;
    const inputs = resolver([prompt('a')], { provider: () => new Promise((resolve) => (answer = resolve)) });
    const old = inputs.resolve('a');
    await Promise.resolve();
    inputs.define([prompt('a', { default: 'new' })]);
    answer('old');
    expect(await old).toBe('old');
    expect(inputs.cachedValue('a')).toBeUndefined();
  });
});

describe('commands', () => {
  const node = process.execPath;
  const run = (text: string, args?: Record<string, string>, options: InputResolverOptions = {}) =>
    resolver([command(text, args ?? null)], options).resolve('c');

  verifies('CONF-INPUT-04', 'their trimmed output is the value', async () => {
    expect(await run(`"${node}" -p 1+1`)).toBe('2');
    expect(await run(`${node} -p "'two words'"`)).toBe('two words');
  });

  verifies('CONF-INPUT-04', 'get their arguments unchanged, in the order of the keys', async () => {
    const args = { b: 'two; echo hacked', a: '$HOME "one"' };
    const script = `${node} -p "process.argv.slice(1).join()" --`;
    // Parentheses need a shell, which must not interpret the arguments.
    expect(await run(script, args)).toBe('$HOME "one",two; echo hacked');
    expect(await run('echo', args)).toBe('$HOME "one" two; echo hacked');
  });

  verifies('CONF-INPUT-04', 'use a shell only if needed', async () => {
    expect(await run('echo a | tr a b')).toBe('b');
    expect(await run('X=1; echo $X')).toBe('1');
    expect(await run('echo one "two  three"')).toBe('one two  three');
  });

  verifies('CONF-INPUT-04', 'failures are errors without the output', async () => {
    await expect(run('echo secret; exit 3')).rejects.toThrow('the command of input "c" exited with 3');
    await expect(run('no-such-program-of-a2c')).rejects.toThrow('could not be started (ENOENT)');
    await expect(run('kill -9 $$')).rejects.toThrow('was ended by SIGKILL');
    await expect(run('yes')).rejects.toThrow('printed more than 1048576 bytes');
  });

  verifies('CONF-INPUT-04', 'the time limit ends the command and its children', async () => {
    const pidFile = join(temporaryFolder(), 'pid');
    const slow = run(`sh -c 'sleep 60 & echo $! > "${pidFile}"; wait'`, {}, { commandTimeoutMs: 4_000 });
    await expect(slow).rejects.toThrow('took longer than 4 s');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    // Ending the process and reaping it by init may take a moment.
    const state = () =>
      existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2] : 'gone';
    await expect.poll(state).toMatch(/^(gone|Z)$/);
  });
});

describe('passwords', () => {
  verifies('CONF-INPUT-05', 'are neither printed nor serialised', async () => {
    const inputs = resolver([prompt('k', { password: true }), prompt('open'), command('echo hidden-output')], {
      provider: async ({ id }) => (id === 'k' ? 'hidden-password' : 'visible'),
    });
    await Promise.all(['k', 'open', 'c'].map((id) => inputs.resolve(id)));
    const shown = [
      JSON.stringify(inputs),
      inspect(inputs, { depth: 9, showHidden: true }),
      String(inputs),
      inputs.maskedValues(),
    ];
    expect(JSON.stringify(shown)).not.toContain('hidden-');
    expect(inputs.maskedValues()).toEqual({ k: '********', open: 'visible' });
    inputs.setCachedValue('c', 'hidden-value');
    expect(inputs.maskedValues()).toMatchObject({ c: '********' });
    expect(await inputs.resolve('k')).toBe('hidden-password');
  });
});
