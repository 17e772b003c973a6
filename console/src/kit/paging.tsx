import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from './button.js';
import { count } from './format.js';
import styles from './paging.module.css';

/** Where a page of a list stands, and the ways to its neighbours. `total` is left out where nobody knows it. */
export function Paging({ what, offset, shown, total, hasMore, onOffset, size }: { what: string; offset: number; shown: number; total?: number | undefined; hasMore: boolean; onOffset: (offset: number) => void; size: number }) {
  return (
    <nav aria-label={`Pages of ${what}`} className={styles['paging']}>
      <span role="status">{shown === 0 ? `No ${what}` : `${count(offset + 1)} to ${count(offset + shown)}${total === undefined ? '' : ` of ${count(total)}`}`}</span>
      <IconButton small look="plain" label={`Previous ${what}`} isDisabled={offset === 0} onPress={() => onOffset(Math.max(0, offset - size))}><ChevronLeft size={15} aria-hidden /></IconButton>
      <IconButton small look="plain" label={`Next ${what}`} isDisabled={!hasMore} onPress={() => onOffset(offset + size)}><ChevronRight size={15} aria-hidden /></IconButton>
    </nav>
  );
}
