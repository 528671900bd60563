import { filesBelow, type SourceFile } from './source-tree.js';

/** One instruction of a page. */
export type Step =
  | { readonly kind: 'save'; readonly file: string; readonly content: string }
  | { readonly kind: 'run'; readonly script: string; readonly prints: string | undefined };

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;
const SAVE_AS = /[Ss]ave as `([\w.-]+)`[^\n]*\n\n$/;

/** The pages for users: both READMEs and the files directly in `docs/`. */
export function pages(): SourceFile[] {
  return filesBelow('.', /\.md$/).filter(({ path }) => /^(README(\.zh)?|docs\/[^/]+)\.md$/.test(path));
}

/**
 * A `sh` block is run; each of its lines starts with `$ `. The `text` block that follows is the expected output, where
 * `…` matches anything. A block after “Save as `name`” is written to that file. A `console` block is not run.
 */
export function stepsOf({ path, text }: SourceFile): Step[] {
  const blocks = [...text.matchAll(FENCE)];
  return blocks.flatMap(({ 1: language, 2: body = '', index }, at): Step[] => {
    const file = SAVE_AS.exec(text.slice(0, index))?.[1];
    if (file !== undefined) return [{ kind: 'save', file, content: body }];
    if (language === '') throw new Error(`${path}: a block needs a language (sh to run it, console not to): ${body}`);
    if (language !== 'sh') return [];
    const lines = body.trimEnd().split('\n');
    const odd = lines.find((line) => !line.startsWith('$ '));
    if (odd !== undefined) throw new Error(`${path}: in a sh block every line must start with "$ ": ${odd}`);
    const next = blocks[at + 1];
    const script = lines.map((line) => line.slice(2)).join('\n');
    return [{ kind: 'run', script, prints: next?.[1] === 'text' ? next[2] : undefined }];
  });
}

/** `…` matches anything, including line breaks. */
export function printed(prints: string): RegExp {
  const literal = (part: string) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`^${prints.trimEnd().split('…').map(literal).join('[\\s\\S]*?')}$`);
}
