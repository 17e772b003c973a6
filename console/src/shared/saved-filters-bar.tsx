import { Bookmark, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button, IconButton } from '../components/button.js';
import { Dialog, DialogActions } from '../components/dialog.js';
import { TextField } from '../components/field.js';
import { useStoredValue } from '../components/stored-value.js';
import { NAME_CHARS_MAX, parseSavedFilters, SAVED_MAX, withSaved, type SavedFilter } from './saved-filters.js';
import styles from './saved-filters-bar.module.css';

export interface SavedFilters {
  saved: readonly SavedFilter[];
  set: (saved: readonly SavedFilter[]) => void;
}

export function useSavedFilters(storageKey: string): SavedFilters {
  const [saved, set] = useStoredValue(storageKey, parseSavedFilters);
  return { saved, set };
}

/** Links to saved filters. `current`: the filters of the page, in the same form. */
export function SavedFiltersBar({
  all,
  filters: { saved, set },
  current,
}: {
  /** Name of the link without filters. */
  all: string;
  filters: SavedFilters;
  current: string;
}) {
  if (saved.length === 0) return null;
  return (
    <nav aria-label="Saved filters" className={styles['bar']}>
      <FilterLink name={all} query="" isCurrent={current === ''} />
      {saved.map(({ name, query }) => (
        <span key={name} className={styles['one']}>
          <FilterLink name={name} query={query} isCurrent={query === current} />
          <IconButton
            small
            label={`Remove saved filter ${name}`}
            onPress={() => set(saved.filter((one) => one.name !== name))}
          >
            <X size={13} aria-hidden />
          </IconButton>
        </span>
      ))}
    </nav>
  );
}

function FilterLink({ name, query, isCurrent }: { name: string; query: string; isCurrent: boolean }) {
  return (
    <Link
      href={query === '' ? '' : `?${query}`}
      className={styles['link']!}
      dir="auto"
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
    >
      {name}
    </Link>
  );
}

/** Saves the filters of the page under a name. Nothing is shown while there are none, or they are saved. */
export function SaveFiltersButton({ filters: { saved, set }, current }: { filters: SavedFilters; current: string }) {
  const [name, setName] = useState<string | null>(null);
  if (name === null && (current === '' || saved.some(({ query }) => query === current))) return null;
  const given = name?.trim() ?? '';
  const replaces = saved.some((one) => one.name === given);
  const isFull = !replaces && saved.length >= SAVED_MAX;
  return (
    <>
      <Button small onPress={() => setName('')}>
        <Bookmark size={14} aria-hidden />
        Save filters
      </Button>
      <Dialog title="Save filters" isOpen={name !== null} onClose={() => setName(null)}>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (given === '' || isFull) return;
            set(withSaved(saved, { name: given, query: current }));
            setName(null);
          }}
        >
          <TextField
            label="Name"
            autoFocus
            maxLength={NAME_CHARS_MAX}
            value={name ?? ''}
            onChange={setName}
            error={isFull ? `Remove a saved filter first. There can be ${SAVED_MAX}.` : null}
            help={replaces ? 'This replaces the saved filter of that name.' : 'Kept in this browser.'}
          />
          <DialogActions>
            <Button onPress={() => setName(null)}>Cancel</Button>
            <Button type="submit" variant="primary" isDisabled={given === '' || isFull}>
              Save
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  );
}
