import { Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { KeyRound, Menu as MenuIcon, Monitor, Moon, Sun } from 'lucide-react';
import { queryClient } from '../api/queries.js';
import { session } from '../api/session.js';
import { Button, IconButton } from '../components/button.js';
import { Loading } from '../components/note.js';
import { ROOMS, type Room } from './rooms.js';
import { NavLink } from './nav-link.js';
import { useTheme, type Theme } from './theme.js';
import styles from './shell.module.css';

const OPENER = 'menu-opener';
const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS: Readonly<Record<Theme, ReactNode>> = {
  system: <Monitor size={17} aria-hidden />,
  light: <Sun size={17} aria-hidden />,
  dark: <Moon size={17} aria-hidden />,
};

/** Rooms at the side, or behind a button where there is no room for them. */
export function Shell({ children }: { children: ReactNode }) {
  const [theme, setTheme] = useTheme();
  const [location] = useLocation();
  // Open at one place only: going somewhere closes it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === location;
  useEffect(() => {
    if (!open) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      setOpenAt(null);
      document.getElementById(OPENER)?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [open]);
  return (
    <div className={styles['shell']}>
      <a
        className={styles['skip']}
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        To the content
      </a>
      <header className={styles['top']}>
        <IconButton
          id={OPENER}
          label={open ? 'Close the menu' : 'Menu'}
          aria-expanded={open}
          onPress={() => setOpenAt(open ? null : location)}
        >
          <MenuIcon size={19} aria-hidden />
        </IconButton>
        <span className={styles['name']}>Threadmill</span>
      </header>
      <div className={`${styles['side']} ${open ? styles['open'] : ''}`}>
        <div className={styles['brand']}>
          <img src="icon.svg" alt="" width={22} height={22} />
          <span className={styles['name']}>Threadmill</span>
        </div>
        <nav aria-label="Console">
          {groups().map(([group, rooms]) => (
            <div key={group} className={styles['group']}>
              <div className={styles['groupName']} id={`group-${group}`}>
                {group}
              </div>
              <ul aria-labelledby={`group-${group}`}>
                {rooms.map(({ path, name, icon: Icon }) => (
                  <li key={path}>
                    <NavLink to={path}>
                      <Icon size={16} aria-hidden />
                      {name}
                    </NavLink>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div className={styles['foot']}>
          <ForgetKey />
          <IconButton label={`Colours: ${theme}. Change`} onPress={() => setTheme(NEXT[theme])}>
            {ICONS[theme]}
          </IconButton>
        </div>
      </div>
      <main id="main" tabIndex={-1} className={styles['main']}>
        <Suspense fallback={<Loading />}>{children}</Suspense>
      </main>
    </div>
  );
}

/** For who leaves the tab open to others. Nothing that was read with the key stays. */
function ForgetKey() {
  const key = useSyncExternalStore(session.subscribe, () => session.key);
  if (key === null) return null;
  return (
    <Button
      small
      look="quiet"
      onPress={() => {
        session.forget();
        void queryClient.resetQueries();
      }}
    >
      <KeyRound size={15} aria-hidden />
      Forget the key
    </Button>
  );
}

function groups(): [string, Room[]][] {
  const found = new Map<string, Room[]>();
  for (const room of ROOMS) found.set(room.group, [...(found.get(room.group) ?? []), room]);
  return [...found];
}
