import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { OPERATOR_PATHS } from '@a2c/server';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { EXIT } from '../packages/cli/src/exit-codes.js';
import { HOUSE } from './house-rules.js';
import { filesBelow, packageNames, ROOT, read, type SourceFile } from './source-tree.js';

const run = promisify(execFile);

const documents = filesBelow('.', /\.md$/);

interface Example {
  readonly code: string;
  readonly prints: string | undefined;
}

/** The fenced blocks of one language, each with the ```text block that directly follows it. */
function examples({ text }: SourceFile, language: string): Example[] {
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, tag, body = '']) => ({ tag, body }));
  return blocks.flatMap(({ tag, body }, index) => {
    if (tag !== language) return [];
    const next = blocks[index + 1];
    return [{ code: body, prints: next?.tag === 'text' ? next.body : undefined }];
  });
}

/** The text without fenced blocks and code spans: `list['name'](x)` is no link. */
const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$|`[^`\n]*`/gm, '');

/**
 * Runs examples one after the other in a process, since loading the packages takes most of the time. An example starts
 * when nothing of the one before it is open: where a process of its own would end.
 */
const RUNNER = `
  const examples = JSON.parse(process.argv[1]);
  let settled = true;
  process.on('beforeExit', async () => {
    if (!settled) process.exit(13);
    const example = examples.shift();
    if (example === undefined) return;
    settled = false;
    process.chdir(example.cwd);
    process.stdout.write('--- ' + example.name + '\\n');
    await import(example.file);
    settled = true;
  });`;

async function outputOf(group: readonly (Example & { readonly name: string })[]) {
  const folder = mkdtempSync(join(ROOT, 'node_modules/.a2c-examples-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = group.map(({ name, code }, index) => {
    const cwd = join(ROOT, 'packages', name);
    const file = join(folder, `${index}.mjs`);
    writeFileSync(file, code.replaceAll("from './", `from '${cwd}/`));
    return { name, cwd, file };
  });
  return await run(process.execPath, ['--eval', RUNNER, JSON.stringify(files)]);
}

