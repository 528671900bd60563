import type { ProxyOptions } from '../options.js';
import { SchemaConverter } from '../schema/schema-converter.js';
import { cut, oneLine, shownName } from '../text/one-line.js';
import type { ToolboxTool, ToolHints } from '../toolbox.js';

/** In a list, a description longer than this is cut; `inspect` of the tool shows all of it. */
const MAX_LISTED_DESCRIPTION = 400;

type TextOptions = Pick<ProxyOptions, 'schemaCompression' | 'maxDescriptionLength'>;

export interface ListedTool {
  readonly tool: ToolboxTool;
  /** Said after the name, where tools of several servers stand together. */
  readonly of?: string | undefined;
}

export function nameOf({ tool, of }: ListedTool): string {
  return `${shownName(tool.name)}${of === undefined ? '' : ` (server ${shownName(of)})`}`;
}

/** How tools are written for a model. */
export class ToolText {
  readonly #options: TextOptions;
  readonly #types = new SchemaConverter();
  readonly #documented: SchemaConverter;

  constructor(options: TextOptions) {
    this.#options = options;
    this.#documented = new SchemaConverter({ maxDescriptionLength: options.maxDescriptionLength });
  }

  /** `- name {arguments}: description`, one line per tool, with the types they share in front. */
  list(tools: readonly ListedTool[]): string {
    const schemas = tools.map(({ tool }) => tool.inputSchema);
    const { types, declarations } = this.#options.schemaCompression
      ? this.#types.convertAll(schemas)
      : { types: schemas.map((schema) => JSON.stringify(schema)), declarations: [] };
    const lines = tools.map(({ tool, of }, index) => {
      const description = cut(oneLine(tool.description ?? tool.title ?? ''), MAX_LISTED_DESCRIPTION);
      return `- ${nameOf({ tool, of })} ${types[index]}${description && `: ${description}`}`;
    });
    return [...declarations, ...lines].join('\n');
  }

  /** Everything about one tool: what it does, what it takes, what it returns, what it does to the world. */
  full({ tool, of }: ListedTool): string {
    const { description, title, outputSchema, annotations } = tool;
    const parts = [
      `${nameOf({ tool, of })}${title && title !== tool.name ? ` - ${oneLine(title)}` : ''}`,
      description?.trim() ?? '',
      `Arguments: ${this.#schema(tool.inputSchema, this.#documented)}`,
      outputSchema ? `Returns: ${this.#schema(outputSchema, this.#types)}` : '',
      hintsOf(annotations, tool.autoApply),
    ];
    return parts.filter((part) => part !== '').join('\n');
  }

  /** Name and arguments on as few lines as possible, for error messages. */
  signature(tool: ToolboxTool): string {
    return `${shownName(tool.name)} ${this.#schema(tool.inputSchema, this.#types)}`;
  }

  /** The type, unless the schema itself is shorter. */
  #schema(schema: Readonly<Record<string, unknown>>, converter: SchemaConverter): string {
    const json = JSON.stringify(schema);
    if (!this.#options.schemaCompression) return json;
    const type = converter.convert(schema);
    return type.length <= json.length ? type : json;
  }
}

function hintsOf(hints: ToolHints = {}, autoApply: boolean | undefined): string {
  const told = [
    hints.readOnlyHint === true && 'read-only',
    hints.destructiveHint === true && 'destructive',
    hints.idempotentHint === true && 'idempotent',
    autoApply === false && 'asks before it runs',
  ].filter((hint) => hint !== false);
  return told.length === 0 ? '' : `Hints: ${told.join(', ')}`;
}
