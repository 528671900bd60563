import { readToolAnnotations, type SMCPTool } from '@a2c/protocol';

type Annotations = Readonly<Record<string, unknown>>;

/** Annotations are JSON text in the metadata of a tool, which is parsed once. */
const known = new WeakMap<SMCPTool, Annotations>();

/** The MCP annotations of a tool, without those that are null. */
export function annotationsOf(tool: SMCPTool): Annotations {
  const annotations = known.get(tool) ?? withoutNulls(readToolAnnotations(tool));
  known.set(tool, annotations);
  return annotations;
}

function withoutNulls(annotations: Annotations = {}): Annotations {
  return Object.fromEntries(Object.entries(annotations).filter(([, value]) => value !== null));
}
