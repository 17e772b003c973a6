import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from './button.js';
import { count } from './format.js';
import styles from './pager.module.css';

/** Through the pages of a list that the server cuts. `shown`: rows of this page; `total`: of all pages, where it is known. Nothing where there is one page. */
export function Pager({ label, offset, size, shown, more, total, onGo }: { label: string; offset: number; size: number; shown: number; more: boolean; total?: number | undefined; onGo: (offset: number) => void }) {
  if (offset === 0 && !more) return null;
  return (
    <nav aria-label={label} className={styles['pager']}>
      <span className="soft numbers" role="status">{shown === 0 ? 'Nothing here' : `${count(offset + 1)}–${count(offset + shown)}${total === undefined ? '' : ` of ${count(total)}`}`}</span>
      <Button small isDisabled={offset === 0} onPress={() => onGo(Math.max(0, offset - size))}><ChevronLeft size={14} aria-hidden />Previous</Button>
      <Button small isDisabled={!more} onPress={() => onGo(offset + size)}>Next<ChevronRight size={14} aria-hidden /></Button>
    </nav>
  );
}
