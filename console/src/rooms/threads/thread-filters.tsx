import { SearchField, Select, TextField } from '../../kit/field.js';
import { readMetadata } from './metadata-text.js';
import { useTyped, type Changes } from './query-string.js';
import { SORT, SORTS, STATUSES, type Filters } from './thread-search.js';
import styles from './threads.module.css';

const ANY = 'any';
const STATUS_OPTIONS = [{ id: ANY, name: 'Any' }, ...STATUSES.map((id) => ({ id, name: id }))];

/** What is looked for; all of it stands in the address. */
export function ThreadFilters({ filters, onChange }: { filters: Filters; onChange: (changes: Changes, replace?: boolean) => void }) {
  const text = useTyped(filters.text, (next) => onChange({ text: next.trim() }, true));
  const owner = useTyped(filters.owner, (next) => onChange({ owner: next.trim() }, true));
  const metadata = useTyped(filters.metadata, (next) => onChange({ metadata: next.trim() }, true));
  return (
    <div role="search" aria-label="Threads" className={styles['filters']} onKeyDown={(event) => { if (event.key === 'Enter') for (const one of [text, owner, metadata]) one.now(); }}>
      <SearchField label="Text or id" placeholder="Text, or how an id begins" value={text.text} onChange={text.setText} />
      <Select label="Status" options={STATUS_OPTIONS} value={filters.status || ANY} onChange={(id) => onChange({ status: id === ANY ? null : id })} />
      <TextField label="Owner" value={owner.text} onChange={owner.setText} />
      <TextField label="Metadata" placeholder="team=support, tier=2" value={metadata.text} onChange={metadata.setText} error={readMetadata(metadata.text).error} />
      <Select label="Order" options={SORTS} value={filters.sort} onChange={(id) => onChange({ sort: id === SORT ? null : id })} />
    </div>
  );
}
