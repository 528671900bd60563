import type { OperatorInput } from '@a2c/protocol';
import { useState } from 'preact/hooks';
import { request } from '../state/request.js';
import { lists } from '../state/store.js';
import { t, tOf } from '../state/texts.js';
import { ActionButton, State } from './basics.js';

/** The inputs of the Computer. Values of secrets can be set, and are never shown. */
export function Inputs() {
  const inputs = lists.inputs.items.value;
  if (inputs.length === 0) return null;
  const isMissing = inputs.some(({ source }) => source === 'missing');
  return (
    <details class="card inputs" open={isMissing}>
      <summary>
        {t('inputs')} <span class="muted">{t('inputsText')}</span>
      </summary>
      <ul class="plain">
        {inputs.map((input) => (
          <li key={input.id}>
            <Input input={input} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Input({ input }: { readonly input: OperatorInput }) {
  const { id, description, isSecret, options, source, value, servers } = input;
  const [typed, setTyped] = useState('');
  const set = async () => {
    await request('set-input', { input: id, value: typed });
    setTyped('');
  };
  return (
    <form class="input" onSubmit={(event) => event.preventDefault()}>
      <label for={`input-${id}`}>
        <strong>{id}</strong> {description}
        {servers.length > 0 && <span class="muted"> · {t('usedBy', { names: servers.join(', ') })}</span>}
      </label>
      <div class="row">
        {options ? (
          <select
            id={`input-${id}`}
            value={typed || value}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          >
            <option value="">–</option>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        ) : (
          <input
            id={`input-${id}`}
            {...({ type: isSecret ? 'password' : 'text' } as object)}
            autocomplete="off"
            placeholder={value ?? t('value')}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
        <ActionButton isDefault disabled={typed === ''} action={set}>
          {t('set')}
        </ActionButton>
        {source === 'set' && (
          <ActionButton kind="quiet" action={() => request('clear-input', { input: id })}>
            {t('clear')}
          </ActionButton>
        )}
        <State kind={source === 'missing' ? 'bad' : 'good'} text={tOf('source', source)} />
      </div>
    </form>
  );
}
