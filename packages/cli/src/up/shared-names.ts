import type { Computer } from '@a2c/computer';

/** One line about all tools that can be called only by their full names; none if each name is used once. */
export function sharedNamesLines(computer: Computer): string[] {
  const count = computer.status().reduce((sum, { conflicts }) => sum + conflicts.length, 0);
  if (count === 0) return [];
  const tools = count === 1 ? '1 tool has the name' : `${count} tools have the name`;
  return [`${tools} of another server's tool: call it as SERVER.TOOL`];
}
