import { homedir } from 'node:os';
import { posix, resolve, win32 } from 'node:path';

/** The MCP clients whose configuration can be imported, in order of precedence for names. */
export const CLIENT_NAMES = [
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'windsurf',
  'codex',
  'gemini',
] as const;
/** One of `CLIENT_NAMES`. */
export type ClientName = (typeof CLIENT_NAMES)[number];

/** The product name of each client. */
export const CLIENT_TITLES: Readonly<Record<ClientName, string>> = {
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
  codex: 'Codex',
  gemini: 'Gemini CLI',
};

/** A path where a client keeps MCP servers. The file need not exist. */
export interface ClientFile {
  readonly client: ClientName;
  readonly file: string;
  /** The project folder that the file belongs to; null for a file of the user. */
  readonly project: string | null;
}

/** The facts that decide where client files are. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The project folder. */
  readonly root: string;
}

/** This platform, environment, user and working directory, with the given overrides. */
export function thisMachine(given: Partial<Machine> = {}): Machine {
  const root = given.root === undefined ? process.cwd() : resolve(given.root);
  return { platform: process.platform, env: process.env, home: homedir(), ...given, root };
}

/** Every path where one of the clients keeps MCP servers. */
export function clientFiles(machine: Machine): ClientFile[] {
  const { env, home, root, platform } = machine;
  const { join } = platform === 'win32' ? win32 : posix;
  const settings = settingsFolder(machine);
  const user = (client: ClientName, ...paths: string[]): ClientFile[] =>
    paths.map((file) => ({ client, file, project: null }));
  const project = (client: ClientName, ...paths: string[]): ClientFile[] =>
    paths.map((path) => ({ client, file: join(root, path), project: root }));
  const editors = [
    ...['Code', 'Code - Insiders', 'VSCodium'].map((name) => join(settings, name, 'User')),
    join(home, '.vscode-server', 'data', 'User'),
  ];
  return [
    ...user('claude-desktop', ...desktopFolders(machine).map((folder) => join(folder, 'claude_desktop_config.json'))),
    ...user('claude-code', join(env.CLAUDE_CONFIG_DIR || home, '.claude.json')),
    ...project('claude-code', '.mcp.json'),
    ...user('cursor', join(home, '.cursor', 'mcp.json')),
    ...project('cursor', join('.cursor', 'mcp.json')),
    ...user('vscode', ...editors.flatMap((folder) => [join(folder, 'mcp.json'), join(folder, 'settings.json')])),
    ...project('vscode', join('.vscode', 'mcp.json'), join('.vscode', 'settings.json')),
    ...user(
      'windsurf',
      join(home, '.codeium', 'windsurf', 'mcp_config.json'),
      join(home, '.codeium', 'mcp_config.json'),
    ),
    ...user('codex', join(env.CODEX_HOME || join(home, '.codex'), 'config.toml')),
    ...project('codex', join('.codex', 'config.toml')),
    ...user('gemini', join(home, '.gemini', 'settings.json')),
    ...project('gemini', join('.gemini', 'settings.json')),
  ];
}

/** Where desktop applications keep the settings of a user. */
function settingsFolder({ platform, env, home }: Machine): string {
  if (platform === 'win32') return env.APPDATA || win32.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || posix.join(home, '.config');
}

/** On Windows, Claude from the Microsoft Store has its own settings folder. */
function desktopFolders(machine: Machine): string[] {
  const { platform, env, home } = machine;
  if (platform !== 'win32') return [posix.join(settingsFolder(machine), 'Claude')];
  const local = env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local');
  const store = win32.join(local, 'Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming', 'Claude');
  return [win32.join(settingsFolder(machine), 'Claude'), store];
}
