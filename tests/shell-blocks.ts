import { filesBelow, type SourceFile } from './source-tree.js';

/** What a page asks its reader to do, in order. */
export type Step =
  | { readonly kind: 'save'; readonly file: string; readonly content: string }
  | { readonly kind: 'run'; readonly script: string; readonly prints: string | undefined };

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;
const SAVE_AS = /[Ss]ave as `([\w.-]+)`[^\n]*\n\n$/;

/** The pages that speak to users: the README in both languages, and what lies directly in `docs/`. */
export function pages(): SourceFile[] {
  return filesBelow('.', /\.md$/).filter(({ path }) => /^(README(\.zh)?|docs\/[^/]+)\.md$/.test(path));
}

/**
 * A `sh` block is run, and every line of it begins with `$ `; the `text` block right after it is what it prints, `…`
 * standing for anything. A block after “Save as `name`” is that file. Whatever cannot run in a test is a `console` block.
 */
export function stepsOf({ path, text }: SourceFile): Step[] {
  const blocks = [...text.matchAll(FENCE)];
  return blocks.flatMap(({ 1: language, 2: body = '', index }, at): Step[] => {
    const file = SAVE_AS.exec(text.slice(0, index))?.[1];
    if (file !== undefined) return [{ kind: 'save', file, content: body }];
    if (language === '')
      throw new Error(`${path}: a block says what it is, so that it is run or known not to: ${body}`);
    if (language !== 'sh') return [];
    const lines = body.trimEnd().split('\n');
    const odd = lines.find((line) => !line.startsWith('$ '));
    if (odd !== undefined) throw new Error(`${path}: in a sh block every line begins with "$ ", not: ${odd}`);
    const next = blocks[at + 1];
    const script = lines.map((line) => line.slice(2)).join('\n');
    return [{ kind: 'run', script, prints: next?.[1] === 'text' ? next[2] : undefined }];
  });
}

/** `…` stands for anything, on one line or over several. */
export function printed(prints: string): RegExp {
  const literal = (part: string) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`^${prints.trimEnd().split('…').map(literal).join('[\\s\\S]*?')}$`);
}
