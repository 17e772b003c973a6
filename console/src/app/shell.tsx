import { Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import { House, KeyRound, Menu as MenuIcon, Monitor, Moon, Rows3, Rows4, Search, Sun } from 'lucide-react';
import { queryClient } from '../api/query-client.js';
import { session } from '../api/session.js';
import { Button, IconButton } from '../components/button.js';
import { Loading } from '../components/note.js';
import { useSections, type Section } from './sections.js';
import { PALETTE_KEYS } from './global-keys.js';
import { NavLink } from './nav-link.js';
import { Account } from './account.js';
import { setDensity, useDensity } from './density.js';
import { forgetPlaces } from './palette/recent.js';
import { useQuickAccess } from './quick-access.js';
import { NEXT_THEME, setTheme, useTheme, type Theme } from './theme.js';
import styles from './shell.module.css';

const MENU_BUTTON_ID = 'menu-opener';
const THEME_ICONS: Readonly<Record<Theme, ReactNode>> = {
  system: <Monitor size={17} aria-hidden />,
  light: <Sun size={17} aria-hidden />,
  dark: <Moon size={17} aria-hidden />,
};

/** Page frame with the menu at the side, or behind a button on narrow screens. */
export function Shell({ children }: { children: ReactNode }) {
  const sections = useSections();
  const theme = useTheme();
  const density = useDensity();
  const { openPalette, dialog } = useQuickAccess();
  const [location] = useLocation();
  // The location at which the menu was opened: navigation closes the menu.
  const [openedAt, setOpenAt] = useState<string | null>(null);
  const open = openedAt === location;
  useEffect(() => {
    if (!open) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      setOpenAt(null);
      document.getElementById(MENU_BUTTON_ID)?.focus();
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
        Skip to content
      </a>
      <header className={styles['top']}>
        <IconButton
          id={MENU_BUTTON_ID}
          label={open ? 'Close menu' : 'Menu'}
          aria-expanded={open}
          onPress={() => setOpenAt(open ? null : location)}
        >
          <MenuIcon size={19} aria-hidden />
        </IconButton>
        <span className={styles['name']}>Threadmill</span>
        {/* Absent while the menu is open: the menu follows its button in the order of focus. */}
        {open ? null : (
          <span className={styles['topEnd']}>
            {sections.map(({ path, count: Count }) =>
              Count === undefined ? null : (
                <Link key={path} href={path} className={styles['topCount']}>
                  <Count />
                </Link>
              ),
            )}
            <IconButton label="Search and commands" onPress={openPalette}>
              <Search size={18} aria-hidden />
            </IconButton>
          </span>
        )}
      </header>
      <div className={`${styles['side']} ${open ? styles['open'] : ''}`}>
        <div className={styles['brand']}>
          <img src="icon.svg" alt="" width={22} height={22} />
          <span className={styles['name']}>Threadmill</span>
        </div>
        <AriaButton className={styles['find']!} onPress={openPalette}>
          <Search size={15} aria-hidden />
          Search…
          <span className={styles['keys']} aria-hidden>
            {PALETTE_KEYS.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </span>
        </AriaButton>
        <nav aria-label="Console">
          <ul className={styles['group']}>
            <li>
              <NavLink to="/">
                <House size={16} aria-hidden />
                Home
              </NavLink>
            </li>
          </ul>
          {sectionsByGroup(sections).map(([group, ofGroup]) => (
            <div key={group} className={styles['group']}>
              <div className={styles['groupName']} id={`group-${group}`}>
                {group}
              </div>
              <ul aria-labelledby={`group-${group}`}>
                {ofGroup.map(({ path, name, icon: Icon, count: Count }) => (
                  <li key={path}>
                    <NavLink to={path}>
                      <Icon size={16} aria-hidden />
                      {name}
                      {Count === undefined ? null : <Count />}
                    </NavLink>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <Account />
        <div className={styles['foot']}>
          <ForgetCredentialButton />
          <IconButton label={`Theme: ${theme}. Switch`} onPress={() => setTheme(NEXT_THEME[theme])}>
            {THEME_ICONS[theme]}
          </IconButton>
          <IconButton
            label={`Density: ${density}. Switch`}
            onPress={() => setDensity(density === 'compact' ? 'comfortable' : 'compact')}
          >
            {density === 'compact' ? <Rows4 size={17} aria-hidden /> : <Rows3 size={17} aria-hidden />}
          </IconButton>
        </div>
      </div>
      <main id="main" tabIndex={-1} className={styles['main']}>
        <Suspense fallback={<Loading />}>{children}</Suspense>
      </main>
      {dialog}
    </div>
  );
}

/** Removes the credential from this tab, and everything that was read with it. */
function ForgetCredentialButton() {
  const key = useSyncExternalStore(session.subscribe, () => session.credential);
  if (key === null) return null;
  return (
    <Button
      small
      variant="quiet"
      onPress={() => {
        session.clearCredential();
        forgetPlaces();
        void queryClient.resetQueries();
      }}
    >
      <KeyRound size={15} aria-hidden />
      Forget credential
    </Button>
  );
}

function sectionsByGroup(sections: readonly Section[]): [string, Section[]][] {
  const found = new Map<string, Section[]>();
  for (const section of sections) found.set(section.group, [...(found.get(section.group) ?? []), section]);
  return [...found];
}
