/** Resolves when the signal is aborted: what to race against work that nobody need wait for any more. */
export function interruption(signal: AbortSignal): Promise<'interrupted'> {
  return new Promise((resolve) => {
    const end = () => resolve('interrupted');
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
