import { ArrowDown, ArrowUp } from 'lucide-react';
import styles from './sort-button.module.css';

/** A sortable column header. The first press sorts, the next press reverses the order. */
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
          <span className="visually-hidden">, sorted {sorted}</span>
        </>
      )}
    </button>
  );
}
