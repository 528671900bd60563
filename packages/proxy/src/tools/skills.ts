import { isUtf8 } from 'node:buffer';
import type { CallToolResult, ContentBlock } from '@a2c/protocol';
import { estimateTokens } from '../catalogue/estimate-tokens.js';
import type { ProxyOptions } from '../options.js';
import { errorResult } from '../results/error-results.js';
import { type TruncatedTexts, truncate } from '../results/truncate.js';
import { cutLine, displayName, oneLine } from '../text/one-line.js';
import type { Toolbox, ToolboxCallOptions, ToolboxSkill, ToolboxSkillFile, ToolboxSkills } from '../toolbox.js';
import type { SkillRequest } from './definitions.js';
import { endedList, listText, pageOf, positionOf } from './pages.js';

const MAX_DESCRIPTION = 200;

/** Larger files that are neither text nor an image are of no use to a model. */
const MAX_BINARY_BYTES = 1_024 * 1_024;

const HOW = 'Read one with skill_name, before you do such a task.';

interface SkillContext {
  readonly toolbox: Toolbox;
  readonly rests: TruncatedTexts;
  readonly options: ProxyOptions;
}

/** The skills of a toolbox, for `inspect`: the list in pages, the instructions, and files. */
export class SkillReader {
  readonly #context: SkillContext;

  /** @hidden */
  constructor(context: SkillContext) {
    this.#context = context;
  }

  /** Answers one request. Never rejects: every failure is a result with `isError`. */
  async run(request: SkillRequest, options: ToolboxCallOptions = {}): Promise<CallToolResult> {
    const { skills } = this.#context.toolbox;
    if (!skills) return errorResult('There are no skills here.');
    try {
      if ('name' in request) return this.#answer([blockOf(await skills.read(request.name, options))]);
      return await this.#list(skills, request.cursor, options);
    } catch (error) {
      return errorResult((error as Error).message);
    }
  }

  async #list(source: ToolboxSkills, cursor: string | undefined, options: ToolboxCallOptions): Promise<CallToolResult> {
    const { skills, problems } = await source.list(options);
    const position = positionOf(cursor);
    if (position === undefined) return errorResult(`"${displayName(cursor ?? '')}" is not a cursor of this list`);
    if (position > 0 && position >= skills.length) return errorResult(endedList(skills.length));
    const count = `${skills.length} ${skills.length === 1 ? 'skill' : 'skills'}`;
    const heading = [skills.length === 0 ? 'There are no skills.' : `${count}. ${HOW}`, ...problems.map(oneLine)];
    const tokens = this.#context.options.pageTokens - estimateTokens(heading.join('\n'));
    const page = pageOf(skills, position, tokens, (some) => some.map(lineOf).join('\n'));
    const { text, cursor: next } = listText(heading, page, skills.length);
    return this.#answer([{ type: 'text', text }], {
      skills: page.items.map(({ name, description }) => ({ name, description })),
      ...(next && { next_cursor: next }),
    });
  }

  /** With structured content, because `inspect` declares an output schema. */
  #answer(content: readonly ContentBlock[], data: Readonly<Record<string, unknown>> = {}): CallToolResult {
    const { options, rests } = this.#context;
    const shown = truncate(content, options.maxResultLength, rests);
    return options.structuredContent ? { content: shown, structuredContent: data } : { content: shown };
  }
}

function lineOf({ name, description }: ToolboxSkill): string {
  return `- ${displayName(name)}: ${cutLine(description, MAX_DESCRIPTION)}`;
}

/** Text as text, an image as an image, everything else as an embedded resource. */
function blockOf({ path, mimeType, bytes }: ToolboxSkillFile): ContentBlock {
  if (isUtf8(bytes)) return { type: 'text', text: new TextDecoder().decode(bytes) };
  const data = () => Buffer.from(bytes).toString('base64');
  if (mimeType.startsWith('image/')) return { type: 'image', data: data(), mimeType };
  if (bytes.length > MAX_BINARY_BYTES)
    throw new Error(`"${displayName(path)}" has ${bytes.length} bytes; files that are no text are shown up to 1 MiB`);
  return { type: 'resource', resource: { uri: `skill-file:${encodeURI(path)}`, mimeType, blob: data() } };
}
