import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { importsOf, violations } from './imports.js';
import { filesBelow, packageNames, read, readJson } from './source-tree.js';

interface Manifest {
  readonly name: string;
  readonly type?: string;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

interface PublishedManifest extends Manifest {
  readonly private?: boolean;
  readonly license?: string;
  readonly files?: readonly string[];
  readonly scripts?: Record<string, string>;
  readonly exports?: Record<string, unknown>;
}

interface LockedPackage {
  readonly engines?: { readonly node?: string };
  readonly optionalDependencies?: Record<string, string>;
}

const locked = readJson<{ packages: Record<string, LockedPackage> }>('package-lock.json').packages;

const manifestOf = (name: string) => readJson<Manifest>(`packages/${name}/package.json`);

describe('allowed imports', () => {
  verifies(['HOUSE-IMPORT-01', 'HOUSE-IMPORT-02', 'HOUSE-IMPORT-03'], 'no package breaks the rules', () => {
    const broken = packageNames().flatMap((name) =>
      violations({
        name,
        dependencies: Object.keys({ ...manifestOf(name).dependencies, ...manifestOf(name).optionalDependencies }),
        files: filesBelow(`packages/${name}`, /\.[cm]?[jt]sx?$/),
      }),
    );
    expect(broken).toEqual([]);
  });

  const check = (name: string, folder: string, source: string, dependencies: string[] = []) =>
    violations({ name, dependencies, files: [{ path: `packages/${name}/${folder}/x.ts`, text: source }] });

  verifies('HOUSE-IMPORT-01', 'a forbidden package, library or built-in module is reported', () => {
    expect(check('protocol', 'src', `import { Hub } from '@a2c/hub';`)).toEqual([
      'packages/protocol/src/x.ts: protocol may not import @a2c/hub',
    ]);
    expect(check('server', 'src', `const x = await import('express');`)).toHaveLength(1);
    expect(check('protocol', 'src', `export { readFile } from 'node:fs';`)).toHaveLength(1);
    expect(check('attic', 'src', '')).toEqual(['packages/attic: no row in the table of allowed imports']);
    expect(check('hub', 'src', `import { a } from '@a2c/config';\nimport 'node:fs';`, ['@a2c/config'])).toEqual([]);
  });

  verifies('HOUSE-IMPORT-02', 'an inner file of another package is refused, in tests too', () => {
    expect(check('server', 'src', `import x from '@a2c/protocol/dist/parse.js';`)).toHaveLength(1);
    expect(check('server', 'test', `import x from '@a2c/protocol/src/parse.js';`)).toHaveLength(1);
    expect(check('server', 'test', `import x from '../../protocol/src/parse.js';`)).toHaveLength(1);
    expect(check('server', 'test', `import x from '../src/parse.js';\nimport '@a2c/agent';`)).toEqual([]);
  });

  verifies('HOUSE-IMPORT-03', 'an undeclared dependency is refused', () => {
    expect(check('protocol', 'src', `import { z } from 'zod';`)).toEqual([
      'packages/protocol/src/x.ts: zod is not among the dependencies of protocol',
    ]);
  });

  verifies('HOUSE-IMPORT-01', 'every form of import is found; comments and Buffer.from are ignored', () => {
    const source = `import a from 'a';\nimport 'b';\nexport * from "c";\nawait import('d');\nimport type { E } from 'e';
      // import x from 'x';\n/* from 'y' */ const f = require('f'); const g = ['a/*', import('g'), '*/', Buffer.from('h')];`;
    expect(importsOf(source)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });
});

describe('one build, one minimum version of Node', () => {
  verifies('HOUSE-STRICT-01', 'every package is a strict reference of the one build', () => {
    const base = readJson<{ compilerOptions: Record<string, unknown> }>('tsconfig.base.json').compilerOptions;
    for (const option of ['strict', 'noUncheckedIndexedAccess', 'exactOptionalPropertyTypes', 'verbatimModuleSyntax']) {
      expect(base[option], option).toBe(true);
    }
    const { references } = readJson<{ references: { path: string }[] }>('tsconfig.json');
    for (const name of packageNames()) {
      expect(references).toContainEqual({ path: `packages/${name}` });
      const own = readJson<{ extends: string; compilerOptions: object }>(`packages/${name}/tsconfig.json`);
      expect(own.extends).toBe('../../tsconfig.base.json');
      expect(Object.keys(own.compilerOptions).filter((option) => option in base && option !== 'types')).toEqual([]);
      const { name: published, type, engines } = manifestOf(name);
      expect([published, type, engines?.node]).toEqual([name === 'cli' ? 'a2c' : `@a2c/${name}`, 'module', '>=20.19']);
    }
  });

  verifies('HOUSE-NODE-01', 'no locked package requires more than Node 20.19', () => {
    const demanding = Object.entries(locked).filter(
      ([, { engines }]) => engines?.node !== undefined && !runsOnFloor(engines.node),
    );
    expect(demanding.map(([path, { engines }]) => `${path} needs ${engines?.node}`)).toEqual([]);
    expect(runsOnFloor('^22.12.0 || ^24.0.0')).toBe(false);
    expect(runsOnFloor('^20.19.0 || >=22.12.0')).toBe(true);
    expect(runsOnFloor('>=20.20')).toBe(false);
    expect(runsOnFloor('>= 18')).toBe(true);
  });

  verifies('HOUSE-LOCK-01', 'npm ci works on every platform and from any registry', () => {
    // If a registry lacks the binary of one platform, npm omits it silently, and every later `npm ci` fails.
    const left = Object.values(locked).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies).filter(
        (name) => !Object.keys(locked).some((path) => path.endsWith(`node_modules/${name}`)),
      ),
    );
    expect(left).toEqual([]);
    expect(read('package-lock.json')).not.toMatch(/"resolved": "http/);
  });

  verifies('HOUSE-CHECK-01', 'warnings are errors and CI runs everything', () => {
    const { scripts } = readJson<{ scripts: Record<string, string> }>('package.json');
    expect(scripts.check).toContain('biome check --error-on-warnings');
    expect(scripts.check).toContain('tsc -b');
    const ci = read('.ci/run');
    expect(ci).toContain('set -euo pipefail');
    for (const command of ['npm ci', 'npm run check', 'npm test'])
      expect(ci).toMatch(new RegExp(`^${command}\\b`, 'm'));
  });
});

verifies('NEW-PACK-01', 'every published package is built before it is packed, and lists its files', () => {
  const packs = readJson<PublishedManifest>('package.json').scripts?.pack;
  for (const name of packageNames()) {
    const manifest = readJson<PublishedManifest>(`packages/${name}/package.json`);
    if (manifest.private) continue;
    expect(manifest.scripts?.prepack, name).toBe('node ../../scripts/prepack.js');
    expect(manifest.files, name).toEqual(expect.arrayContaining(['dist', '!dist/.tsbuildinfo']));
    expect(manifest.files, name).not.toContain('test');
    expect(manifest.license, name).toMatch(/\bMIT\b/);
    // Without `exports`, every inner file could be imported.
    expect(manifest.exports, name).toBeDefined();
    // The README installs what this packs.
    expect(`${packs} `).toContain(` -w ${name === 'cli' ? 'a2c' : `@a2c/${name}`} `);
  }
});

/** True if the range of `engines` (alternatives of `^x.y.z`, `>=x.y.z`, `x` and `*`) includes Node 20.19.0. */
function runsOnFloor(range: string): boolean {
  return range.split('||').some((alternative) => {
    const bounds = alternative
      .replaceAll(/(>=|<=|[<>^~=])\s+/g, '$1')
      .trim()
      .split(/\s+/);
    return bounds.every((bound) => {
      const [, operator = '', version = ''] = /^(>=|<=|[<>^~=])?v?(.*)$/.exec(bound) ?? [];
      if (version === '' || version === '*') return true;
      const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
      const order = Math.sign(20 - major || 19 - minor);
      if (operator === '>=') return order >= 0;
      if (operator === '>') return order > 0;
      if (operator === '<') return order < 0;
      if (operator === '<=') return order <= 0;
      return major === 20 && order >= 0;
    });
  });
}
