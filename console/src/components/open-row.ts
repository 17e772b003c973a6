import type { MouseEvent } from 'react';

const CONTROLS = 'a, button, input, label, select, textarea, summary, [role="button"], [role="switch"]';

/** Opens the link of a row that was clicked outside of its controls, unless the click selected text. */
export function openRow({ target, currentTarget, ctrlKey, metaKey, defaultPrevented }: MouseEvent): void {
  // Dialogs of a row are its children in React, but not in the document.
  if (defaultPrevented || !(target instanceof Element) || !currentTarget.contains(target)) return;
  if (target.closest(CONTROLS) !== null || !(getSelection()?.isCollapsed ?? true)) return;
  const link = target.closest('tr')?.querySelector<HTMLAnchorElement>(':scope > th a[href]');
  if (link === null || link === undefined) return;
  if (ctrlKey || metaKey) window.open(link.href, '_blank', 'noopener');
  else link.click();
}
