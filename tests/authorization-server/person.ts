/** A person with a browser: follows redirects with cookies and presses the only button of every page. */
class Browser {
  readonly #cookies = new Map<string, string>();

  async open(address: string, form?: URLSearchParams): Promise<{ readonly url: string; readonly html: string }> {
    let url = address;
    let body = form;
    for (let steps = 0; steps < 30; steps++) {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(body && { method: 'POST', body }),
      }).catch(() => undefined);
      // Nothing listens there: the address bar keeps the URL.
      if (!response) return { url, html: '' };
      for (const line of response.headers.getSetCookie()) this.#keep(line);
      const location = response.headers.get('location');
      if (location === null) return { url, html: await response.text() };
      url = new URL(location, url).href;
      body = undefined;
    }
    throw new Error('too many redirects');
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

/** Opens the address, logs in and consents. Returns the page at the end; `stopAt` ends before a redirect there. */
export async function approve(address: string): Promise<{ readonly url: string; readonly html: string }> {
  const browser = new Browser();
  let page = await browser.open(address);
  while (page.html.includes('<form')) page = await browser.open(page.url, inputsOf(page.html));
  return page;
}

/** The same for the pages of the device flow. */
export async function approveDevice(address: string): Promise<void> {
  const browser = new Browser();
  let page = await browser.open(address);
  for (let steps = 0; steps < 10 && page.html.includes('<form'); steps++) {
    const action = /<form[^>]*action="([^"]*)"/.exec(page.html)?.[1];
    page = await browser.open(new URL(action ?? page.url, page.url).href, inputsOf(page.html));
  }
}

function inputsOf(html: string): URLSearchParams {
  const inputs = [...html.matchAll(/<input[^>]*>/g)].map(([tag]) => [
    /name="([^"]*)"/.exec(tag)?.[1] ?? '',
    /value="([^"]*)"/.exec(tag)?.[1] ?? '',
  ]);
  return new URLSearchParams({ ...Object.fromEntries(inputs), confirm: 'yes' });
}
