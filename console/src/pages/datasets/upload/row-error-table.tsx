import { formatCount } from '../../../components/format.js';
import { Table, type Column } from '../../../components/table.js';
import type { RowError } from './rows.js';
import styles from './upload.module.css';

/** Rows with the reasons why they are no examples. */
export function RowErrorTable({
  title,
  errors,
  count,
}: {
  title: string;
  errors: readonly RowError[];
  /** Of all errors, more than are listed. */
  count: number;
}) {
  const columns: Column<RowError>[] = [
    { id: 'row', name: 'Row', cell: ({ number }) => formatCount(number) },
    ...(errors.some(({ line }) => line !== null)
      ? [{ id: 'line', name: 'Line', cell: ({ line }: RowError) => (line === null ? '–' : formatCount(line)) }]
      : []),
    { id: 'reason', name: 'Reason', cell: ({ reason }) => reason },
  ];
  return (
    <section role="alert" className={styles['errors']}>
      <h3>{title}</h3>
      <div className={styles['table']}>
        <Table label={title} columns={columns} items={errors} idOf={({ number, reason }) => `${number} ${reason}`} />
      </div>
      {count > errors.length ? <p className="soft">And {formatCount(count - errors.length)} more.</p> : null}
    </section>
  );
}
