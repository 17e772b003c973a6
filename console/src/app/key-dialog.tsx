import { useState, useSyncExternalStore } from 'react';
import { queryClient } from '../api/queries.js';
import { session, type KeyForm } from '../api/session.js';
import { Button } from '../kit/button.js';
import { Dialog, DialogActions } from '../kit/dialog.js';
import { Select, TextField } from '../kit/field.js';
import { Note } from '../kit/note.js';

const FORMS = [{ id: 'x-api-key', name: 'API key of this server' }, { id: 'bearer', name: 'Token for the project\'s auth handler' }];

/** Stands over everything while the server does not know who asks. */
export function KeyDialog() {
  const refusal = useSyncExternalStore(session.subscribe, () => session.refusal);
  return refusal === null ? null : <Asks refusal={refusal} />;
}

function Asks({ refusal }: { refusal: string }) {
  const [form, setForm] = useState<KeyForm>(session.key?.form ?? 'x-api-key');
  const [secret, setSecret] = useState('');
  const submit = (): void => {
    session.use({ form, secret: secret.trim() });
    void queryClient.invalidateQueries();
  };
  return (
    <Dialog title="This server asks for a key" isOpen must onClose={() => undefined}>
      <Note look={session.key === null ? 'info' : 'warn'}>{refusal}</Note>
      <form onSubmit={(event) => { event.preventDefault(); submit(); }} className="stack">
        <Select label="What you have" options={FORMS} value={form} onChange={(id) => setForm(id as KeyForm)} />
        <TextField label={form === 'bearer' ? 'Token' : 'API key'} type="password" autoComplete="off" value={secret} onChange={setSecret} autoFocus help="Kept in this tab until it is closed. `threadmill keys create` makes one." />
        <DialogActions><Button type="submit" look="primary" isDisabled={secret.trim() === ''}>Go on</Button></DialogActions>
      </form>
    </Dialog>
  );
}
