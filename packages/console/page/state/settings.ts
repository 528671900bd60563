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
  return location.hash.startsWith('#/') ? decodeURI(location.hash.slice(2)) : '';
}

function preferredLanguage(): Language {
  return navigator.languages.find((each) => /^(zh|en)/i.test(each))?.startsWith('zh') ? 'zh' : 'en';
}

/** Reads a setting. Browsers may forbid storage; then settings last as long as the page. */
function stored<T extends string>(key: string, allowed: readonly T[]): T | undefined {
  try {
    return allowed.find((value) => value === localStorage.getItem(`a2c.${key}`));
  } catch {
    return undefined;
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(`a2c.${key}`, value);
  } catch {
    // The setting lasts as long as the page.
  }
}
