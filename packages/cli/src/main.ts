/** The first step of every command line. It asks for the version so often, in scripts and prompts, that this loads nothing else. */
export async function main(argv: readonly string[]): Promise<number> {
  const isVersion = argv.some(asksVersion) && argv.every((word) => asksVersion(word) || word === '--json');
  if (isVersion) {
    const { printVersion } = await import('./version.js');
    await printVersion(argv.includes('--json'));
    return 0;
  }
  const { run } = await import('./run.js');
  return run(argv);
}

function asksVersion(word: string): boolean {
  return word === '--version' || word === '-V';
}
