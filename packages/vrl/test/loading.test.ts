import { execFileSync } from 'node:child_process';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';

const ENTRY = new URL('../dist/index.js', import.meta.url).href;

/** Runs a program in its own process, with file reads going through `read`, and returns the value of `seen`. */
function seenBy({ read, body }: { readonly read: string; readonly body: string }): readonly string[] {
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const seen = [];
    const original = fs.readFileSync;
    fs.readFileSync = (path, ...rest) => { ${read} };
    syncBuiltinESMExports();
    const { checkSyntax, compile, run } = await import('${ENTRY}');
    ${body}
    console.log(JSON.stringify(seen));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
}

const noted = `if (String(path).endsWith('.wasm')) seen.push('read'); return original(path, ...rest);`;

describe('the module', () => {
  verifies('VRL-LOAD-01', 'is not read by a process without scripts', () => {
    expect(seenBy({ read: noted, body: 'seen.push(typeof compile);' })).toEqual(['function']);
  });

  verifies('VRL-LOAD-01', 'is read once by a process with scripts, also after a panic', () => {
    const body = `
      checkSyntax('.a = 1');
      run('.a = 1', {});
      try { run('"x" * 9223372036854775807', {}); } catch (error) { seen.push(error.name); }
      run('.a = 1', {});`;
    expect(seenBy({ read: noted, body })).toEqual(['read', 'VrlPanicError']);
  });

  verifies('VRL-LOAD-02', 'is named in the error when it cannot be read', () => {
    const body = `try { checkSyntax('.a = 1'); } catch (error) { seen.push(error.name, error.message); }`;
    expect(seenBy({ read: `throw new Error('gone');`, body })).toEqual([
      'VrlError',
      expect.stringMatching(/^cannot read \/.*vrl\.wasm, a part of @a2c\/vrl; install the package again$/),
    ]);
  });
});
