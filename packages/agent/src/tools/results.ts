/** Results of tool calls in the formats of model libraries. */
import type { CallToolResult, ContentBlock } from '@a2c/protocol';

/** The result of one call that a model made. */
export interface ModelCallResult {
  /** The id that the model gave the call: `tool_call.id` of OpenAI, `tool_use.id` of Anthropic. */
  readonly id: string;
  readonly result: CallToolResult;
}

/** A message of OpenAI's Chat Completions: the text of one result, or the images and sounds of all results. */
export type OpenAIMessage =
  | { role: 'tool'; tool_call_id: string; content: string }
  | { role: 'user'; content: OpenAIPart[] };

/** A part of a user message of OpenAI's Chat Completions. */
export type OpenAIPart = { type: 'text'; text: string } | OpenAIImage | OpenAIAudio;

/** An image in a message of OpenAI's Chat Completions. */
export interface OpenAIImage {
  type: 'image_url';
  image_url: { url: string };
}

/** A sound in a message of OpenAI's Chat Completions. */
export interface OpenAIAudio {
  type: 'input_audio';
  input_audio: { data: string; format: 'wav' | 'mp3' };
}

/** A message of Anthropic's Messages with the results of all calls of one turn. */
export interface AnthropicMessage {
  role: 'user';
  content: AnthropicToolResult[];
}

/** The result of one call in a message of Anthropic's Messages. */
export interface AnthropicToolResult {
  type: 'tool_result';
  tool_use_id: string;
  content: ({ type: 'text'; text: string } | AnthropicImage)[];
  is_error: boolean;
}

/** An image in a message of Anthropic's Messages. */
export interface AnthropicImage {
  type: 'image';
  source: { type: 'base64'; media_type: ImageType; data: string };
}

/** A result as the AI SDK passes it to a model. */
export type AISDKOutput = { type: 'text' | 'error-text'; value: string } | { type: 'content'; value: AISDKContent[] };

/** A part of a result for the AI SDK. */
export type AISDKContent =
  | { type: 'text'; text: string }
  | { type: 'image-data' | 'file-data'; data: string; mediaType: string };

/** The types of images that models of both providers accept. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
type ImageType = (typeof IMAGE_TYPES)[number];

/** A part of a result: a text, or a file with its type. */
type Part =
  | { readonly text: string }
  | { readonly data: string; readonly mediaType: string; readonly image: ImageType | undefined };

/**
 * The results of one turn as messages for OpenAI's Chat Completions. Tool messages carry text only, so images and
 * sounds follow in one user message. `audio: false` leaves out sounds, for models that refuse them.
 *
 * @example
 * ```ts
 * const results = await Promise.all(
 *   calls.map(async ({ id, function: { name, arguments: args } }) => {
 *     return { id, result: await agent.callNamed(name, JSON.parse(args)) };
 *   }),
 * );
 * messages.push(...toOpenAIMessages(results));
 * ```
 */
export function toOpenAIMessages(
  results: readonly ModelCallResult[],
  { audio = true }: { readonly audio?: boolean } = {},
): OpenAIMessage[] {
  const media = results.flatMap(({ id, result }) => partsOf(result).flatMap((part) => openAIMedia(part, id, audio)));
  return [
    ...results.map(({ id, result }) => ({ role: 'tool' as const, tool_call_id: id, content: textOf(result) })),
    ...(media.length > 0 ? [{ role: 'user' as const, content: media }] : []),
  ];
}

/** The results of one turn as a message for Anthropic's Messages, images included. */
export function toAnthropicMessage(results: readonly ModelCallResult[]): AnthropicMessage {
  const content = results.map(({ id, result }) => ({
    type: 'tool_result' as const,
    tool_use_id: id,
    content: partsOf(result).map(anthropicPart),
    is_error: result.isError === true,
  }));
  return { role: 'user', content };
}

/**
 * A result for the AI SDK: text as text, images as images, other files as files. `ai` 7 has one type for files, which
 * its predecessors do not know; their types are deprecated there.
 */
export function toAISDKOutput(result: CallToolResult, hasOneFileType: boolean): AISDKOutput {
  const parts = partsOf(result);
  if (result.isError) return { type: 'error-text', value: textOf(result) };
  if (parts.every((part) => 'text' in part)) return { type: 'text', value: textOf(result) };
  return {
    type: 'content',
    value: parts.map((part) => {
      if ('text' in part) return { type: 'text', text: part.text };
      const { data, mediaType } = part;
      // Not in the declared type: a program with `ai` 6 would not compile.
      if (hasOneFileType) return { type: 'file', mediaType, data: { type: 'data', data } } as unknown as AISDKContent;
      return { type: part.image ? 'image-data' : 'file-data', data, mediaType };
    }),
  };
}

function partsOf({ content, structuredContent }: CallToolResult): readonly Part[] {
  if (content.length === 0 && structuredContent !== undefined) return [{ text: JSON.stringify(structuredContent) }];
  return content.map(partOf);
}

function partOf(block: ContentBlock): Part {
  if (block.type === 'text') return { text: String(block.text) };
  if (block.type === 'resource_link') return { text: String(block.uri) };
  const holder = block.type === 'resource' ? (block.resource as Readonly<Record<string, unknown>>) : block;
  if (typeof holder?.text === 'string') return { text: holder.text };
  const data = block.type === 'resource' ? holder?.blob : holder?.data;
  if (typeof data !== 'string') return { text: JSON.stringify(block) };
  const mediaType = typeof holder?.mimeType === 'string' ? holder.mimeType : 'application/octet-stream';
  return { data, mediaType, image: IMAGE_TYPES.find((type) => type === mediaType) };
}

/** The texts of a result, with a line for each file that the format cannot carry. */
function textOf(result: CallToolResult): string {
  return partsOf(result)
    .map((part) => ('text' in part ? part.text : placeholder(part)))
    .join('\n');
}

function placeholder({ data, mediaType }: { readonly data: string; readonly mediaType: string }): string {
  return `[${mediaType}, ${Math.floor((data.length * 3) / 4)} bytes]`;
}

/** The sounds that OpenAI accepts. */
const AUDIO_FORMATS: Readonly<Record<string, 'wav' | 'mp3'>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

function openAIMedia(part: Part, id: string, withAudio: boolean): OpenAIPart[] {
  if ('text' in part) return [];
  if (part.image) {
    const url = `data:${part.image};base64,${part.data}`;
    return [
      { type: 'text', text: `Image of the result of ${id}:` },
      { type: 'image_url', image_url: { url } },
    ];
  }
  const format = withAudio ? AUDIO_FORMATS[part.mediaType] : undefined;
  if (!format) return [];
  return [
    { type: 'text', text: `Sound of the result of ${id}:` },
    { type: 'input_audio', input_audio: { data: part.data, format } },
  ];
}

function anthropicPart(part: Part): { type: 'text'; text: string } | AnthropicImage {
  if ('text' in part) return { type: 'text', text: part.text };
  if (!part.image) return { type: 'text', text: placeholder(part) };
  return { type: 'image', source: { type: 'base64', media_type: part.image, data: part.data } };
}
