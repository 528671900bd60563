import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { whileLocked } from '../files/process-lock.js';
import { FileError, readFileOf, readFileSafely } from '../files/read-file-safely.js';
import { replaceFile } from '../files/replace-file.js';
import { userConfigFolder } from '../files/user-folder.js';

const names = z.array(z.string());

const marketplace = z.object({
  source: z.object({ type: z.literal('git'), url: z.string().min(1) }),
  autoUpdate: z.boolean().optional(),
});

/** The keys that are read. Other keys are those of other programs and stay in the file. */
const schema = z.looseObject({
  installedPlugins: names.default([]),
  enabledPlugins: z.record(z.string(), z.boolean()).default({}),
  extraKnownMarketplaces: z.record(z.string(), marketplace).default({}),
  strictKnownMarketplaces: z.boolean().optional(),
  trustedMarketplaces: names.default([]),
  blockedMarketplaces: names.default([]),
  enableAllProjectMcpServers: z.boolean().optional(),
  enabledMcpjsonServers: names.default([]),
  disabledMcpjsonServers: names.default([]),
  allowedMcpServers: names.default([]),
  deniedMcpServers: names.default([]),
  landingRoot: z.string().refine(isAbsolute, 'expected an absolute path').optional(),
  /** Of a2c: the content of the files whose MCP servers `enabledMcpjsonServers` approves. */
  approvedContent: z.string().optional(),
  /** Of a2c: MCP servers with that content that the user refused. It switches off no server of another scope. */
  refusedMcpServers: names.default([]),
});

/** The settings of a user, in the format of A2C-SMCP. */
export type UserSettings = z.infer<typeof schema>;

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
 * Reads the settings of the user, or those in the folder `project`. A missing file gives the defaults.
 *
 * @throws Error that names the file and the key, for a file that cannot be read or is malformed.
 */
export async function readSettings(file: string = settingsFile(), options: ReadOptions = {}): Promise<UserSettings> {
  return (await readWithDigest(file, options)).settings;
}

interface ReadOptions {
  readonly isRequired?: boolean;
  /** The folder whose file it is. */
  readonly project?: string;
}

/** As `readSettings`, with the digest of what was read; null if there is no file. */
export async function readWithDigest(
  file: string,
  { isRequired = false, project }: ReadOptions = {},
): Promise<{ readonly settings: UserSettings; readonly sha256: string | null }> {
  try {
    const { text, sha256 } = await (project === undefined ? readFileSafely(file) : readFileOf(project, file));
    const parsed = schema.safeParse(JSON.parse(text));
    if (parsed.success) return { settings: parsed.data, sha256 };
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join('.')}: ${issue?.message}`);
  } catch (error) {
    const isAbsent = error instanceof FileError && error.missing;
    if (!isRequired && isAbsent) return { settings: schema.parse({}), sha256: null };
    throw new Error(`the settings ${file} are not valid: ${(error as Error).message}`, { cause: error });
  }
}

/** What changes, of the settings as they are. */
type SettingsChange = (
  settings: UserSettings,
  sha256: string | null,
) => Partial<UserSettings> | Promise<Partial<UserSettings>>;

/** Changes the settings of the user. Keys that are not changed stay as they are, also those of other processes. */
export async function changeSettings(change: SettingsChange, file: string = settingsFile()): Promise<void> {
  await whileLocked(file, () => writeSettings(change, file));
}

/** As `changeSettings`, for a caller that holds the lock of the file. Returns the digest of what was written. */
export async function writeSettings(change: SettingsChange, file: string, options: ReadOptions = {}): Promise<string> {
  const { settings, sha256 } = await readWithDigest(file, options);
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => !isEmpty(value)));
  const text = `${JSON.stringify({ ...given, ...(await change(settings, sha256)) }, null, 2)}\n`;
  await replaceFile(file, text);
  return createHash('sha256').update(text).digest('hex');
}

/** Defaults are not written. */
const isEmpty = (value: unknown): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0;
