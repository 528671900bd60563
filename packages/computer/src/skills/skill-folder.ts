import { createHash } from 'node:crypto';
import type { A2CSkillRef } from '@a2c/protocol';
import { readConfined } from './confined-file.js';
import { optionalFields, parseSkillDocument, type SkillDocument } from './front-matter.js';

/** A skill that can be listed and read. */
export interface Skill {
  readonly ref: A2CSkillRef;
  /** Changes with the content of SKILL.md. */
  readonly fingerprint: string;
}

/** The file that describes a skill. */
export const ENTRY = 'SKILL.md';
/** Its largest size. */
export const MAX_ENTRY_BYTES = 1_024 * 1_024;

export interface FolderDocument extends SkillDocument {
  readonly fingerprint: string;
}

/** @throws ConfinedFileError, or Error when the file is malformed. */
export async function readEntry(folder: string): Promise<FolderDocument> {
  const bytes = await readConfined(folder, ENTRY, MAX_ENTRY_BYTES);
  const fingerprint = createHash('sha256').update(bytes).digest('hex');
  return { ...parseSkillDocument(bytes.toString()), fingerprint };
}

/** Builds the entry of a list. @throws Error without a description. */
export function toSkill(
  { fields, fingerprint }: FolderDocument,
  own: Pick<A2CSkillRef, 'name' | 'source' | 'path' | 'uri' | 'version'>,
): Skill {
  const { description } = fields;
  if (typeof description !== 'string' || description.trim() === '')
    throw new Error('the frontmatter has no "description"');
  return { ref: { ...own, description, ...optionalFields(fields) }, fingerprint };
}
