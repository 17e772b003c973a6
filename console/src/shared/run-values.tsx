import { useState } from 'react';
import { Button } from '../components/button.js';
import { JsonTree } from '../components/json-tree.js';
import { Message } from './message.js';
import { messagesOf } from './run-messages.js';
import styles from './run-values.module.css';

/** The inputs or outputs of a run: as messages if there is nothing else, otherwise as a tree. */
export function RunValues({
  title,
  value,
  label = title,
  openTo = 3,
  rows,
}: {
  title: string;
  value: unknown;
  /** Of the tree. */
  label?: string;
  openTo?: number;
  rows?: number;
}) {
  const messages = messagesOf(value);
  const [asJson, setAsJson] = useState(false);
  return (
    <div className={styles['values']}>
      <div className={styles['head']}>
        <h3>{title}</h3>
        {messages === null ? null : (
          <Button small variant="quiet" onPress={() => setAsJson(!asJson)}>
            {asJson ? 'Show messages' : 'Show JSON'}
          </Button>
        )}
      </div>
      {value === null || value === undefined ? (
        <p className="soft">None</p>
      ) : messages !== null && !asJson ? (
        messages.map((message, at) => <Message key={at} message={message} />)
      ) : (
        <JsonTree label={label} value={value} openTo={openTo} rows={rows} />
      )}
    </div>
  );
}
