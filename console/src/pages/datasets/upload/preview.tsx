import { formatCount } from '../../../components/format.js';
import { Table, type Column } from '../../../components/table.js';
import { exampleOf, isObject, PARTS, COLUMN_USES, type Mapping } from './examples.js';
import type { ReadRow } from './read-file.js';
import styles from './upload.module.css';

/** The examples that the first rows become. */
export function Preview({ rows, mapping }: { rows: readonly ReadRow[]; mapping: Mapping }) {
  const made = rows.map((row) => ({ row, ...exampleOf(row.value, mapping) }));
  const parts = PARTS.filter(
    (part) => part !== 'metadata' || made.some((one) => 'example' in one && isObject(one.example.metadata)),
  );
  const columns: Column<(typeof made)[number]>[] = [
    { id: 'row', name: 'Row', cell: ({ row }) => formatCount(row.number) },
    ...parts.map((part, at) => ({
      id: part,
      name: COLUMN_USES.find(({ id }) => id === part)!.name,
      cell: (one: (typeof made)[number]) =>
        'example' in one ? <Members value={one.example[part]} /> : at === 0 ? one.reason : null,
    })),
  ];
  return (
    <section className={styles['preview']}>
      <h3>{rows.length === 1 ? 'The first row' : `The first ${formatCount(rows.length)} rows`}</h3>
      <div className={styles['table']}>
        <Table label="Preview" columns={columns} items={made} idOf={({ row }) => String(row.number)} />
      </div>
    </section>
  );
}

/** Names and values on one line each. */
function Members({ value }: { value: unknown }) {
  if (!isObject(value))
    return <span className="soft">{value === undefined || value === null ? '–' : textOf(value)}</span>;
  return (
    <dl className={styles['members']}>
      {Object.entries(value)
        .slice(0, MEMBERS_MAX)
        .map(([name, member]) => (
          <div key={name}>
            <dt dir="auto">{name}</dt>
            <dd dir="auto">{textOf(member)}</dd>
          </div>
        ))}
    </dl>
  );
}

const MEMBERS_MAX = 8;
const VALUE_CHARACTERS = 140;

function textOf(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS)}…` : text;
}
