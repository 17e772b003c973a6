import { useState, useSyncExternalStore } from 'react';
import { refusalOf } from '../api/http.js';
import { queryClient } from '../api/queries.js';
import { session, type KeyForm } from '../api/session.js';
import { Button } from '../components/button.js';
import { Dialog, DialogActions } from '../components/dialog.js';
import { Select, TextField } from '../components/field.js';
import { ErrorNote, Note } from '../components/note.js';

const FORMS = [
  { id: 'x-api-key', name: 'API key of this server' },
  { id: 'bearer', name: "Token for the project's auth handler" },
];

/** Stands over everything while the server does not know who asks. */
export function KeyDialog() {
  const refusal = useSyncExternalStore(session.subscribe, () => session.refusal);
  return refusal === null ? null : <Asks refusal={refusal} />;
}

function Asks({ refusal }: { refusal: string }) {
  const [form, setForm] = useState<KeyForm>(session.key?.form ?? 'x-api-key');
  const [secret, setSecret] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const submit = async (): Promise<void> => {
    const key = { form, secret: secret.trim() };
    setPending(true);
    setWrong(null);
    const answer = await refusalOf(key);
    setPending(false);
    if (answer !== null) {
      setWrong(answer);
      return;
    }
    session.use(key);
    // What was read as somebody else goes.
    await queryClient.resetQueries();
  };
  return (
    <Dialog title="This server asks for a key" isOpen must onClose={() => undefined}>
      {wrong === null ? (
        <Note look={session.key === null ? 'info' : 'warn'}>{refusal}</Note>
      ) : (
        <ErrorNote error={`This key was not taken. ${wrong}`} />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        className="stack"
      >
        <Select label="What you have" options={FORMS} value={form} onChange={(id) => setForm(id as KeyForm)} />
        <TextField
          label={form === 'bearer' ? 'Token' : 'API key'}
          type="password"
          autoComplete="off"
          value={secret}
          onChange={setSecret}
          autoFocus
          help="Kept in this tab until it is closed. `threadmill keys create` makes one."
        />
        <DialogActions>
          <Button type="submit" look="primary" isPending={pending} isDisabled={secret.trim() === ''}>
            Go on
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
