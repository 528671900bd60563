import { type ComponentChildren, options } from 'preact';

/**
 * Control, bidirectional and invisible characters. Texts of tools and Agents must not look like other texts. Line ends,
 * tabs, variants of emoji and joiners between two emoji are harmless.
 */
const HIDDEN =
  /(?!\r\n|\n|\t|\ufe0e|\ufe0f|(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d\p{Extended_Pictographic})[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Writes hidden characters as `\u{202e}`. */
function visible(text: string): string {
  return text.replaceAll(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

function visibleIn(children: ComponentChildren): ComponentChildren {
  if (typeof children === 'string') return visible(children);
  return Array.isArray(children) ? children.map(visibleIn) : children;
}

/** Shows hidden characters in every text of the page. Attributes and the values of fields stay as they are. */
export function showHiddenCharacters(): void {
  const before = options.vnode;
  options.vnode = (vnode) => {
    const props = vnode.props as { children?: ComponentChildren };
    if (props?.children !== undefined) props.children = visibleIn(props.children);
    before?.(vnode);
  };
}
