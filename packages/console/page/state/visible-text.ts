import { visibleText } from '@a2c/protocol';
import { type ComponentChildren, options } from 'preact';

function visibleIn(children: ComponentChildren): ComponentChildren {
  if (typeof children === 'string') return visibleText(children);
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
