import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows that are rendered above and below the visible ones. */
const OVERSCAN = 6;

export interface WindowedListProps<T> {
  readonly items: readonly T[];
  /** In pixels; equal for all rows. */
  readonly rowHeight: number;
  readonly label: string;
  readonly keyOf: (item: T) => string;
  readonly children: (item: T) => ComponentChildren;
}

/** A scrolling list that renders only the rows that are visible, however many there are. */
export function WindowedList<T>({ items, rowHeight, label, keyOf, children }: WindowedListProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = box.current as HTMLDivElement;
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - OVERSCAN);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + OVERSCAN);
  return (
    <div class="windowed" ref={box} tabIndex={0}>
      <ul class="windowed-space" aria-label={label} style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, index) => (
          <li
            key={keyOf(item)}
            class="windowed-row"
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ height: `${rowHeight}px`, transform: `translateY(${(first + index) * rowHeight}px)` }}
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}
