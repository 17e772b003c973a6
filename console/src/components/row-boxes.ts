/** Boxes in the first cells of rows, which select them. */

/** Attribute of cells with a box, with the id of their row. */
export const ROW_ID = 'data-select-row';

/** Ids of all rows of the table in their order. */
export function rowIdsBeside(cell: Element): string[] {
  return [...cell.closest('tbody')!.querySelectorAll(`[${ROW_ID}]`)].map((one) => one.getAttribute(ROW_ID)!);
}

/** Presses the box of a row, if it has one. `isRange`: as with Shift. */
export function pressRowBox(row: Element | null, isRange: boolean): boolean {
  const box = row?.querySelector(`[${ROW_ID}] input[type="checkbox"]`) ?? null;
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: isRange }));
  return box !== null;
}

/** The ids from one row to another, both included, in either direction. Only the second one if the first is gone. */
export function idsBetween(ids: readonly string[], from: string | null, to: string): readonly string[] {
  const [first, last] = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)].toSorted((a, b) => a - b);
  return first === -1 ? [to] : ids.slice(first, last! + 1);
}
