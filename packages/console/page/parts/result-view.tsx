import { type CallToolResult, type ContentBlock, isDeeperThan } from '@a2c/protocol';
import { language } from '../state/settings.js';
import { t } from '../state/texts.js';
import { JsonTree } from './json-tree.js';

/** Larger tables are shown in part. */
const SHOWN_ROWS = 200;

/** Data with more columns, or deeper data, is shown as a tree. */
const MAX_COLUMNS = 50;
const MAX_DEPTH = 20;

/** The result of a tool: texts, JSON as a tree, rows as a table, images, audio, links. */
export function ResultView({ result }: { readonly result: CallToolResult }) {
  const failure = failureOf(result);
  if (failure !== undefined) return <p class="error-text">{failure}</p>;
  const { structuredContent, isError } = result;
  const content = result.content ?? [];
  const data = structuredContent ?? dataOf(content);
  return (
    <div class="result">
      {isError && <p class="error-text">{t('resultFailed')}</p>}
      {data !== undefined && <Data value={data} />}
      {content.map((block, index) =>
        data !== undefined && block.type === 'text' ? null : <Block key={index} block={block} />,
      )}
      {content.length === 0 && data === undefined && <p class="muted">{t('noContent')}</p>}
    </div>
  );
}

/** Why a call was not run, or did not end: a failure of the Computer, not of the tool. */
function failureOf({ isError, structuredContent }: CallToolResult): string | undefined {
  const { error, error_type: type } = (structuredContent ?? {}) as { error?: unknown; error_type?: unknown };
  if (!isError || typeof error !== 'string' || typeof type !== 'string') return undefined;
  if (type === 'TimeoutError') return t('errorTimeout');
  if (type === 'CancelledError') return t('errorCancelled');
  // The Computer sends the texts of the published one, which begin in Chinese.
  return language.value === 'zh' ? error : error.replace(/^调用异常: /, '');
}

/** The data of a result whose only text is JSON. */
function dataOf(content: readonly ContentBlock[]): object | undefined {
  const texts = content.filter(({ type }) => type === 'text');
  if (texts.length !== 1) return undefined;
  try {
    const value: unknown = JSON.parse(String(texts[0]?.text));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function Data({ value }: { readonly value: unknown }) {
  const rows = rowsOf(value);
  const columns = new Set(rows?.slice(0, SHOWN_ROWS).flatMap((row) => Object.keys(row)));
  const isTable = rows && columns.size <= MAX_COLUMNS && !isDeeperThan(rows, MAX_DEPTH);
  return isTable ? <Table rows={rows} columns={[...columns]} /> : <JsonTree value={value} />;
}

type Row = Readonly<Record<string, unknown>>;

/** The rows of an array of objects, or of an object whose only field is one. */
function rowsOf(value: unknown): readonly Row[] | undefined {
  const fields = typeof value === 'object' && value !== null ? Object.values(value) : [];
  const list: unknown = Array.isArray(value) ? value : fields.length === 1 ? fields[0] : undefined;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  return list.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))
    ? (list as Row[])
    : undefined;
}

function Table({ rows, columns }: { readonly rows: readonly Row[]; readonly columns: readonly string[] }) {
  const cell = (value: unknown) =>
    value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <section class="table-box" tabIndex={0} aria-label={t('rows', { count: rows.length })}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN_ROWS).map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column}>{cell(row[column])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > SHOWN_ROWS && <p class="muted">{t('more', { count: rows.length - SHOWN_ROWS })}</p>}
    </section>
  );
}

function Block({ block }: { readonly block: ContentBlock }) {
  const { type, text, data, mimeType, uri, name, resource } = block as ContentBlock & {
    readonly resource?: {
      readonly uri?: string;
      readonly text?: string;
      readonly blob?: string;
      readonly mimeType?: string;
    };
    readonly [field: string]: unknown;
  };
  if (type === 'text') return <pre class="text-output">{String(text)}</pre>;
  if (type === 'image') return <img class="image-output" alt={t('image')} src={dataUrl(data, mimeType, 'image')} />;
  // biome-ignore lint/a11y/useMediaCaption: the audio comes from a tool, which offers no captions
  if (type === 'audio') return <audio controls src={dataUrl(data, mimeType, 'audio')} />;
  if (type === 'resource_link') return <ResourceLink uri={String(uri)} name={String(name ?? uri)} />;
  if (type === 'resource' && resource?.text !== undefined) {
    return (
      <figure>
        <figcaption class="mono muted">{resource.uri}</figcaption>
        <pre class="text-output">{resource.text}</pre>
      </figure>
    );
  }
  return <JsonTree value={block} />;
}

/** Only web addresses become links. A link such as `javascript:` stays text. */
function ResourceLink({ uri, name }: { readonly uri: string; readonly name: string }) {
  if (!/^https?:\/\//i.test(uri)) return <p class="mono">{`${name} ${uri}`}</p>;
  return (
    <p>
      <a href={uri} target="_blank" rel="noopener noreferrer">
        {name}
      </a>
    </p>
  );
}

/** Only types of this kind are shown, so that nothing else hides in the data. SVG in an image runs no script. */
export function dataUrl(data: unknown, mimeType: unknown, kind: 'image' | 'audio'): string {
  const isKind = typeof mimeType === 'string' && new RegExp(`^${kind}/[\\w.+-]+$`).test(mimeType);
  return isKind ? `data:${mimeType};base64,${String(data)}` : '';
}
