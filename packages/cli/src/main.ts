/** Runs an `a2c` command line. Answers `--version` without loading the commands, because scripts call it often. */
export async function main(argv: readonly string[]): Promise<number> {
  const asksOnlyForVersion = argv.some(isVersionFlag) && argv.every((word) => isVersionFlag(word) || word === '--json');
  if (asksOnlyForVersion) {
    const { printVersion } = await import('./version.js');
    await printVersion(argv.includes('--json'));
    return 0;
  }
  const { run } = await import('./run.js');
  return run(argv);
}

function isVersionFlag(word: string): boolean {
  return word === '--version' || word === '-V';
}
