import { effect, type Signal, signal } from '@preact/signals';

export type Language = 'en' | 'zh';
export type Theme = 'auto' | 'light' | 'dark';

export const language: Signal<Language> = signal(stored('language', ['en', 'zh']) ?? preferredLanguage());
export const theme: Signal<Theme> = signal(stored('theme', ['auto', 'light', 'dark']) ?? 'auto');
/** The page that is shown: the part of the URL after `#/`. */
export const route = signal(readRoute());
/** Whether the steps for newcomers are hidden. */
export const areStepsHidden = signal(stored('steps', ['hidden']) === 'hidden');

effect(() => {
  document.documentElement.lang = language.value === 'zh' ? 'zh-CN' : 'en';
  store('language', language.value);
});
effect(() => {
  document.documentElement.dataset.theme = theme.value;
  store('theme', theme.value);
});
effect(() => {
  if (areStepsHidden.value) store('steps', 'hidden');
});
addEventListener('hashchange', () => {
  route.value = readRoute();
});

function readRoute(): string {
  if (!location.hash.startsWith('#/')) return '';
  try {
    return decodeURI(location.hash.slice(2));
  } catch {
    return ''; // A malformed address shows the overview.
  }
}

function preferredLanguage(): Language {
  return navigator.languages.find((each) => /^(zh|en)/i.test(each))?.startsWith('zh') ? 'zh' : 'en';
}

/** Keeps a setting for all tabs of this origin, which includes the port. */
function store(key: string, value: string): void {
  try {
    localStorage.setItem(`a2c.${key}`, value);
  } catch {
    // The browser forbids storage: settings last as long as the page.
  }
}

function stored<T extends string>(key: string, allowed: readonly T[]): T | undefined {
  try {
    const found = localStorage.getItem(`a2c.${key}`);
    return allowed.find((value) => value === found);
  } catch {
    return undefined;
  }
}
