import { useState } from 'react';
import { LogIn } from 'lucide-react';
import { checkCredential } from '../api/http.js';
import { queryClient } from '../api/query-client.js';
import { session, type CredentialKind } from '../api/session.js';
import { forgetSignInFailure, signIn, signInFailure } from '../api/sign-in.js';
import { useWhoAmI } from '../api/use-who-am-i.js';
import { Button } from '../components/button.js';
import { Dialog, DialogActions } from '../components/dialog.js';
import { Select, TextField } from '../components/field.js';
import { ErrorNote, Loading, Note } from '../components/note.js';
import { forgetPlaces } from './palette/recent.js';

const CREDENTIAL_KINDS = [
  { id: 'x-api-key', name: 'API key of this server' },
  { id: 'bearer', name: 'Bearer token for custom auth' },
];

/** Asks the person to sign in, or for a key. */
export function Authentication({ message }: { message: string }) {
  const failure = signInFailure();
  const [prefersKey, setPrefersKey] = useState(false);
  const { data, isPending } = useWhoAmI();
  const provider = data?.sign_in?.provider;
  if (isPending)
    return (
      <Dialog title="Authentication required" isOpen requiresAnswer onClose={() => undefined}>
        <Loading />
      </Dialog>
    );
  if (provider === undefined || prefersKey)
    return (
      <CredentialForm message={message} {...(provider === undefined ? {} : { onBack: () => setPrefersKey(false) })} />
    );
  return (
    <Dialog title="Sign in" isOpen requiresAnswer onClose={() => undefined}>
      {failure === null ? null : <ErrorNote error={failure} />}
      <p className="soft">Use your account at {provider}. What you may do here depends on your role.</p>
      <DialogActions>
        <Button variant="quiet" onPress={() => setPrefersKey(true)}>
          Use an API key
        </Button>
        <Button variant="primary" onPress={signIn} autoFocus>
          <LogIn size={16} aria-hidden />
          Sign in with {provider}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** `onBack`: people can sign in instead. */
function CredentialForm({ message, onBack }: { message: string; onBack?: () => void }) {
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
    forgetSignInFailure();
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
          {onBack === undefined ? null : <Button onPress={onBack}>Back</Button>}
          <Button type="submit" variant="primary" isPending={pending} isDisabled={secret.trim() === ''}>
            Continue
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
