import type { Computer } from '@a2c/computer';
import type { AvailableTool } from '@a2c/hub';

/** Finds a tool by the name under which it is listed, as `server.tool` or `server/tool`, or by its own name. */
export function findTool(computer: Computer, wanted: string): AvailableTool | undefined {
  const tools = computer.tools();
  return (
    tools.find(({ displayName }) => displayName === wanted) ??
    tools.find(({ server, name }) => [`${server}.${name}`, `${server}/${name}`].includes(wanted)) ??
    tools.find(({ name, isImitation }) => name === wanted && !isImitation)
  );
}
