/**
 * Clients that give the structured content of a result to the model, by the beginning of the name they declare. Claude
 * Code and Codex replace the text with it, and VS Code adds it. For them the compressed text alone is smaller, and
 * contains everything.
 */
const READERS = ['claude-code', 'codex', 'visual studio code'];

/** Whether a client of this name shows structured content to its model. */
export function showsStructureToModel(clientName: string | undefined): boolean {
  const name = clientName?.toLowerCase() ?? '';
  return READERS.some((reader) => name.startsWith(reader));
}
