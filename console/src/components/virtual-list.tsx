import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactNode } from 'react';
import styles from './virtual-list.module.css';

/** A list of any length that renders only visible rows and fills its parent. `estimate`: first row height in pixels. */
export function VirtualList<T>({
  label,
  items,
  idOf,
  estimate = 40,
  render,
  tail,
}: {
  label: string;
  items: readonly T[];
  idOf: (item: T, at: number) => string | number;
  estimate?: number;
  render: (item: T, at: number) => ReactNode;
  tail?: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => estimate,
    overscan: 8,
    getItemKey: (at) => idOf(items[at]!, at),
  });
  return (
    <div ref={box} className={styles['box']} tabIndex={0} role="region" aria-label={label}>
      <ul className={styles['all']} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            data-index={index}
            ref={virtual.measureElement}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            className={styles['item']}
            style={{ transform: `translateY(${start}px)` }}
          >
            {render(items[index]!, index)}
          </li>
        ))}
      </ul>
      {tail}
    </div>
  );
}
