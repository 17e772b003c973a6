import { useId } from 'react';
import { Select, Switch } from '../../../components/field.js';
import { COLUMN_USES, hasExportedColumns, type ColumnUse, type Mapping } from './examples.js';
import type { FileSummary } from './read-file.js';
import styles from './upload.module.css';

/** Asks what the columns of a file are. */
export function ColumnFields({
  summary: { columns, isCsv, firstRows },
  mapping,
  onChange,
}: {
  summary: FileSummary;
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}) {
  const heading = useId();
  const { uses, readsCells } = mapping;
  if (uses === null)
    return <p className="soft">Each row says what its inputs, reference outputs and metadata are, as in an export.</p>;
  if (columns.length === 0) return null;
  return (
    <fieldset className={styles['columns']} aria-labelledby={heading}>
      <h3 id={heading}>What the {isCsv ? 'columns' : 'fields'} are</h3>
      {columns.map((name) => (
        <div key={name} className={styles['column']}>
          <span className={styles['name']} dir="auto">
            {name}
          </span>
          <span className={styles['sample']} dir="auto">
            {sampleOf(firstRows.find(({ value }) => Object.hasOwn(value, name))?.value[name])}
          </span>
          <Select
            label={`Use of ${name}`}
            hideLabel
            options={COLUMN_USES}
            value={uses[name] ?? 'ignore'}
            onChange={(use) => onChange({ ...mapping, uses: { ...uses, [name]: use as ColumnUse } })}
          />
        </div>
      ))}
      {isCsv ? (
        <Switch value={readsCells} onChange={(value) => onChange({ ...mapping, readsCells: value })}>
          Read numbers, lists and objects in cells
          {hasExportedColumns(columns) ? <span className="soft">, as an export writes them</span> : null}
        </Switch>
      ) : null}
    </fieldset>
  );
}

const SAMPLE_CHARACTERS = 80;

/** The beginning of the first value of a column. */
function sampleOf(value: unknown): string {
  if (value === undefined) return '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, SAMPLE_CHARACTERS);
}
