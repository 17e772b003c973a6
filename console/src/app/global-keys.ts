import { useEffect, useRef } from 'react';
import { pressRowBox } from '../components/row-boxes.js';
import type { Section } from './sections.js';

/** Time to press the letter after `g`. */
const SEQUENCE_MS = 1_500;
/** Places where letters are text, or where the component has keys of its own. */
const OWN_KEYS =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="menu"], [role="listbox"], [role="tree"], [role="grid"], [role="combobox"]';
const ROW_LINKS = '#main tbody > tr > th[scope="row"]';

export const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);
export const PALETTE_KEYS = IS_MAC ? ['⌘', 'K'] : ['Ctrl', 'K'];
export const HOME_KEY = 'h';

interface GlobalKeyActions {
  openPalette: () => void;
  openKeys: () => void;
  navigate: (path: string) => void;
  sections: readonly Section[];
}

/** Keys that work on every page. */
export function useGlobalKeys(actions: GlobalKeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    let pressedGMs = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target, defaultPrevented, isComposing } = event;
      if (defaultPrevented || isComposing) return;
      const { openPalette, openKeys, navigate, sections } = latest.current;
      const isDialogOpen = document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
      if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
        // The browser would search the web.
        event.preventDefault();
        if (!isDialogOpen) openPalette();
        return;
      }
      const hasOwnKeys = target instanceof Element && target.closest(OWN_KEYS) !== null;
      if (ctrlKey || metaKey || altKey || isDialogOpen || hasOwnKeys) return;
      const isSecond = event.timeStamp - pressedGMs < SEQUENCE_MS;
      pressedGMs = key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const path = isSecond ? pathOfKey(key, sections) : undefined;
      if (path !== undefined) navigate(path);
      else if (key === '?') openKeys();
      else if (key === '/' && focusSearch()) event.preventDefault();
      else if (key === 'j') focusRow(1);
      else if (key === 'k') focusRow(-1);
      else if (key.toLowerCase() === 'x') pressRowBox(document.activeElement?.closest('tr') ?? null, shiftKey);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function pathOfKey(key: string, sections: readonly Section[]): string | undefined {
  return key === HOME_KEY ? '/' : sections.find((section) => section.key === key)?.path;
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('#main input[type="search"]');
  field?.focus();
  return field !== null;
}

/** Moves the focus to the link of the next or the previous row of a table. */
function focusRow(step: number): void {
  const links = [...document.querySelectorAll(ROW_LINKS)]
    .map((cell) => cell.querySelector<HTMLElement>('a[href]'))
    .filter((link) => link !== null);
  const row = document.activeElement?.closest('tr') ?? null;
  const at = links.findIndex((link) => link.closest('tr') === row);
  const next = at === -1 ? links.at(step > 0 ? 0 : -1) : links[at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
