import { useState, useSyncExternalStore } from 'react';
import { checkCredential } from '../api/http.js';
import { queryClient } from '../api/query-client.js';
import { session, type CredentialKind } from '../api/session.js';
import { Button } from '../components/button.js';
import { Dialog, DialogActions } from '../components/dialog.js';
import { Select, TextField } from '../components/field.js';
import { ErrorNote, Note } from '../components/note.js';
import { forgetPlaces } from './palette/recent.js';

const CREDENTIAL_KINDS = [
  { id: 'x-api-key', name: 'API key of this server' },
  { id: 'bearer', name: 'Bearer token for custom auth' },
];

/** Covers the page until the server accepts a credential. */
export function CredentialDialog() {
  const message = useSyncExternalStore(session.subscribe, () => session.unauthorizedMessage);
  return message === null ? null : <CredentialForm message={message} />;
}

function CredentialForm({ message }: { message: string }) {
  const [form, setForm] = useState<CredentialKind>(session.credential?.form ?? 'x-api-key');
  const [secret, setSecret] = useState('');
  const [rejection, setRejection] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const submit = async (): Promise<void> => {
    const key = { form, secret: secret.trim() };
    setPending(true);
    setRejection(null);
    const reason = await checkCredential(key);
    setPending(false);
    if (reason !== null) {
      setRejection(reason);
      return;
    }
    session.setCredential(key);
    forgetPlaces();
    // Discard everything that was read with another credential.
    await queryClient.resetQueries();
  };
  return (
    <Dialog title="Authentication required" isOpen requiresAnswer onClose={() => undefined}>
      {rejection === null ? (
        <Note variant={session.credential === null ? 'info' : 'warn'}>{message}</Note>
      ) : (
        <ErrorNote error={`The server rejected this credential. ${rejection}`} />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        className="stack"
      >
        <Select
          label="Credential type"
          options={CREDENTIAL_KINDS}
          value={form}
          onChange={(id) => setForm(id as CredentialKind)}
        />
        <TextField
          label={form === 'bearer' ? 'Token' : 'API key'}
          type="password"
          autoComplete="off"
          value={secret}
          onChange={setSecret}
          autoFocus
          help="Stored in this tab until you close it. To create an API key, run `threadmill keys create`."
        />
        <DialogActions>
          <Button type="submit" variant="primary" isPending={pending} isDisabled={secret.trim() === ''}>
            Continue
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
