/**
 * Clients that give the structured content of a result to the model, by the beginning of the name they declare. Claude
 * Code, Codex and opencode replace the text with it; VS Code may add it. For them the compressed text alone is smaller,
 * and contains everything.
 */
const READERS = ['claude-code', 'codex', 'opencode', 'visual studio code'];

/** Whether a client of this name shows structured content to its model. */
export function showsStructureToModel(clientName: string | undefined): boolean {
  const name = clientName?.toLowerCase() ?? '';
  return READERS.some((reader) => name.startsWith(reader));
}
