import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { House, Search } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { useLocation } from 'wouter';
import { SECTIONS } from '../sections.js';
import { commands, PAGES } from './commands.js';
import { findPlaces, PLACE_GROUPS } from './find-places.js';
import { recentPlaces, rememberPlace, type Place } from './recent.js';
import styles from './command-palette.module.css';
import { useFindDenial, type Needs } from '../../components/needs.js';

const DEBOUNCE_MS = 150;
/** Shorter texts match too much. */
const SEARCH_CHARS_MIN = 2;
const SEARCH_CHARS_MAX = 200;
const STALE_MS = 10_000;

interface Item {
  id: string;
  name: string;
  icon?: ReactNode;
  detail?: string;
  onAction: () => void;
}

interface Group {
  name: string;
  items: Item[];
}

/** Finds pages, records and commands by typing. */
export default function CommandPalette({ onClose, openKeys }: { onClose: () => void; openKeys: () => void }) {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const search = useSearchText(text);
  const findDenial = useFindDenial();
  const isAllowed = (needs: readonly Needs[]): boolean => needs.some((one) => findDenial(one) === null);
  const found = useQueries({
    queries: PLACE_GROUPS.map((group) => ({
      queryKey: ['palette', group.name, search],
      queryFn: ({ signal }: { signal: AbortSignal }) => findPlaces(group, search, signal),
      enabled: search !== '',
      retry: false,
      staleTime: STALE_MS,
      placeholderData: keepPreviousData,
    })),
  });
  const go = (place: Place): void => {
    rememberPlace(place);
    onClose();
    navigate(place.path);
  };
  const itemOf = (place: Place): Item => ({
    id: `${place.kind} ${place.path}`,
    name: place.name,
    icon: iconOf(place.path),
    onAction: () => go(place),
  });
  const matches = ({ name }: { name: string }): boolean => name.toLowerCase().includes(text.trim().toLowerCase());
  const groups: Group[] = [
    {
      name: 'Recent',
      items: text.trim() === '' ? recentPlaces().map((place) => ({ ...itemOf(place), detail: place.kind })) : [],
    },
    {
      name: 'Commands',
      items: commands(openKeys)
        .filter((command) => matches(command) && isAllowed([command.needs ?? []]))
        .map(({ id, name, icon, path, run }) => ({
          id: `command ${id}`,
          name,
          icon,
          onAction: () => {
            onClose();
            if (path === undefined) run?.();
            else navigate(path);
          },
        })),
    },
    { name: 'Pages', items: PAGES.filter((page) => matches(page) && isAllowed(page.needs)).map(itemOf) },
    ...PLACE_GROUPS.map(({ name }, at) => ({
      name,
      items: search === '' ? [] : (found[at]!.data ?? []).map(itemOf),
    })),
  ].filter(({ items }) => items.length > 0);
  const isSearching = text.trim() !== search && isSearchable(text) ? true : found.some(({ isFetching }) => isFetching);
  const hasFailed = search !== '' && found.some(({ error }) => error !== null);
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      className={styles['overlay']!}
    >
      <Modal className={styles['modal']!}>
        <Dialog aria-label="Search and commands" className={styles['dialog']!}>
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField aria-label="Search and commands" autoFocus className={styles['search']!}>
              <Search size={17} aria-hidden />
              <Input
                className={styles['input']!}
                placeholder="Search, or go to a page…"
                maxLength={SEARCH_CHARS_MAX}
                dir="auto"
              />
              <kbd>Esc</kbd>
            </SearchField>
            {/* Keys move in the list while the field has the focus. This is for people who scroll with keys. */}
            <div role="group" aria-label="Scrollable results" tabIndex={0} className={styles['results']}>
              <Menu
                aria-label="Results"
                className={styles['menu']!}
                renderEmptyState={() => (
                  <p className={styles['empty']}>
                    {isSearching ? 'Searching…' : `Nothing found for “${text.trim()}”.`}
                  </p>
                )}
              >
                {groups.map(({ name, items }) => (
                  <MenuSection key={name} className={styles['group']!}>
                    <Header className={styles['groupName']!}>{name}</Header>
                    {items.map(({ id, name: itemName, icon, detail, onAction }) => (
                      <MenuItem
                        key={id}
                        id={`${name} ${id}`}
                        textValue={itemName}
                        onAction={onAction}
                        className={styles['item']!}
                      >
                        {icon}
                        <span className={styles['itemName']} dir="auto">
                          {itemName}
                        </span>
                        {detail === undefined ? null : <span className={styles['detail']}>{detail}</span>}
                      </MenuItem>
                    ))}
                  </MenuSection>
                ))}
              </Menu>
            </div>
          </Autocomplete>
          <footer className={styles['foot']} role="status">
            {hasFailed ? (
              'Some results could not be loaded.'
            ) : isSearching && groups.length > 0 ? (
              'Searching…'
            ) : (
              <>
                <span>
                  <kbd>↑</kbd> <kbd>↓</kbd> to move
                </span>
                <span>
                  <kbd>Enter</kbd> to open
                </span>
              </>
            )}
          </footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function isSearchable(text: string): boolean {
  return text.trim().length >= SEARCH_CHARS_MIN;
}

/** The text to search for after a pause in typing; empty if it is too short. */
function useSearchText(text: string): string {
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(isSearchable(text) ? text.trim() : ''), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return search;
}

function iconOf(path: string): ReactNode {
  const [, section] = path.split(/[/?]/);
  const Icon = SECTIONS.find((one) => one.path === `/${section}`)?.icon ?? House;
  return <Icon size={16} aria-hidden />;
}
