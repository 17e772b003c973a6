import { ArrowDown, ArrowUp } from 'lucide-react';
import styles from './sort-button.module.css';

/** The name of a column that a list can be sorted by. The first press sorts, the next turns it round. */
export function SortButton({
  children,
  sorted,
  onSort,
}: {
  children: string;
  sorted: 'ascending' | 'descending' | null;
  onSort: () => void;
}) {
  return (
    <button type="button" className={styles['sort']} onClick={onSort}>
      <span dir="auto">{children}</span>
      {sorted === null ? null : (
        <>
          {sorted === 'ascending' ? <ArrowUp size={12} aria-hidden /> : <ArrowDown size={12} aria-hidden />}
          <span className="seen-by-readers-only">, sorted {sorted}</span>
        </>
      )}
    </button>
  );
}
