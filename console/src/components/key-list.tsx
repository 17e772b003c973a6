import styles from './key-list.module.css';

/** Keys, and what each does. */
export type KeyDescription = readonly [keys: readonly string[], what: string];

export function KeyList({ keys }: { keys: readonly KeyDescription[] }) {
  return (
    <dl className={styles['keys']}>
      {keys.map(([names, what]) => (
        <div key={what}>
          <dt>
            {names.map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
