import { spawn } from 'node:child_process';

/** Opens a web page. Returns false if this machine has no browser to open it. */
export function openBrowser(url: string): boolean {
  const [program, ...args] = browserCommand();
  if (program === undefined) return false;
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore', windowsHide: true });
  child.on('error', () => {}); // The address is printed too.
  child.unref();
  return true;
}

function browserCommand(): string[] {
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (BROWSER) return BROWSER.split(' ');
  if (process.platform === 'darwin') return ['open'];
  // Not `start`: cmd would interpret the URL.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : [];
}
