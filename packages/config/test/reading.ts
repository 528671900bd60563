import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  formatProblem,
  type MCPConfig,
  type Problem,
  readConfig,
  type ServerConfig,
  type VrlCheck,
} from '../src/index.js';

const textOf = (document: unknown) => (typeof document === 'string' ? document : JSON.stringify(document, null, 2));

/** Reads a document that must be valid. */
export function read(document: unknown, checkVrl?: VrlCheck): MCPConfig & { warnings: readonly Problem[] } {
  const { config, problems } = readConfig(textOf(document), { file: 'test.json', ...(checkVrl ? { checkVrl } : {}) });
  if (!config) throw new Error(`refused:\n${problems.map(formatProblem).join('\n')}`);
  return { ...config, warnings: problems };
}

/** The only server of a document that must be valid. */
export function readOne(document: unknown): ServerConfig {
  const { servers } = read(document);
  if (!servers[0] || servers.length > 1) throw new Error(`${servers.length} servers`);
  return servers[0];
}

/** The problems of a document that must be invalid. */
export function refused(document: unknown, checkVrl?: VrlCheck): readonly Problem[] {
  const { config, problems } = readConfig(textOf(document), { file: 'test.json', ...(checkVrl ? { checkVrl } : {}) });
  if (config) throw new Error('was accepted');
  return problems.filter(({ severity }) => severity === 'error');
}

/** `pointer: message` of every error. */
export function errorsOf(document: unknown): string[] {
  return refused(document).map(({ pointer, message }) => `${pointer}: ${message}`);
}

export function warningsOf(document: unknown): string[] {
  return read(document).warnings.map(({ pointer, message }) => `${pointer}: ${message}`);
}

/** A temporary folder with the given files; it is deleted after the test. */
export function temporaryFolder(files: Readonly<Record<string, string | object>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}
