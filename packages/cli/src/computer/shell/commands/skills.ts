import { words } from '../command-line.js';
import { shortened } from '../display-width.js';
import { type Reply, required, type Session, type ShellCommand } from '../session.js';
import { table } from '../table.js';

const DESCRIPTION_CELLS = 80;

async function skills({ computer, view }: Session): Promise<Reply> {
  const { say } = view;
  const listed = computer.skills();
  const rows = listed.map(({ name, source, description, tags = [] }) => [
    name,
    source,
    shortened(description, DESCRIPTION_CELLS),
    tags.join(' '),
  ]);
  const text =
    rows.length > 0 ? table([say('name'), say('source'), say('description'), say('tags')], rows, view) : say('none');
  return { data: listed, text };
}

/** Prints a file as an Agent reads it. */
async function skill(session: Session, rest: string): Promise<Reply> {
  const [given, path] = words(rest);
  const name = required(session, given, 'skill <name> [path]');
  const { bytes, mimeType, relPath, sha256 } = await session.computer.readSkill(name, path);
  const body = bytes.includes(0) ? undefined : bytes.toString();
  const about = { name, rel_path: relPath, mime_type: mimeType, total_size: bytes.length, sha256 };
  return {
    data: { ...about, ...(body !== undefined && { body }) },
    text: body ?? `${relPath}: ${mimeType}, ${bytes.length}`,
  };
}

export const skillCommands: readonly ShellCommand[] = [
  { path: 'skills', usage: '', help: 'help_skills', argument: 'none', run: skills },
  { path: 'skill', usage: '<name> [path]', help: 'help_skill', argument: 'none', run: skill },
];
