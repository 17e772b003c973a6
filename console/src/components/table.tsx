import type { ReactNode } from 'react';
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

/** A table whose first column is the row header. For more than a few hundred rows use pages or `VirtualList`. */
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
  if (items.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <div className={styles['box']} tabIndex={0} role="region" aria-label={label}>
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
        <tbody>
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

function classOf({ numbers, wideOnly }: Pick<Column<never>, 'numbers' | 'wideOnly'>): string {
  return `${numbers ? 'numbers' : ''} ${wideOnly ? styles['wide'] : ''}`;
}
