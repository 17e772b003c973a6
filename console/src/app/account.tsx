import { LogOut } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { errorMessage } from '../api/http.js';
import { session } from '../api/session.js';
import { signOut } from '../api/sign-in.js';
import { useWhoAmI } from '../api/use-who-am-i.js';
import { IconButton } from '../components/button.js';
import { showToast } from '../components/toast.js';
import { ROLE_NAMES } from '../shared/roles.js';
import { forgetPlaces } from './palette/recent.js';
import styles from './shell.module.css';

/** The person who signed in, with the button to sign out. Nothing for everybody else. */
export function Account() {
  const credential = useSyncExternalStore(session.subscribe, () => session.credential);
  const { data } = useWhoAmI();
  const caller = credential === null ? data?.caller : null;
  if (caller?.kind !== 'person') return null;
  return (
    <div className={styles['account']}>
      <div className={styles['person']}>
        <span dir="auto" title={caller.email ?? caller.name}>
          {caller.name}
        </span>
        <span className="soft">{ROLE_NAMES[caller.role]}</span>
      </div>
      <IconButton
        label="Sign out"
        onPress={() => {
          forgetPlaces();
          signOut().catch((error: unknown) => showToast(errorMessage(error)));
        }}
      >
        <LogOut size={17} aria-hidden />
      </IconButton>
    </div>
  );
}
