import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { filesBelow, packageNames, read, readJson, withoutComments } from './source-tree.js';

interface Manifest {
  readonly version: string;
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly repository: { readonly type: string; readonly url: string; readonly directory?: string };
  readonly bugs: string;
  readonly publishConfig?: { readonly access: string; readonly provenance: boolean };
  readonly dependencies?: Readonly<Record<string, string>>;
}

const root = readJson<Manifest & { readonly scripts: Readonly<Record<string, string>> }>('package.json');
const manifests = packageNames().map((folder) => ({
  folder,
  ...readJson<Manifest>(`packages/${folder}/package.json`),
}));
const { version } = readJson<Manifest>('packages/cli/package.json');

describe('manifests', () => {
  verifies('HOUSE-RELEASE-01', 'every manifest has keywords and leads to the repository', () => {
    const url = root.repository.url.replace(/^git\+|\.git$/g, '');
    expect(root.bugs).toBe(`${url}/issues`);
    for (const { folder, keywords, homepage, repository, bugs } of manifests) {
      expect({ homepage, repository, bugs }, `packages/${folder}/package.json`).toEqual({
        homepage: `${url}/tree/main/packages/${folder}#readme`,
        repository: { ...root.repository, directory: `packages/${folder}` },
        bugs: root.bugs,
      });
      expect(keywords?.length, `packages/${folder}/package.json: keywords`).toBeGreaterThan(3);
    }
    for (const { path, text } of filesBelow('.github', /\.(yml|md)$/)) {
      const others = [...text.matchAll(/https:\/\/github\.com\/[\w-]+\/[\w-]+/g)].filter(([link]) => link !== url);
      expect(others, path).toEqual([]);
    }
  });

  verifies('HOUSE-RELEASE-04', 'every package is published publicly and with provenance, by one workflow', () => {
    for (const { folder, publishConfig } of manifests) {
      expect(publishConfig, `packages/${folder}/package.json`).toEqual({ access: 'public', provenance: true });
    }
    const workflow = parse(read('.github/workflows/release.yml')) as {
      readonly on: object;
      readonly jobs: {
        readonly release: { readonly permissions: object; readonly steps: readonly { run?: string }[] };
      };
    };
    expect(Object.keys(workflow.on)).toEqual(['workflow_dispatch']);
    // Provenance needs an identity token.
    expect(workflow.jobs.release.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
    const commands = workflow.jobs.release.steps.flatMap(({ run = '' }) => run.split('\n'));
    expect(commands).toEqual(expect.arrayContaining(['bash .ci/run', 'npm run release']));
    expect(read('docs/contributing/releasing.md')).toContain('gh workflow run release.yml');
  });

  verifies('HOUSE-RELEASE-05', 'every page that uses npx a2c says where it works', () => {
    for (const { path, text } of filesBelow('.', /\.md$/)) {
      if (!/^(npx|\$ npx) a2c|`npx a2c/m.test(text) || !/^(README|docs\/)/.test(path)) continue;
      expect(text, path).toMatch(/README(\.zh)?\.md#(install|安装)|^## (Install|安装)$/m);
    }
  });

  verifies('HOUSE-RELEASE-02', 'all packages have one version and depend on exactly that version of each other', () => {
    for (const { folder, version: own, dependencies = {} } of manifests) {
      expect(own, folder).toBe(version);
      const internal = Object.entries(dependencies).filter(([dependency]) => dependency.startsWith('@a2c/'));
      for (const [dependency, range] of internal) expect(range, `${folder} → ${dependency}`).toBe(version);
    }
  });

  verifies('HOUSE-RELEASE-02', 'no source repeats the version', () => {
    // The literals of `protocol` are versions of the protocol.
    const sources = filesBelow('packages', /\.[cm]?[jt]s$/).filter(({ path }) =>
      /^packages\/(?!protocol\/)\w+\/(src|bin)\//.test(path),
    );
    const literal = new RegExp(`(['"\`])${version.replaceAll('.', '\\.')}\\1`);
    const repeating = sources.filter(({ text }) => literal.test(withoutComments(text))).map(({ path }) => path);
    expect(repeating, 'read the version from package.json').toEqual([]);
  });
});

verifies('HOUSE-RELEASE-03', 'the changelog has a section for the version, dated, below the unreleased changes', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect(headings[0]).toBe('Unreleased');
  expect(headings[1]).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`));
});

verifies('HOUSE-RELEASE-03', 'changesets version all published packages together', () => {
  const config = readJson<{ fixed: string[][]; baseBranch: string }>('.changeset/config.json');
  expect(config).toMatchObject({
    fixed: [['a2c', '@a2c/!(api-docs|requirements|test-certificates|test-authorization-server)']],
    baseBranch: 'main',
  });
  expect(root.scripts).toMatchObject({
    changeset: 'changeset',
    'version-packages': 'node scripts/version-packages.js',
  });
});

verifies('HOUSE-DOCS-08', 'CI builds the API reference, and a warning fails it', () => {
  expect(read('.ci/run')).toMatch(/^beside ".*" "npm run docs:api"$/m);
  const config = read('scripts/api-docs/typedoc.config.js');
  expect(config).toContain('treatWarningsAsErrors: true');
  expect(config).toContain('const REQUIRE_COMMENTS = true;');
  expect(read('.github/workflows/ci.yml')).toContain('run: bash .ci/run');
});
