import { useState } from 'preact/hooks';
import { errorText } from '../parts/basics.js';
import { logInWithKey } from '../state/connection.js';
import { connection, refusal } from '../state/store.js';
import { t } from '../state/texts.js';

/** Shown without a valid cookie: how to get in. */
export function LoginView() {
  const [key, setKey] = useState('');
  const [error, setError] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    setError('');
    try {
      await logInWithKey(key);
      connection.value = 'connecting';
    } catch (thrown) {
      setError(errorText(thrown));
    }
  };
  const isInsecure = refusal.value === 'insecure';
  return (
    <main class="login">
      <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M3 16h8m10 0h8" />
        <circle cx="16" cy="16" r="5" />
      </svg>
      <h1>{t(isInsecure ? 'insecureTitle' : 'refusedTitle')}</h1>
      {refusal.value && <p role="status">{t(refusal.value)}</p>}
      {!isInsecure && (
        <>
          <p>{t('refusedText')}</p>
          <form onSubmit={(event) => void submit(event)}>
            <label for="key">{t('refusedKey')}</label>
            <div class="row">
              <input
                id="key"
                type="password"
                autocomplete="off"
                placeholder={t('key')}
                value={key}
                onInput={({ currentTarget }) => setKey(currentTarget.value)}
              />
              <button type="submit" class="primary" disabled={key === ''}>
                {t('logIn')}
              </button>
            </div>
            {error && (
              <p class="error-text" role="alert">
                {error}
              </p>
            )}
          </form>
        </>
      )}
    </main>
  );
}
