import type { MouseEvent } from 'react';
import { pressRowBox } from './row-boxes.js';

const CONTROLS = 'a, button, input, label, select, textarea, summary, [role="button"], [role="switch"]';
/** A second click within this time selects a word instead. */
const DOUBLE_CLICK_MS = 250;

let opening: ReturnType<typeof setTimeout> | undefined;

/**
 * Opens the link of a row that was clicked outside of its controls, unless the click selected text. With Shift it
 * selects the rows up to this one, if they have boxes.
 */
export function openRow(event: MouseEvent): void {
  const { target, currentTarget, ctrlKey, metaKey, shiftKey, detail, defaultPrevented } = event;
  clearTimeout(opening);
  // Dialogs of a row are its children in React, but not in the document.
  if (defaultPrevented || !(target instanceof Element) || !currentTarget.contains(target)) return;
  if (target.closest(CONTROLS) !== null) return;
  if (shiftKey && pressRowBox(target.closest('tr'), true)) return;
  if (detail > 1 || !isNothingSelected()) return;
  const link = target.closest('tr')?.querySelector<HTMLAnchorElement>(':scope > th a[href]');
  if (link === null || link === undefined) return;
  if (ctrlKey || metaKey) window.open(link.href, '_blank', 'noopener');
  else if (hasText(target))
    opening = setTimeout(() => {
      if (link.isConnected && isNothingSelected()) link.click();
    }, DOUBLE_CLICK_MS);
  else link.click();
}

/** Keeps the browser from selecting all text between two clicks with Shift. */
export function keepSelection(event: MouseEvent): void {
  if (
    event.shiftKey &&
    event.target instanceof Element &&
    event.target.closest('tr')?.querySelector('th input') != null
  )
    event.preventDefault();
}

function isNothingSelected(): boolean {
  return getSelection()?.isCollapsed ?? true;
}

function hasText({ childNodes }: Element): boolean {
  return [...childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
}
