import { useState } from 'react';
import { fetchJson } from '../../api/http.js';
import { session } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { CopyButton } from '../../components/copy.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Select, TextField } from '../../components/field.js';
import { ErrorNote, Note } from '../../components/note.js';
import styles from './server.module.css';

const SCOPE_OPTIONS = [
  { id: '*', name: 'Full access' },
  { id: 'read', name: 'Read only' },
  { id: 'threads assistants:read assistants:search', name: 'Run graphs (threads, read assistants)' },
  { id: 'read reviews', name: 'Read and review (feedback, annotation queues)' },
  { id: 'datasets experiments', name: 'Evaluation results' },
  { id: 'metrics:read', name: 'Metrics' },
  { id: '…', name: 'Custom scopes' },
];
const EXPIRY_OPTIONS = [
  { id: '', name: 'Never' },
  { id: '7', name: 'In 7 days' },
  { id: '30', name: 'In 30 days' },
  { id: '90', name: 'In 90 days' },
  { id: '365', name: 'In a year' },
];
const DAY_MS = 86_400_000;

/** Creates a key and shows it once. The page then uses the first key itself, because it would lose access otherwise. */
export function NewKeyDialog({ first, onClose }: { first: boolean; onClose: () => void }) {
  const [name, setName] = useState('');
  const [access, setAccess] = useState('*');
  const [scopes, setScopes] = useState('');
  // A key cannot create keys that expire later than itself. So the first key does not expire by default.
  const [days, setDays] = useState(first ? '' : '90');
  const { error, execute } = useAsyncAction();
  const [createdKey, setCreatedKey] = useState<string | null>(null);
  const chosen = (access === '…' ? scopes : access).split(/[\s,]+/).filter((one) => one !== '');
  const create = (): Promise<void> =>
    execute(async () => {
      const { key } = await fetchJson<{ key: string }>('server/keys', {
        method: 'POST',
        body: {
          name,
          scopes: chosen,
          expires_at: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
        },
      });
      if (first) session.setCredential({ form: 'x-api-key', secret: key });
      setCreatedKey(key);
    });
  if (createdKey !== null) {
    return (
      <Dialog title="API key created" isOpen requiresAnswer onClose={onClose}>
        <Note variant="warn">
          Copy the key now. It cannot be shown again, because the server stores only its hash.
          {first ? ' From now on every request needs a key. This page uses the new one.' : ''}
        </Note>
        <div className={styles['key']}>
          <code>{createdKey}</code>
          <CopyButton named text={createdKey} label="Copy key" />
        </div>
        <DialogActions>
          <Button variant="primary" onPress={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog title="New API key" isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        {first ? (
          <Note>
            This is the first key. Once it exists, the server rejects requests without a key.
            {access === '*' ? '' : ' Choose full access, or you cannot create more keys from here.'}
          </Note>
        ) : null}
        <TextField label="Name" value={name} onChange={setName} autoFocus help="Purpose or owner of the key." />
        <Select label="Access" options={SCOPE_OPTIONS} value={access} onChange={setAccess} />
        {access === '…' ? (
          <TextField
            label="Scopes"
            mono
            value={scopes}
            onChange={setScopes}
            help="Separated by spaces, for example: threads datasets:read *:delete metrics:read"
          />
        ) : null}
        <Select label="Expires" options={EXPIRY_OPTIONS} value={days} onChange={setDays} />
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isDisabled={name.trim() === '' || chosen.length === 0}>
            Create
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
