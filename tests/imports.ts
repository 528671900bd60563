import { HOUSE, type HouseRule } from './house-rules.js';
import { type SourceFile, withoutComments } from './source-tree.js';

export interface PackageSources {
  readonly name: string;
  /** The run-time dependencies of its manifest. */
  readonly dependencies: readonly string[];
  readonly files: readonly SourceFile[];
}

/** Static, dynamic, re-exporting and type imports, and `require`. */
const IMPORT = /(?<![.\w$])(?:from|import|require)\s*\(?\s*['"`]([^'"`\n]+)['"`]/g;

export function importsOf(source: string): string[] {
  return [...withoutComments(source).matchAll(IMPORT)].map((match) => match[1] as string);
}

/** One sentence per import that breaks a rule. */
export function violations({ name, dependencies, files }: PackageSources): string[] {
  const rule = HOUSE[name];
  if (!rule) return [`packages/${name}: no row in the table of allowed imports`];
  return files.flatMap(({ path, text }) =>
    importsOf(text).flatMap((specifier) => {
      const isShipped = path.startsWith(`packages/${name}/src/`);
      const problem = isShipped ? problemInSource(name, rule, dependencies, specifier) : innerFile(specifier);
      return (problem ?? escapes(name, path, specifier))
        ? [`${path}: ${problem ?? escapes(name, path, specifier)}`]
        : [];
    }),
  );
}

function problemInSource(
  name: string,
  rule: HouseRule,
  dependencies: readonly string[],
  specifier: string,
): string | undefined {
  if (specifier.startsWith('.')) return undefined;
  if (specifier.startsWith('node:'))
    return rule.pure ? `${name} must not use Node modules, but imports ${specifier}` : undefined;
  const inner = innerFile(specifier);
  if (inner) return inner;
  const allowed = [...rule.packages.map((other) => `@a2c/${other}`), ...rule.libraries];
  const library = libraryOf(specifier);
  if (!allowed.includes(library)) return `${name} may not import ${library}`;
  return dependencies.includes(library) ? undefined : `${library} is not among the dependencies of ${name}`;
}

/** Tests and examples may import any package, but only through its public entry. */
function innerFile(specifier: string): string | undefined {
  return /^@a2c\/[^/]+\/./.test(specifier) ? `${specifier} is an inner file of another package` : undefined;
}

function escapes(name: string, path: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = new URL(specifier, `file:///${path}`).pathname.slice(1);
  return target.startsWith(`packages/${name}/`) ? undefined : `${specifier} leaves the package`;
}

/** `@scope/name/sub` → `@scope/name`, `name/sub` → `name`. */
function libraryOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
