// `npm run docs:api`: the API reference of every package with a public entry, in docs/api (not committed).
import { existsSync, readFileSync } from 'node:fs';
import { Converter, ReflectionKind } from 'typedoc';

/** When true, an export without a JSDoc comment fails the build. */
const REQUIRE_COMMENTS = true;

/** In the order of the build, so that a type belongs to the package that declares it, not to one that re-exports it. */
const { references } = JSON.parse(readFileSync('../../tsconfig.json', 'utf8'));
const packages = references
  .map(({ path }) => path.replace('packages/', ''))
  .filter((name) => existsSync(`../../packages/${name}/src/index.ts`));

/** Typedoc names a module after its path (`agent/src`). Users import it as `@a2c/agent`. */
function namePackages({ converter }) {
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      module.name = module.name.replace(/^(\w+)\/src$/, '@a2c/$1');
    }
  });
}

export default {
  name: 'a2c',
  tsconfig: 'tsconfig.json',
  entryPoints: packages.map((name) => `../../packages/${name}/src/index.ts`),
  sortEntryPoints: false,
  out: '../../docs/api',
  plugin: [namePackages],
  readme: 'none',
  disableSources: true,
  excludePrivate: true,
  excludeInternal: true,
  treatWarningsAsErrors: true,
  validation: { notExported: true, invalidLink: true, notDocumented: REQUIRE_COMMENTS },
  // Inherited comments of the MCP SDK link to its own symbols, which are not part of this reference.
  externalSymbolLinkMappings: {
    '@modelcontextprotocol/client': { '*': '#' },
    '@modelcontextprotocol/server': { '*': '#' },
  },
  packagesRequiringDocumentation: packages.map((name) => `@a2c/${name}`),
  // Properties are documented where the name does not say everything; that is for the reviewer to judge.
  requiredToBeDocumented: ['Enum', 'Variable', 'Function', 'Class', 'Interface', 'Method', 'Accessor', 'TypeAlias'],
};
