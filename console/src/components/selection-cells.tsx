import { useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { Checkbox } from './field.js';
import { idsBetween, ROW_ID, rowIdsBeside } from './row-boxes.js';
import styles from './selection-cells.module.css';

/** Characters of a row's name that the label of its box has. */
const LABEL_CHARS_MAX = 80;

export interface Selection {
  selected: ReadonlySet<string>;
  select: (ids: readonly string[], isSelected: boolean) => void;
  /** Like `select` for one row, or for all rows from the last one to this one. `rowIds`: all rows in their order. */
  selectTo: (id: string, isSelected: boolean, rowIds: readonly string[]) => void;
  clear: () => void;
}

/** A selection of rows by their ids, empty at first. */
export function useSelection(): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const select = (ids: readonly string[], isSelected: boolean): void => {
    last.current = ids.at(-1) ?? null;
    setSelected((before) => {
      const after = new Set(before);
      for (const id of ids)
        if (isSelected) after.add(id);
        else after.delete(id);
      return after;
    });
  };
  return {
    selected,
    select,
    selectTo: (id, isSelected, rowIds) => {
      select(idsBetween(rowIds, last.current, id), isSelected);
      last.current = id;
    },
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

/** First cell of a row, with a box that selects it, or with Shift all rows up to it. `name` labels the box. */
export function SelectRowCell({
  id,
  name,
  selection: { selected, select, selectTo },
  children,
}: {
  id: string;
  name: string;
  selection: Selection;
  children: ReactNode;
}) {
  const cell = useRef<HTMLSpanElement>(null);
  // The change of a box does not say whether Shift was held.
  const isRange = useRef(false);
  const noteShift = ({ nativeEvent }: SyntheticEvent): void => {
    isRange.current = (nativeEvent as MouseEvent | KeyboardEvent).shiftKey;
  };
  const onChange = (isSelected: boolean): void => {
    const wasRange = isRange.current;
    isRange.current = false;
    if (wasRange) selectTo(id, isSelected, rowIdsBeside(cell.current!));
    else select([id], isSelected);
  };
  return (
    <span ref={cell} className={styles['cell']} {...{ [ROW_ID]: id }}>
      <span
        className={styles['box']}
        onPointerDownCapture={noteShift}
        onKeyDownCapture={noteShift}
        onClickCapture={(event) => {
          if (event.shiftKey) noteShift(event);
        }}
      >
        <Checkbox value={selected.has(id)} onChange={onChange}>
          <span className="visually-hidden">Select {name.slice(0, LABEL_CHARS_MAX)}</span>
        </Checkbox>
      </span>
      {children}
    </span>
  );
}
