import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../state/texts.js';
import { ActionButton } from './basics.js';

/** Differences of this size are those of rounding. */
const ROUNDING_PX = 1;

/**
 * A text that a person reads before an approval. If it has more lines than fit, a notice says how many, and a button
 * shows all. `onShown` is told whether nothing is missing: only then can the text be approved.
 */
export function ReviewBox(props: {
  /** Changes with the text. */
  readonly id: string;
  readonly children: ComponentChildren;
  readonly kind: 'json' | 'diff' | 'description';
  /** What the button says. */
  readonly showAll: string;
  /** Present if the children are only the beginning. */
  readonly rest?: { readonly notice: string; readonly load: () => Promise<unknown> } | undefined;
  readonly onShown?: (isShown: boolean) => void;
}) {
  const { id, rest, onShown } = props;
  const box = useRef<HTMLPreElement>(null);
  const [isOpen, setOpen] = useState(false);
  /** Undefined until it is measured. */
  const [hiddenLines, setHiddenLines] = useState<number | undefined>(undefined);
  useLayoutEffect(() => {
    const element = box.current as HTMLPreElement;
    const measure = () => setHiddenLines(linesBelow(element));
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(element);
    return () => observer.disconnect();
  }, [id, isOpen, rest === undefined]);
  const isShown = hiddenLines === 0 && rest === undefined;
  useEffect(() => onShown?.(isShown), [isShown]);
  const open = async () => {
    await rest?.load();
    setOpen(true);
  };
  const more = onShown ? 'reviewMore' : 'moreLines';
  const notice = rest?.notice ?? (hiddenLines ? t(more, { count: hiddenLines }) : undefined);
  return (
    <div class="review">
      <pre ref={box} class={`review-${props.kind} ${isOpen ? 'review-open' : ''}`}>
        {props.children}
      </pre>
      {notice !== undefined && (
        <p class="review-notice">
          {notice} <ActionButton action={open}>{props.showAll}</ActionButton>
        </p>
      )}
    </div>
  );
}

/** How many lines do not fit into the element. */
function linesBelow(element: HTMLElement): number {
  const pixels = element.scrollHeight - element.clientHeight;
  if (pixels <= ROUNDING_PX) return 0;
  return Math.ceil(pixels / Number.parseFloat(getComputedStyle(element).lineHeight));
}
