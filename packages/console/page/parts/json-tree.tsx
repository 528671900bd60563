import { useState } from 'preact/hooks';
import { t } from '../state/texts.js';

/** Longer lists are shown in part at first. */
const SHOWN = 100;

/**
 * A JSON value as a tree whose branches can be closed. A branch that is closed has no elements: a value may be large or
 * deep. Texts stay texts: nothing in them is interpreted.
 */
export function JsonTree({
  value,
  name,
  depth = 0,
}: {
  readonly value: unknown;
  readonly name?: string;
  readonly depth?: number;
}) {
  const [isOpen, setOpen] = useState(depth < 2);
  const label = name === undefined ? null : <span class="json-key">{name}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="json-leaf">
        {label}
        <span class={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
      </div>
    );
  }
  const entries = Object.entries(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) {
    return (
      <div class="json-leaf">
        {label}
        {`${open}${close}`}
      </div>
    );
  }
  return (
    <details class="json-branch" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {label}
        {`${open} ${entries.length} ${close}`}
      </summary>
      {isOpen &&
        entries.slice(0, SHOWN).map(([key, item]) => <JsonTree key={key} name={key} value={item} depth={depth + 1} />)}
      {isOpen && entries.length > SHOWN && <div class="muted">{t('more', { count: entries.length - SHOWN })}</div>}
    </details>
  );
}