describe('documents', () => {
  verifies('HOUSE-DOCS-01', 'every package has a README and a row in the architecture', () => {
    const architecture = read('ARCHITECTURE.md');
    for (const name of packageNames()) {
      expect(architecture).toContain(`| [\`${name}\`](packages/${name}/README.md) |`);
      expect(read(`packages/${name}/README.md`)).toMatch(/^# /);
    }
    for (const name of ['README.md', 'README.zh.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'LICENSE', 'docs/README.md']) {
      expect(existsSync(join(ROOT, name)), name).toBe(true);
    }
  });

  verifies('HOUSE-DOCS-01', 'the table of packages matches the rules of allowed imports', () => {
    const rows = [...read('ARCHITECTURE.md').matchAll(/^\| (?:\[)?`([a-z]+)`.*\| ([^|]+) \|$/gm)];
    const documented = Object.fromEntries(
      rows.map(([, name = '', imports = '']) => [name, imports.replaceAll('`', '')]),
    );
    const rules = Object.entries(HOUSE).map(([name, { packages, libraries }]) => [
      name,
      [...packages, ...libraries].join(', ') || '–',
    ]);
    expect(documented).toEqual(Object.fromEntries(rules));
  });

  verifies('HOUSE-DOCS-01', 'every link between documents resolves', () => {
    const dead = documents.flatMap(({ path, text }) =>
      [...withoutCode(text).matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(join(ROOT, dirname(path), target)))
        .map((target) => `${path} → ${target}`),
    );
    expect(dead).toEqual([]);
  });

  verifies('HOUSE-DOCS-06', 'every environment variable and every error code in the sources has a row', () => {
    const sources = filesBelow('packages', /\.ts$/).filter(({ path }) => path.includes('/src/'));
    const used = sources.flatMap(({ text }) =>
      [...text.matchAll(/\benv(?:\.|\(')(A2C_[A-Z_]+)/g)].map(([, name]) => name),
    );
    expect(used).toContain('A2C_HOME');
    const rows = read('docs/reference.md')
      .match(/^\| `.*$/gm)
      ?.join('\n');
    for (const name of used) expect(rows).toContain(`\`${name}\``);
    const codes = [...read('packages/protocol/src/error-codes.ts').matchAll(/^ {2}(\d{3,4}): \{/gm)].map(
      ([, code]) => code,
    );
    expect(codes.length).toBeGreaterThan(20);
    const table = read('docs/wire.md')
      .match(/^\| \d{3} \|.*$/gm)
      ?.join('\n');
    for (const code of codes) expect(table).toContain(code);
  });

  verifies('HOUSE-DOCS-09', 'the reference lists every endpoint, port, exit code and written file', () => {
    const reference = read('docs/reference.md');
    const section = (title: string) => reference.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
    const firstCells = (title: string) =>
      [...section(title).matchAll(/^\| (.+?) \|/gm)].slice(1).map(([, cell = '']) => cell);
    const sources = filesBelow('packages', /\.ts$/).filter(({ path }) => path.includes('/src/'));

    const proxyPaths = [...read('packages/proxy/src/serve/http.ts').matchAll(/_PATH = '(\/\w+)'/g)].map(
      ([, path]) => path,
    );
    const endpoints = new Set([...Object.values(OPERATOR_PATHS), ...proxyPaths].map((path) => `\`${path}\``));
    expect(new Set(firstCells('Endpoints').slice(1))).toEqual(endpoints);

    expect(firstCells('Exit codes')).toEqual(Object.values(EXIT).map(String));
    const ports = sources.flatMap(({ text }) =>
      [...text.matchAll(/(?:DEFAULT_PORT = |\bport = |portNumber, )(\d[\d_]+)/g)].map(([, port = '']) =>
        port.replace('_', ''),
      ),
    );
    expect(ports.length).toBeGreaterThan(2);
    expect([...new Set(ports)]).toEqual(firstCells('Ports').filter((cell) => cell !== 'none'));

    // Every source that creates a file with a mode has a row with that mode; `replaceFile` has a default.
    const writers = sources
      .filter(({ path }) => !path.endsWith('/replace-file.ts'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/(?:writeFile|open)(?:Sync)?\([\s\S]{0,140}?0o(\d{3})|\breplaceFile\(/g)].map(
          ([, mode = '600']) => `0${mode} ${path.replace('packages/', '')}`,
        ),
      );
    const rows = [...section('Files').matchAll(/^\| .+? \| (\d{4}) \| .+ \| `(.+)` \|$/gm)];
    expect(new Set(rows.map(([, mode, path]) => `${mode} ${path}`))).toEqual(new Set(writers));
  });

  verifies('HOUSE-FRONT-01', 'the first screen says what a2c is, shows a picture and two uses', () => {
    for (const name of ['README.md', 'README.zh.md']) {
      const [, sentence = '', , ...rest] = read(name).split('\n\n');
      expect(sentence, name).toMatch(/^\*\*a2c [^*]+\*\*/);
      expect(rest[0], name).toMatch(/^!\[.*\]\(docs\/pictures\/first-minute\.svg\)$/);
      expect(rest[1], name).toMatch(/600,000[^|]*\|[^|]*2,000[\s\S]*NAT/);
      expect(rest[2], name).toMatch(/^## /);
      for (const term of ['Computer', 'Agent', 'office', 'desktop', 'VRL', 'TOON', 'dialect'])
        expect(read(name), term).toMatch(new RegExp(`^\\|.*\\*\\*${term}`, 'm'));
    }
  });

  verifies('HOUSE-FRONT-02', 'pages that use npx a2c, and READMEs of packages, link to the installation', () => {
    const pages = documents.filter(({ path, text }) =>
      /^(docs\/|README)/.test(path) ? text.includes('npx a2c') : /^packages\/\w+\/README\.md$/.test(path),
    );
    expect(pages.length).toBeGreaterThan(packageNames().length);
    const silent = pages.filter(({ text }) => !/README(\.zh)?\.md#(install|安装)|npm run pack/.test(text));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  verifies('HOUSE-FRONT-01', 'the guides for newcomers exist in Chinese, with the same commands and options', () => {
    const words = (text: string) =>
      new Set(text.match(/(?<=`|\| )(?:--[a-z][a-z-]+|a2c [a-z]+|(?:server|inputs|socket) [a-z]+)/g));
    for (const page of ['quick-start', 'computer', 'proxy']) {
      const chinese = read(`docs/zh/${page}.md`);
      expect(read('README.zh.md')).toContain(`(docs/zh/${page}.md)`);
      const missing = [...words(read(`docs/${page}.md`))].filter(
        (word) => !chinese.includes(word.split(' ').at(-1) ?? ''),
      );
      expect(missing, page).toEqual([]);
    }
  });

  verifies('HOUSE-DOCS-01', 'both languages of the README start with the same two commands', () => {
    for (const name of ['README.md', 'README.zh.md']) {
      expect(read(name)).toMatch(/^npm ci && npm start\b/m);
      expect(read(name)).toMatch(/^npm ci && npm test\b/m);
    }
  });

  verifies(
    'HOUSE-DOCS-02',
    'every JavaScript example runs and prints the output shown below it',
    async () => {
      const runnable = packageNames().flatMap((name) => {
        const [readme] = filesBelow(`packages/${name}`, /^README\.md$/);
        const found = examples(readme as SourceFile, 'js');
        expect(found.length, `packages/${name}/README.md has an example`).toBeGreaterThan(0);
        return found.map((example) => ({ ...example, name }));
      });
      const ends = ({ code }: Example) => code.includes('process.exit(');
      const [last = [], ...more] = runnable.filter(ends).map((one) => [one]);
      for (const group of [[...runnable.filter((example) => !ends(example)), ...last], ...more]) {
        const expected = group.map(({ name, prints }) => `--- ${name}\n${prints}`);
        expect(await outputOf(group)).toEqual({ stdout: expected.join(''), stderr: '' });
      }
    },
    { timeout: 300_000 },
  );

  verifies('HOUSE-DOCS-02', 'every TypeScript example compiles', () => {
    const folder = join(ROOT, 'node_modules/.cache/docs');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    documents
      .flatMap((document) => examples(document, 'ts'))
      // This library is installed by `model-libraries.pack.test.ts`, which compiles and runs the example.
      .filter(({ code }) => !code.includes("from '@langchain/"))
      .forEach(({ code }, index) => {
        writeFileSync(join(folder, `example-${index}.ts`), code);
      });
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(ROOT, 'tsconfig.base.json'),
        compilerOptions: { noEmit: true, composite: false },
      }),
    );
    // The compiler reports this file, and no other. One run for all: its start takes most of the time.
    writeFileSync(join(folder, 'wrong.ts'), 'export const x: string = 1;');
    const { stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules/.bin/tsc'), '-p', '.'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout.trim().split('\n')).toEqual([expect.stringMatching(/^wrong\.ts\(1,14\): error TS2322: /)]);
  });
});

/** On Ctrl-C, a terminal signals the whole process group. A service manager ends npm alone. */
describe.each(['Ctrl-C', 'SIGTERM for npm'])('npm start, ended by %s', (end) => {
  verifies('HOUSE-START-01', 'is ready within seconds and leaves no process behind', async () => {
    const child = spawn('npm', ['start', '--silent', '--', '--port', '0'], {
      cwd: ROOT,
      detached: true,
      env: { ...process.env, A2C_LOG_LEVEL: 'info' },
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk;
    });
    const [line] = (await once(child.stdout, 'data', { signal: AbortSignal.timeout(100_000) })) as [Buffer];
    const url = /^ready (\S+)$/m.exec(String(line))?.[1];
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    if (end === 'Ctrl-C') process.kill(-(child.pid as number), 'SIGINT');
    else child.kill('SIGTERM');
    await once(child, 'exit');
    expect(stderr).toMatch(/^building … ?\na2c is up at http/);
    expect(stderr).toMatch(/Press Ctrl-C to stop\.\n$/);
    const isGone = () => expect(() => process.kill(-(child.pid as number), 0)).toThrow('ESRCH');
    await vi.waitFor(isGone, { timeout: end === 'Ctrl-C' ? 0 : 60_000 });
    await expect(fetch(`${url}/readyz`)).rejects.toThrow();
  });
});
