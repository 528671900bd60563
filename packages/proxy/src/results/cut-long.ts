import type { ContentBlock } from '../toolbox.js';
import { type KeptTexts, type Page, wholeCharacters } from './kept-texts.js';

export interface TextBlock extends ContentBlock {
  readonly type: 'text';
  readonly text: string;
}

interface TextResource extends ContentBlock {
  readonly type: 'resource';
  readonly resource: { readonly text: string };
}

/** At most `limit` characters of text in all blocks together; what comes after them is kept, and the last block tells how to get it. */
export function cutLong(content: readonly ContentBlock[], limit: number, kept: KeptTexts): readonly ContentBlock[] {
  let left = limit;
  const rest: string[] = [];
  const shown = content.flatMap((block): readonly ContentBlock[] => {
    const text = textOf(block);
    const end = wholeCharacters(text, left);
    left -= end;
    if (end === text.length) return [block];
    left = 0; // what follows would be read before the rest of this one
    rest.push(text.slice(end));
    if (isTextResource(block)) return [{ ...block, resource: { ...block.resource, text: text.slice(0, end) } }];
    return end === 0 ? [] : [{ ...block, text: text.slice(0, end) }];
  });
  if (rest.length === 0) return content;
  const more = rest.join('\n');
  return [...shown, noteOf({ left: more.length, next: kept.keep(more) })];
}

/** Says that something is missing and how to get it. */
export function noteOf({ left, next }: Omit<Page, 'text'>): TextBlock {
  const text = next
    ? `[${left} more characters. Read on: inspect {"server_name": "*", "cursor": "${next}"}]`
    : '[The end.]';
  return { type: 'text', text };
}

export function isText(block: ContentBlock): block is TextBlock {
  return block.type === 'text' && typeof block.text === 'string';
}

function isTextResource(block: ContentBlock): block is TextResource {
  return block.type === 'resource' && typeof (block as Partial<TextResource>).resource?.text === 'string';
}

function textOf(block: ContentBlock): string {
  if (isText(block)) return block.text;
  return isTextResource(block) ? block.resource.text : '';
}
