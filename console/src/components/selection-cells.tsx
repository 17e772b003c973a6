import { useState, type ReactNode } from 'react';
import { Checkbox } from './field.js';
import styles from './selection-cells.module.css';

/** Characters of a row's name that the label of its box has. */
const LABEL_CHARS_MAX = 80;

export interface Selection {
  selected: ReadonlySet<string>;
  select: (ids: readonly string[], isSelected: boolean) => void;
  clear: () => void;
}

/** A selection of rows by their ids, empty at first. */
export function useSelection(): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  return {
    selected,
    select: (ids, isSelected) =>
      setSelected((before) => {
        const after = new Set(before);
        for (const id of ids)
          if (isSelected) after.add(id);
          else after.delete(id);
        return after;
      }),
    clear: () => setSelected(new Set()),
  };
}

/** Heading of the first column, with a box that selects all rows of the page. `rows`: what they are, in the plural. */
export function SelectAllCell({
  ids,
  rows,
  selection: { selected, select },
  children,
}: {
  ids: readonly string[];
  rows: string;
  selection: Selection;
  children: ReactNode;
}) {
  return (
    <span className={styles['cell']}>
      <Checkbox
        value={ids.length > 0 && ids.every((id) => selected.has(id))}
        onChange={(isSelected) => select(ids, isSelected)}
      >
        <span className="visually-hidden">Select all {rows} on this page</span>
      </Checkbox>
      {children}
    </span>
  );
}

/** First cell of a row, with a box that selects it. `name` labels the box. */
export function SelectRowCell({
  id,
  name,
  selection: { selected, select },
  children,
}: {
  id: string;
  name: string;
  selection: Selection;
  children: ReactNode;
}) {
  return (
    <span className={styles['cell']}>
      <Checkbox value={selected.has(id)} onChange={(isSelected) => select([id], isSelected)}>
        <span className="visually-hidden">Select {name.slice(0, LABEL_CHARS_MAX)}</span>
      </Checkbox>
      {children}
    </span>
  );
}
