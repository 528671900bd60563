import type { GuestBridge, GuestConfig, GuestEnd, GuestHost } from './guest-bridge.js';
import type { GuestJson } from './guest-json.js';

interface CallRecord {
  readonly path: readonly string[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Taken at the call, so that the stack of its error shows the line that made it. */
  readonly trace: { readonly stack?: string };
}

interface FailedCall {
  error?: unknown;
  readonly path: readonly string[];
  readonly message: string;
  /** The code has read the error. A failure that it never read is reported. */
  isRead: boolean;
}

/**
 * Runs inside QuickJS, before the code: the worker evaluates the source text of this function, so it must not refer to
 * anything outside its own body. It keeps the built-in functions it needs, because the code may replace them later. The
 * worker checks everything it receives again: a guarantee never rests on this function alone.
 */
export function bootstrap(host: GuestHost, config: GuestConfig, json: GuestJson): GuestBridge {
  const { toJson, append, Unrepresentable, TooLarge } = json;
  const { parse, stringify } = JSON;
  const { apply } = Reflect;
  const { isArray } = Array;
  const { keys, defineProperty, getPrototypeOf } = Object;
  const plain = Object.prototype;
  const { slice } = String.prototype;
  const { then } = Promise.prototype;
  const toText = String;
  const toNumber = Number;
  const GuestPromise = Promise;
  const GuestError = Error;
  const GuestTypeError = TypeError;
  const { captureStackTrace } = Error;

  for (const name of ['performance', 'SharedArrayBuffer', 'Atomics', 'WebAssembly', 'DOMException', 'gc']) {
    delete (globalThis as Record<string, unknown>)[name];
  }

  // The sites that it receives have our functions.
  void defineProperty(GuestError, 'prepareStackTrace', { value: undefined });

  const textOf = (object: unknown, key: string): string => {
    try {
      const value = (object as Record<string, unknown>)[key];
      return typeof value === 'string' ? (apply(slice, value, [0, 4000]) as string) : '';
    } catch {
      return '';
    }
  };
  const show = (value: unknown): string => {
    try {
      return toJson(value, 'value', config.outputBytes) ?? toText(value);
    } catch {
      try {
        return apply(slice, toText(value), [0, 4000]);
      } catch {
        return typeof value;
      }
    }
  };
  const isError = (value: unknown): boolean => {
    try {
      return value instanceof GuestError;
    } catch {
      return false;
    }
  };
  /** The code may give arrays and objects a `toJSON`, so only texts are written by JSON.stringify. */
  const textList = (texts: readonly string[]): string => {
    let json = '';
    for (let index = 0; index < texts.length; index++) json += `${index > 0 ? ',' : ''}${stringify(texts[index])}`;
    return `[${json}]`;
  };
  const description = (name: string, message: string, stack: string): string =>
    `{"name":${stringify(name)},"message":${stringify(message)},"stack":${stringify(stack)}}`;
  const describe = (error: unknown): string => {
    if (error === null) return '{"message":"the code threw a value that is no Error: null","isNull":true}';
    return isError(error)
      ? description(textOf(error, 'name') || 'Error', textOf(error, 'message'), textOf(error, 'stack'))
      : description('', `the code threw a value that is no Error: ${show(error)}`, '');
  };

  const records: Record<number, CallRecord> = { __proto__: null } as never;
  const failed: FailedCall[] = [];
  let lastId = 0;

  /** The error of a call. It notes that the code reads it. */
  const callError = (
    { path, trace }: Pick<CallRecord, 'path' | 'trace'>,
    { name, message, code }: { name: string; message: string; code?: unknown },
  ): Error => {
    const failure: FailedCall = { path, message, isRead: false };
    failed[failed.length] = failure;
    const error = new GuestError(message);
    failure.error = error;
    const define = (key: string, value: unknown, enumerable = false) =>
      defineProperty(error, key, {
        get: () => {
          failure.isRead = true;
          return value;
        },
        set: (changed: unknown) =>
          void defineProperty(error, key, { value: changed, writable: true, configurable: true, enumerable }),
        configurable: true,
        enumerable,
      });
    define('name', name);
    define('message', message);
    define('stack', trace.stack);
    if (code !== undefined) define('code', code, true);
    return error;
  };

  /** The argument of `promise` in `pending`: one function for all calls, because it runs at once. */
  let settlers: Pick<CallRecord, 'resolve' | 'reject'>;
  const keepSettlers = (resolve: CallRecord['resolve'], reject: CallRecord['reject']) => {
    settlers = { resolve, reject };
  };

  const pending = (id: number, path: readonly string[], trace: CallRecord['trace']): Promise<unknown> => {
    const promise = new GuestPromise(keepSettlers);
    const { resolve, reject } = settlers;
    records[id] = { path, resolve, reject, trace };
    return promise;
  };

  /** JSON of one object with simple values, which most calls have; undefined when `toJson` has to write it. */
  const simpleJson = (value: unknown): string | undefined => {
    if (typeof value !== 'object' || value === null || getPrototypeOf(value) !== plain) return undefined;
    if ((value as { toJSON?: unknown }).toJSON !== undefined) return undefined;
    const names = keys(value);
    for (let index = 0; index < names.length; index++) {
      const key = names[index] as string;
      const member = (value as Record<string, unknown>)[key];
      const type = typeof member;
      const isSimple = type === 'string' || type === 'number' || type === 'boolean' || member === null;
      if (!isSimple || key === '__proto__') return undefined;
    }
    const json = stringify(value);
    return json.length < config.argumentBytes ? json : undefined;
  };
  const argumentsJson = (args: readonly unknown[]): string => {
    const simple = args.length === 1 ? simpleJson(args[0]) : undefined;
    return simple === undefined ? (toJson(args, 'arguments', config.argumentBytes, true) as string) : `[${simple}]`;
  };

  /** `pathJson` is the JSON of `path`, written once per name. */
  const call = (path: readonly string[], pathJson: string, args: readonly unknown[]): Promise<unknown> => {
    const trace = {};
    // Without our own frames, which would take more time than all others.
    captureStackTrace(trace, call);
    let json: string;
    try {
      json = argumentsJson(args);
    } catch (problem) {
      const size = `the arguments of ${path[path.length - 1]} have ${textOf(problem, 'message')} bytes`;
      const isLarge = problem instanceof TooLarge;
      const message = isLarge ? `${size}; the limit is ${config.argumentBytes}` : textOf(problem, 'message');
      const name = isLarge ? 'Error' : textOf(problem, 'name') || 'Error';
      return GuestPromise.reject(callError({ path, trace }, { name, message }));
    }
    const id = ++lastId;
    const promise = pending(id, path, trace);
    host.call(`${id}\n${pathJson}\n${json}`);
    return promise;
  };

  const namespace = (path: readonly string[]): unknown => {
    // Loops use the same names again: a proxy is created once per name, not for every access.
    const members: Record<string, unknown> = { __proto__: null } as never;
    const pathJson = textList(path);
    return new Proxy(() => undefined, {
      get: (_target, key) => {
        // `then` and `toJSON` would make `await` and JSON.stringify call the host.
        if (typeof key === 'symbol' || key === 'then' || key === 'toJSON') return undefined;
        members[key] ??= namespace(append(path, [key]));
        return members[key];
      },
      apply: (_target, _self, args) => call(path, pathJson, args),
      ownKeys: () => {
        let name = '';
        for (let index = 0; index < path.length; index++) name += `${name && '.'}${path[index]}`;
        throw new GuestTypeError(`${name} cannot be listed: call its members by name`);
      },
      set: () => false,
      defineProperty: () => false,
      deleteProperty: () => false,
      setPrototypeOf: () => false,
    });
  };

  let budget = config.outputBytes + 1;
  const provided: Record<string, unknown> = {
    __proto__: null,
    print: (...values: unknown[]) => {
      if (budget <= 0) return;
      let line = '';
      for (let index = 0; index < values.length; index++) {
        const value = values[index];
        line += `${index > 0 ? ' ' : ''}${typeof value === 'string' ? value : show(value)}`;
      }
      line = apply(slice, `${line}\n`, [0, budget]);
      budget -= line.length;
      // As JSON: the engine's texts end at their first NUL when they cross.
      host.print(stringify(line));
    },
    sleep: (ms: unknown) => {
      // Before the id: the conversion can run code that makes calls.
      const time = toNumber(ms) || 0;
      const id = ++lastId;
      const promise = pending(id, ['sleep'], {});
      host.sleep(id, time);
      return promise;
    },
  };
  for (const name of config.functions) provided[name] = (...args: unknown[]) => call([name], textList([name]), args);
  for (const name of config.namespaces) provided[name] = namespace([name]);
  for (const name of keys(provided)) {
    defineProperty(globalThis, name, { value: provided[name], writable: true, configurable: true, enumerable: true });
  }

  const discardedErrors: unknown[] = [];
  const noteError = (error: unknown) => {
    // The error of a call is reported as a failed call.
    for (let index = 0; index < failed.length; index++) if (failed[index]?.error === error) return;
    if (discardedErrors.length < 100) discardedErrors[discardedErrors.length] = error;
  };
  const watch = (value: unknown) => {
    try {
      if (value instanceof GuestPromise) apply(then as () => unknown, value, [undefined, noteError] as never);
    } catch {
      // Code that gave its promises another `Symbol.species`: the promise stays unwatched and the code goes on.
    }
  };
  /** Receives what the code throws away, which may be a promise or a list of promises. */
  const discarded = (value: unknown): unknown => {
    if (isArray(value)) for (let index = 0; index < value.length && index < 1_000; index++) watch(value[index]);
    else watch(value);
    return value;
  };
  discarded.of = (callback: () => unknown) =>
    function (this: unknown, ...args: unknown[]) {
      return discarded(apply(callback, this, args));
    };

  const end = (how: GuestEnd, text: string | undefined) => {
    let lost = '';
    for (let index = 0; index < failed.length; index++) {
      const { isRead, path, message } = failed[index] as FailedCall;
      if (!isRead) lost += `${lost && ','}{"path":${textList(path)},"message":${stringify(message)}}`;
    }
    let errors = '';
    for (let index = 0; index < discardedErrors.length; index++) {
      errors += `${errors && ','}${describe(discardedErrors[index])}`;
    }
    host.end(how, text, `[${lost}]`, `[${errors}]`);
  };

  return {
    describe,
    start(main) {
      const running = new GuestPromise((resolve) => resolve(main(discarded)));
      apply(then as (...handlers: unknown[]) => unknown, running, [
        (value: unknown) => {
          let json: string | undefined;
          try {
            json = toJson(value, 'result', config.resultBytes);
          } catch (problem) {
            if (problem instanceof TooLarge) return end('too-large', problem.message);
            if (problem instanceof Unrepresentable) return end('invalid', problem.message);
            return end('error', describe(problem));
          }
          return end('value', json);
        },
        (error: unknown) => end('error', describe(error)),
      ]);
    },
    settle(id, fulfilled, json) {
      const record = records[id];
      if (!record) return;
      delete records[id];
      if (fulfilled) {
        record.resolve(json === undefined ? undefined : parse(json));
        return;
      }
      record.reject(callError(record, parse(json as string)));
    },
  };
}
