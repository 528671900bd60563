import { request } from '../state/request.js';
import { lists } from '../state/store.js';
import { formatTime, t } from '../state/texts.js';
import { ActionButton } from './basics.js';

/** The tools that run without a question, because a person allowed them until a2c stops. */
export function AllowedTools() {
  const allowed = lists.allowed.items.value;
  if (allowed.length === 0) return null;
  return (
    <section class="card" aria-label={t('allowedTools')}>
      <h2>{t('allowedTools')}</h2>
      <p class="muted">{t('allowedText')}</p>
      <ul class="plain">
        {allowed.map(({ server, tool, since }) => (
          <li key={`${server} ${tool}`} class="allowed-tool">
            <span>
              <strong>{tool}</strong>{' '}
              <span class="muted">
                {server} · {t('since')} {formatTime(since)}
              </span>
            </span>
            <ActionButton
              kind="quiet"
              label={t('askAgainLabel', { tool })}
              action={() => request('revoke-consent', { server, tool })}
            >
              {t('askAgain')}
            </ActionButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
