import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { RequestError } from '../state/request.js';
import { type TextKey, t, tOf } from '../state/texts.js';
import { Icon } from './icons.js';

/** The text that screen readers announce. */
export const announcement = signal('');

export function announce(text: string): void {
  announcement.value = text;
}

export function LiveRegion() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {announcement.value}
    </div>
  );
}

/** The title of a view and the sentence that explains it. */
export function ViewHeader(props: {
  readonly title: TextKey;
  readonly lead: TextKey;
  readonly children?: ComponentChildren;
}) {
  return (
    <header class="view-header">
      <div>
        <h1>{t(props.title)}</h1>
        <p class="lead">{t(props.lead)}</p>
      </div>
      {props.children && <div class="actions">{props.children}</div>}
    </header>
  );
}

/** What to do next, where there is nothing to show. */
export function Empty(props: {
  readonly title: string;
  readonly text?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.text && <p>{props.text}</p>}
      {props.children}
    </div>
  );
}

/** Separates two texts that only their position separates, for screen readers. */
export function Separator() {
  return <span class="visually-hidden">, </span>;
}

/** A state as a coloured dot and a word. The word has the meaning. */
export function State({ kind, text }: { readonly kind: 'good' | 'bad' | 'busy' | 'off'; readonly text: string }) {
  return (
    <span class={`state state-${kind}`}>
      <span class="dot" aria-hidden="true" />
      {text}
    </span>
  );
}

export function CopyButton({ text, label = 'copy' }: { readonly text: () => string; readonly label?: TextKey }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    announce(t('copied'));
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      {isCopied ? t('copied') : t(label)}
    </button>
  );
}

/** A button that runs a request, is disabled meanwhile, and shows why it failed. */
export function ActionButton(props: {
  readonly action: () => Promise<unknown>;
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'danger' | 'quiet';
  readonly label?: string;
  readonly disabled?: boolean;
  /** Ignores clicks for now, but keeps the focus. */
  readonly isHeld?: boolean;
  /** What the button says after the first click, if a second one is needed. */
  readonly confirm?: string;
  /** Enter in a field of the form presses this button. */
  readonly isDefault?: boolean;
}) {
  const shownError = useRef<HTMLSpanElement>(null);
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [isSure, setSure] = useState(false);
  const click = async () => {
    if (props.isHeld) return;
    if (props.confirm !== undefined && !isSure) {
      setSure(true);
      announce(props.confirm);
      return;
    }
    setSure(false);
    setBusy(true);
    setError('');
    try {
      await props.action();
    } catch (thrown) {
      setError(errorText(thrown));
    }
    setBusy(false);
  };
  useEffect(() => {
    shownError.current?.scrollIntoView({ block: 'nearest' });
    shownError.current?.focus();
  }, [error]);
  return (
    <span class="action">
      <button
        type={props.isDefault ? 'submit' : 'button'}
        class={isSure ? 'danger' : (props.kind ?? '')}
        aria-label={isSure ? props.confirm : props.label}
        onBlur={() => setSure(false)}
        disabled={isBusy || props.disabled === true}
        aria-disabled={props.isHeld || undefined}
        onClick={() => void click()}
      >
        {isSure ? props.confirm : props.children}
      </button>
      {error && (
        <span class="error-text" role="alert" tabIndex={-1} ref={shownError}>
          {error}
        </span>
      )}
    </span>
  );
}

export function errorText(thrown: unknown): string {
  if (thrown instanceof RequestError && thrown.status === 0) return t('lost');
  return thrown instanceof Error ? thrown.message : String(thrown);
}

export function Hints({ hints }: { readonly hints: readonly string[] }) {
  return (
    <>
      {hints.map((hint) => (
        <span key={hint} class={`tag ${hint === 'destructive' ? 'tag-bad' : ''}`}>
          {tOf('hint', hint)}
        </span>
      ))}
    </>
  );
}

export function CloseButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={t('close')} onClick={onClick}>
      <Icon name="close" />
    </button>
  );
}
