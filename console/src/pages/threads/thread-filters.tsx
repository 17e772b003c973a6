import { SearchField, Select, TextField } from '../../components/field.js';
import { statusName } from '../../components/format.js';
import { useDebouncedValue } from '../../components/debounced-search.js';
import type { ChangeQuery } from '../../components/query-string.js';
import { MetadataField } from '../../shared/metadata-filter.js';
import { DEFAULT_SORT, SORT_OPTIONS, STATUSES, type Filters } from '../../shared/thread-search.js';
import styles from './threads.module.css';

const ANY = 'any';
const STATUS_OPTIONS = [{ id: ANY, name: 'Any' }, ...STATUSES.map((id) => ({ id, name: statusName(id) }))];

/** Filters of the thread list, kept in the URL. */
export function ThreadFilters({ filters, onChange }: { filters: Filters; onChange: ChangeQuery }) {
  const text = useDebouncedValue(filters.text, (next) => onChange({ text: next }));
  const owner = useDebouncedValue(filters.owner, (next) => onChange({ owner: next }));
  return (
    <div
      role="search"
      aria-label="Threads"
      className={styles['filters']}
      onKeyDown={(event) => {
        if (event.key === 'Enter') for (const one of [text, owner]) one.flush();
      }}
    >
      <SearchField
        label="Text or ID"
        placeholder="Text, or the start of an ID"
        value={text.text}
        onChange={text.setText}
      />
      <Select
        label="Status"
        options={STATUS_OPTIONS}
        value={filters.status || ANY}
        onChange={(id) => onChange({ status: id === ANY ? null : id }, { push: true })}
      />
      <TextField label="Owner" value={owner.text} onChange={owner.setText} />
      <MetadataField text={filters.metadata} onText={(metadata) => onChange({ metadata })} />
      <Select
        label="Order"
        options={SORT_OPTIONS}
        value={filters.sort}
        onChange={(id) => onChange({ sort: id === DEFAULT_SORT ? null : id }, { push: true })}
      />
    </div>
  );
}
