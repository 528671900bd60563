/** What the hub writes in front of the description of a tool that is new or changed, or whose text needs caution. */
const MARK = /^\[a2c: (changed|new)?[^\]]*\] ?/;

/** The description without the mark of the hub, and a short form of the mark; empty if there is none. */
export function splitMark(description: string): { readonly mark: string; readonly text: string } {
  const match = MARK.exec(description);
  if (!match) return { mark: '', text: description };
  return { mark: `[${match[1] ?? 'caution'}] `, text: description.slice(match[0].length) };
}
