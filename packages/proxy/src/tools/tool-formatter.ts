import type { ProxyOptions } from '../options.js';
import { SchemaConverter } from '../schema/schema-converter.js';
import { cut, displayName, oneLine } from '../text/one-line.js';
import type { ToolAnnotations, ToolboxTool } from '../toolbox.js';

/** Longer descriptions are cut in a list; `inspect` of the tool shows all of it. */
const MAX_LISTED_DESCRIPTION = 400;

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
  list(tools: readonly ListedTool[]): string {
    const schemas = tools.map(({ tool }) => tool.inputSchema);
    const { types, declarations } = this.#options.schemaCompression
      ? this.#plain.convertAll(schemas)
      : { types: schemas.map((schema) => JSON.stringify(schema)), declarations: [] };
    const lines = tools.map(({ tool, server }, index) => {
      const description = cut(oneLine(tool.description ?? tool.title ?? ''), MAX_LISTED_DESCRIPTION);
      return `- ${formatName({ tool, server })} ${types[index]}${description && `: ${description}`}`;
    });
    return [...declarations, ...lines].join('\n');
  }

  /** One tool in full: description, arguments with comments, result, hints. */
  full({ tool, server, call }: ListedTool): string {
    const { description, title, outputSchema, annotations } = tool;
    const parts = [
      `${formatName({ tool, server })}${title && title !== tool.name ? ` - ${oneLine(title)}` : ''}`,
      description?.trim() ?? '',
      `Arguments: ${this.#schema(tool.inputSchema, this.#commented)}`,
      outputSchema ? `Returns: ${this.#schema(outputSchema, this.#plain)}` : '',
      call === undefined ? '' : `In code: await ${call}(arguments)`,
      hintsOf(annotations, tool.autoApply),
    ];
    return parts.filter((part) => part !== '').join('\n');
  }

  /** Name and arguments on as few lines as possible, for error messages. */
  signature(tool: ToolboxTool): string {
    return `${displayName(tool.name)} ${this.#schema(tool.inputSchema, this.#plain)}`;
  }

  /** The TypeScript type, or the JSON Schema if that is shorter. */
  #schema(schema: Readonly<Record<string, unknown>>, converter: SchemaConverter): string {
    const json = JSON.stringify(schema);
    if (!this.#options.schemaCompression) return json;
    const type = converter.convert(schema);
    return type.length <= json.length ? type : json;
  }
}

function hintsOf(annotations: ToolAnnotations = {}, autoApply: boolean | undefined): string {
  const hints = [
    annotations.readOnlyHint === true && 'read-only',
    annotations.destructiveHint === true && 'destructive',
    annotations.idempotentHint === true && 'idempotent',
    autoApply === false && 'asks before it runs',
  ].filter((hint) => hint !== false);
  return hints.length === 0 ? '' : `Hints: ${hints.join(', ')}`;
}
