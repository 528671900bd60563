import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { words } from '../command-line.js';

/** Opens the user's editor with a text and returns the text that was saved. The file is readable by its owner only. */
export async function editText(text: string, env: NodeJS.ProcessEnv): Promise<string> {
  const fallback = process.platform === 'win32' ? 'notepad' : 'vi';
  const [program = fallback, ...args] = words(env.VISUAL || env.EDITOR || fallback);
  const folder = await mkdtemp(join(tmpdir(), 'a2c-edit-'));
  try {
    const file = join(folder, 'server.json');
    await writeFile(file, text, { mode: 0o600 });
    const editor = spawn(program, [...args, file], { stdio: 'inherit' });
    const [code] = (await once(editor, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${program} ended with ${code ?? 'a signal'}`);
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}
