import { type TestFunction, test } from 'vitest';
import type { RequirementId } from './ledgers.js';

/** A test that verifies one or more requirements. Its title starts with their ids, so that a failure names them. */
export function verifies(
  ids: RequirementId | readonly RequirementId[],
  title: string,
  body: TestFunction,
  options: { readonly timeout?: number } = {},
): void {
  test(`${[ids].flat().join(' ')}: ${title}`, options, body);
}
