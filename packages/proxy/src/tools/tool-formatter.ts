import { isRecord } from '@a2c/protocol';
import type { ProxyOptions } from '../options.js';
import { isLongerThan } from '../results/json-text.js';
import { needsOf } from '../schema/comment.js';
import { SchemaConverter } from '../schema/schema-converter.js';
import { cutAtSentence, displayName, oneLine } from '../text/one-line.js';
import type { ToolAnnotations, ToolboxTool } from '../toolbox.js';

/** Longer descriptions are cut in a list; `inspect` of the tool shows all of it. */
const MAX_LISTED_DESCRIPTION = 360;

/** Shown below types with comments that were cut. */
const CUT_NOTE = 'Texts that end with ... are cut; detail "schema" shows them.';

type FormatOptions = Pick<ProxyOptions, 'schemaCompression' | 'maxDescriptionLength'>;

export interface ListedTool {
  readonly tool: ToolboxTool;
  /** Shown after the name in lists that mix servers. */
  readonly server?: string | undefined;
  /** How code calls it, in code mode. */
  readonly call?: string | undefined;
}

export function formatName({ tool, server }: ListedTool): string {
  return `${displayName(tool.name)}${server === undefined ? '' : ` (server ${displayName(server)})`}`;
}

/** Tools as text for a model, and the same as data. */
export interface FormattedTools {
  readonly text: string;
  readonly data: readonly Readonly<Record<string, unknown>>[];
  /** The types that several tools share, as `type Name = …`. */
  readonly declarations: readonly string[];
}

/** One tool as text for a model, and the same as data. */
export interface FormattedTool {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Writes tools as text for a model. */
export class ToolFormatter {
  readonly #options: FormatOptions;
  readonly #plain = new SchemaConverter();
  readonly #commented: SchemaConverter;

  constructor(options: FormatOptions) {
    this.#options = options;
    this.#commented = new SchemaConverter({ maxDescriptionLength: options.maxDescriptionLength });
  }

  /** `- name {arguments}: description`, one line per tool, preceded by the types they share. */
  list(tools: readonly ListedTool[]): FormattedTools {
    const schemas = tools.map(({ tool }) => tool.inputSchema);
    const { types, declarations } = this.#options.schemaCompression
      ? this.#plain.convertAll(schemas)
      : { types: schemas.map((schema) => JSON.stringify(schema)), declarations: [] };
    const described = tools.map((listed, index) => {
      const { description = '', title = '' } = listed.tool;
      return {
        listed,
        type: types[index] ?? '',
        description: cutAtSentence(description || title, MAX_LISTED_DESCRIPTION),
      };
    });
    const lines = described.map(
      ({ listed, type, description }) => `- ${formatName(listed)} ${type}${description && `: ${description}`}`,
    );
    return {
      text: [...declarations, ...lines].join('\n'),
      data: described.map(({ listed, type, description }) => ({
        ...nameOf(listed),
        ...(type !== '{}' && { arguments: type }),
        ...(description !== '' && { description }),
      })),
      declarations,
    };
  }

  /** A tool in full: description, arguments with comments, result, hints. `asSchema`: JSON Schemas instead of types. */
  full(listed: ListedTool, asSchema: boolean): FormattedTool {
    const { tool, call } = listed;
    const { description, title, inputSchema, outputSchema, annotations } = tool;
    const shown = (schema: Readonly<Record<string, unknown>>, converter: SchemaConverter) =>
      asSchema ? JSON.stringify(schema) : this.#schema(schema, converter);
    const args = shown(inputSchema, this.#commented);
    const returns = isRecord(outputSchema) ? shown(outputSchema, this.#plain) : '';
    const hints = hintsOf(annotations, tool.autoApply);
    const parts = [
      `${formatName(listed)}${title && title !== tool.name ? ` - ${oneLine(title)}` : ''}`,
      description?.trim() ?? '',
      `Arguments: ${args}`,
      asSchema ? '' : needsOf(inputSchema).join('; '),
      returns && `Returns: ${returns}`,
      call === undefined ? '' : `In code: await ${call}(arguments)`,
      hints.length === 0 ? '' : `Hints: ${hints.join(', ')}`,
      !asSchema && args.includes('... */') ? CUT_NOTE : '',
    ];
    const schemas = asSchema
      ? { input_schema: inputSchema, ...(isRecord(outputSchema) && { output_schema: outputSchema }) }
      : { arguments: args, ...(returns && { returns }) };
    const data = {
      ...nameOf(listed),
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...schemas,
      ...(isRecord(annotations) && { annotations }),
    };
    return { text: parts.filter((part) => part !== '').join('\n'), data };
  }

  /** Name and arguments on as few lines as possible, for error messages. */
  signature(tool: ToolboxTool): string {
    return `${displayName(tool.name)} ${this.#schema(tool.inputSchema, this.#plain)}`;
  }

  /** The TypeScript type, or the JSON Schema if that is shorter. */
  #schema(schema: Readonly<Record<string, unknown>>, converter: SchemaConverter): string {
    if (!this.#options.schemaCompression) return JSON.stringify(schema);
    const type = converter.convert(schema);
    if (isLongerThan(type.length, schema)) return type;
    const json = JSON.stringify(schema);
    return type.length <= json.length ? type : json;
  }
}

/** The server is part of a tool's data where its text names it. */
function nameOf({ tool, server }: ListedTool): Record<string, unknown> {
  return { ...(server !== undefined && { server_name: server }), name: tool.name };
}

function hintsOf(annotations: ToolAnnotations = {}, autoApply: boolean | undefined): readonly string[] {
  return [
    annotations.readOnlyHint === true && 'read-only',
    annotations.destructiveHint === true && 'destructive',
    annotations.idempotentHint === true && 'idempotent',
    autoApply === false && 'asks before it runs',
  ].filter((hint) => hint !== false);
}
