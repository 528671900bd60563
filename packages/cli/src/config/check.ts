import { existsSync, statSync } from 'node:fs';
import {
  ConfigError,
  checkLogPaths,
  checkPatterns,
  checkPrograms,
  formatProblem,
  formatRefusal,
  type LoadedConfig,
  type Problem,
  type Refusal,
  type ServerConfig,
  TrustError,
  TrustGuard,
} from '@a2c/config';
import { type ConfigOptions, checkVrl, policyFrom, readFrom, withTrustCommand } from '../config-options.js';
import { EXIT } from '../exit-codes.js';
import { print, printError, printJson } from '../output.js';

/** The result of checking one file. */
interface CheckResult {
  readonly file: string;
  readonly ok: boolean;
  readonly format: string | null;
  readonly trusted: boolean;
  readonly problems: readonly Problem[];
  readonly servers: readonly {
    readonly name: string;
    readonly transport: string;
    readonly disabled: boolean;
    /** What this server needs and an untrusted file may not do. Not an error of the file. */
    readonly refusals: readonly Refusal[];
  }[];
}

export async function check(files: readonly string[], options: ConfigOptions): Promise<void> {
  const results: CheckResult[] = [];
  for (const file of files.length > 0 ? files : [undefined]) results.push(await checkFile(options, file));
  if (options.json) printJson(results);
  else for (const result of results) printResult(result, options);
  if (results.some(({ ok }) => !ok)) process.exitCode = EXIT.wrong;
}

async function checkFile(options: ConfigOptions, file?: string): Promise<CheckResult> {
  try {
    const loaded = await readFrom(options, file);
    const policy = await policyFrom(options, loaded);
    const guard = new TrustGuard(policy);
    const servers = [];
    for (const server of loaded.servers) {
      const { name, disabled, transport } = server;
      // Nothing connects here, so host names are resolved only on request.
      const refusals = options.dnsCheck ? await refusalsWithDns(guard, server) : guard.check(server);
      servers.push({ name, transport: transport.type, disabled, refusals });
    }
    const scripts = loaded.source.discovered && policy.trusted ? checkScripts(loaded) : [];
    const refused = [...checkLogPaths(loaded), ...scripts];
    const problems = [...loaded.warnings, ...refused, ...checkPatterns(loaded), ...checkPrograms(loaded)];
    return {
      file: loaded.source.files[0].file,
      ok: refused.length === 0,
      format: loaded.format,
      trusted: policy.trusted,
      problems,
      servers,
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { problems } = error;
    return { file: problems[0]?.file ?? file ?? '', ok: false, format: null, trusted: false, problems, servers: [] };
  }
}

/** The scripts of a discovered file are not compiled while it is read, because it may not be trusted. */
function checkScripts({ servers }: LoadedConfig): readonly Problem[] {
  return servers.flatMap(({ name, vrl, origin }): Problem[] => {
    const problem = vrl === null ? null : checkVrl(vrl);
    if (problem === null) return [];
    return [{ severity: 'error', file: origin.file, pointer: '', message: `server "${name}": ${problem}` }];
  });
}

async function refusalsWithDns(guard: TrustGuard, server: ServerConfig): Promise<readonly Refusal[]> {
  try {
    await guard.approve(server);
    return [];
  } catch (error) {
    if (!(error instanceof TrustError)) throw error;
    return error.refusals;
  }
}

function printResult({ file, ok, format, trusted, problems, servers }: CheckResult, { root }: ConfigOptions): void {
  for (const problem of problems) printError(formatProblem(problem));
  if (!ok) {
    // The problem above already reports a missing file.
    if (existsSync(file) && !statSync(file).isDirectory()) print(`${file}: wrong`);
    return;
  }
  print(
    `${file}: ok (${format}, ${servers.length} ${servers.length === 1 ? 'server' : 'servers'}${trusted ? ', trusted' : ''})`,
  );
  for (const { name, transport, disabled, refusals } of servers) {
    const explained = refusals.map((refusal) => withTrustCommand(formatRefusal(refusal), file, root));
    const needs = explained.map((text) => text.slice(`${name}: `.length));
    const state = disabled ? 'disabled' : needs.length > 0 ? `needs trust: ${needs.join('; ')}` : 'may run';
    print(`  ${name}: ${transport}, ${state}`);
  }
}
