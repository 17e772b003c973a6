/** Position of a cell. Row -1 is the header, column 0 the example. */
export interface CellPosition {
  row: number;
  column: number;
}

interface GridSize {
  rows: number;
  columns: number;
  page: number;
}
interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Target of a navigation key, by the ARIA grid pattern; null for other keys. */
export function navigationTarget(
  { key, ctrlKey, metaKey, altKey }: KeyPress,
  { row, column }: CellPosition,
  { rows, columns, page }: GridSize,
): CellPosition | null {
  if (altKey) return null;
  const far = ctrlKey || metaKey;
  const to = (nextRow: number, nextColumn: number): CellPosition => ({
    row: Math.max(-1, Math.min(rows - 1, nextRow)),
    column: Math.max(0, Math.min(columns - 1, nextColumn)),
  });
  switch (key) {
    case 'ArrowDown':
      return far ? to(rows - 1, column) : to(row + 1, column);
    case 'ArrowUp':
      return far ? to(0, column) : to(row - 1, column);
    case 'ArrowRight':
      return far ? to(row, columns - 1) : to(row, column + 1);
    case 'ArrowLeft':
      return far ? to(row, 0) : to(row, column - 1);
    case 'PageDown':
      return to(row + page, column);
    case 'PageUp':
      return to(Math.max(0, row - page), column);
    case 'Home':
      return far ? to(0, 0) : to(row, 0);
    case 'End':
      return far ? to(rows - 1, columns - 1) : to(row, columns - 1);
    default:
      return null;
  }
}
