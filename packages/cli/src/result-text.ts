/** The result of a tool call as text for people. */
import type { CallToolResult, ContentBlock } from '@a2c/protocol';
import { contentOf } from './result-files.js';

/** Text as it is; one line with type and size for each image, audio or file. `save` is the option that writes them. */
export function resultText({ content, structuredContent }: CallToolResult, save?: string): string {
  if (content.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent, null, 2);
  return content.map((block) => describe(block, save)).join('\n');
}

function describe(block: ContentBlock, save: string | undefined): string {
  if (block.type === 'text') return String(block.text);
  if (typeof block.file === 'string') return block.file;
  if (block.type === 'resource_link') return String(block.uri);
  const content = contentOf(block);
  if (!content) return JSON.stringify(block);
  if (content.mimeType.startsWith('text/')) return content.bytes.toString('utf8');
  const hint = save === undefined ? '' : `; ${save} DIR writes it`;
  return `[${block.type} ${content.mimeType}, ${content.bytes.length} bytes${hint}]`;
}
