import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { keepSelection, openRow } from './open-row.js';
import styles from './table.module.css';

export interface Column<T> {
  id: string;
  name: ReactNode;
  /** Aligns numbers at the end of the column. */
  numbers?: boolean;
  /** Hidden on narrow screens. */
  wideOnly?: boolean;
  cell: (item: T) => ReactNode;
}

/**
 * A table whose first column is the row header. A link there opens the row, by a click anywhere on it. For more than
 * a few hundred rows use pages or `VirtualList`.
 */
export function Table<T>({
  label,
  columns,
  items,
  idOf,
  empty,
}: {
  label: string;
  columns: readonly Column<T>[];
  items: readonly T[];
  idOf: (item: T) => string;
  empty?: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const fits = useFits(box);
  if (items.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <div
      ref={box}
      className={styles['box']}
      role="region"
      aria-label={label}
      {...(fits ? { 'data-fits': true } : { tabIndex: 0 })}
    >
      <table className={styles['table']} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" className={classOf(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onClick={openRow} onMouseDown={keepSelection}>
          {items.map((item) => (
            <tr key={idOf(item)}>
              {columns.map((column, at) =>
                at === 0 ? (
                  <th key={column.id} scope="row" className={classOf(column)} dir="auto">
                    {column.cell(item)}
                  </th>
                ) : (
                  <td key={column.id} className={classOf(column)} dir="auto">
                    {column.cell(item)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Whether the content is not wider than its box. A box that scrolls needs the focus, and its header cannot stick. */
function useFits(box: RefObject<HTMLElement>): boolean {
  const [fits, setFits] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = (): void => setFits(element.firstElementChild!.scrollWidth <= element.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(element.firstElementChild!);
    measure();
    return () => observer.disconnect();
  });
  return fits;
}

function classOf({ numbers, wideOnly }: Pick<Column<never>, 'numbers' | 'wideOnly'>): string {
  return `${numbers ? 'numbers' : ''} ${wideOnly ? styles['wide'] : ''}`;
}
