import { useState } from 'react';
import { ask } from '../../api/http.js';
import { session } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { CopyButton } from '../../components/copy.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { useDoing } from '../../components/doing.js';
import { Select, TextField } from '../../components/field.js';
import { ErrorNote, Note } from '../../components/note.js';
import styles from './server.module.css';

const MAY = [
  { id: '*', name: 'Everything' },
  { id: 'read', name: 'Read everything, change nothing' },
  { id: 'threads assistants:read assistants:search', name: 'Run graphs: threads, and reading assistants' },
  { id: 'datasets experiments', name: 'Evaluation results' },
  { id: 'metrics:read', name: 'The figures of /metrics' },
  { id: '…', name: 'Scopes of my own choice' },
];
const ENDS = [
  { id: '', name: 'Never' },
  { id: '7', name: 'In 7 days' },
  { id: '30', name: 'In 30 days' },
  { id: '90', name: 'In 90 days' },
  { id: '365', name: 'In a year' },
];
const DAY_MS = 86_400_000;

/** Makes a key and shows it once. After the first one of a server the page goes on with it: without one it would be shut out. */
export function NewKey({ first, onClose }: { first: boolean; onClose: () => void }) {
  const [name, setName] = useState('');
  const [may, setMay] = useState('*');
  const [scopes, setScopes] = useState('');
  // A key makes none that outlives it: the first one, which makes the others, goes on until it is revoked.
  const [days, setDays] = useState(first ? '' : '90');
  const { error, attempt } = useDoing();
  const [made, setMade] = useState<string | null>(null);
  const chosen = (may === '…' ? scopes : may).split(/[\s,]+/).filter((one) => one !== '');
  const make = (): Promise<void> =>
    attempt(async () => {
      const { key } = await ask<{ key: string }>('server/keys', {
        method: 'POST',
        body: {
          name,
          scopes: chosen,
          expires_at: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
        },
      });
      if (first) session.use({ form: 'x-api-key', secret: key });
      setMade(key);
    });
  if (made !== null) {
    return (
      <Dialog title="The new key" isOpen must onClose={onClose}>
        <Note look="warn">
          It is shown this once: only its hash is kept.
          {first ? ' This page uses it from now on; without a key nobody is served any more.' : ''}
        </Note>
        <div className={styles['key']}>
          <code>{made}</code>
          <CopyButton named text={made} label="Copy the key" />
        </div>
        <DialogActions>
          <Button look="primary" onPress={onClose}>
            I have it
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog title="New key" isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        {first ? (
          <Note>
            This is the first key. From then on the server refuses everyone who has none.
            {may === '*' ? '' : ' Choose everything, or you cannot make further keys from here.'}
          </Note>
        ) : null}
        <TextField label="Name" value={name} onChange={setName} autoFocus help="What it is for." />
        <Select label="May do" options={MAY} value={may} onChange={setMay} />
        {may === '…' ? (
          <TextField
            label="Scopes"
            mono
            value={scopes}
            onChange={setScopes}
            help="With spaces between: threads, datasets:read, *:delete, metrics:read …"
          />
        ) : null}
        <Select label="Expires" options={ENDS} value={days} onChange={setDays} />
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <Button onPress={onClose}>Leave it</Button>
          <Button type="submit" look="primary" isDisabled={name.trim() === '' || chosen.length === 0}>
            Make the key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
