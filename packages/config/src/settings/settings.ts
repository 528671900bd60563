import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { FileError, readFileSafely } from '../files/read-file-safely.js';
import { userConfigFolder } from '../files/user-folder.js';

const names = z.array(z.string());

/** The keys that are read. Other keys are those of other programs and stay in the file. */
const schema = z.looseObject({
  installedPlugins: names.default([]),
  enabledPlugins: z.record(z.string(), z.boolean()).default({}),
  blockedMarketplaces: names.default([]),
  disabledMcpjsonServers: names.default([]),
  allowedMcpServers: names.default([]),
  deniedMcpServers: names.default([]),
});

/** The settings of a user, in the format of A2C-SMCP. */
export type UserSettings = z.infer<typeof schema>;

/** Settings that switch MCP servers off, and the marketplaces that are blocked. */
export interface ApprovalLists {
  /** MCP servers, by bundle id or name, that this user switched off. */
  readonly disabled: readonly string[];
  /** If not empty, only these MCP servers are used. Set by the administrator. */
  readonly allowed: readonly string[];
  /** MCP servers that are never used. Set by the administrator. */
  readonly denied: readonly string[];
  readonly blockedMarketplaces: readonly string[];
}

/** The settings file of the user. */
export function settingsFile(env: NodeJS.ProcessEnv = process.env): string {
  return join(userConfigFolder(env), 'settings.json');
}

/** The folder of the settings that an administrator of this machine makes. */
export function policyFolder(platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return 'C:\\Program Files\\A2CComputer';
  return platform === 'darwin' ? '/Library/Application Support/A2CComputer' : '/etc/a2c-computer';
}

/**
 * Reads the settings of the user. A missing file gives the defaults.
 *
 * @throws Error that names the file and the key, for a file that cannot be read or is malformed.
 */
export async function readSettings(file: string = settingsFile()): Promise<UserSettings> {
  try {
    const parsed = schema.safeParse(JSON.parse((await readFileSafely(file)).text));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join('.')}: ${issue?.message}`);
  } catch (error) {
    if (error instanceof FileError && error.missing) return schema.parse({});
    throw new Error(`the settings ${file} are not valid: ${(error as Error).message}`, { cause: error });
  }
}

/** Changes the settings of the user. Keys that are not changed stay as they are. */
export async function changeSettings(
  change: (settings: UserSettings) => Partial<UserSettings>,
  file: string = settingsFile(),
): Promise<void> {
  const before = await readSettings(file);
  const given = Object.fromEntries(Object.entries(before).filter(([, value]) => !isEmpty(value)));
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `.settings-${randomUUID()}`);
  await writeFile(temporary, `${JSON.stringify({ ...given, ...change(before) }, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, file);
}

/** Defaults are not written. */
const isEmpty = (value: unknown): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0;

/**
 * The lists of the user and of the administrator: `managed-settings.json` and `managed-settings.d/*.json` in the policy
 * folder. Only the administrator's files can allow or deny; everybody can switch off.
 */
export async function approvalLists({
  file = settingsFile(),
  policy = policyFolder(),
}: {
  readonly file?: string;
  readonly policy?: string;
} = {}): Promise<ApprovalLists> {
  const parts = await readdir(join(policy, 'managed-settings.d')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new Error(`the policy of this machine cannot be read: ${error.message}`, { cause: error });
  });
  const managed = parts.filter((name) => name.endsWith('.json')).toSorted();
  const paths = [
    join(policy, 'managed-settings.json'),
    ...managed.map((name) => join(policy, 'managed-settings.d', name)),
  ];
  const policies = await Promise.all(paths.map((path) => readSettings(path)));
  const own = await readSettings(file);
  return {
    disabled: [own, ...policies].flatMap(({ disabledMcpjsonServers }) => disabledMcpjsonServers),
    allowed: policies.flatMap(({ allowedMcpServers }) => allowedMcpServers),
    denied: policies.flatMap(({ deniedMcpServers }) => deniedMcpServers),
    blockedMarketplaces: [own, ...policies].flatMap(({ blockedMarketplaces }) => blockedMarketplaces),
  };
}
