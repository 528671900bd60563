/** The page that a browser shows after the redirect. */
export function resultPage(error?: string): string {
  const title = error === undefined ? 'You are logged in' : 'The login failed';
  const text = error === undefined ? 'You can close this window and return to a2c.' : escapeHtml(error);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}</style>
</head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
