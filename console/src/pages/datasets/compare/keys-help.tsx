import { Dialog } from '../../../components/dialog.js';
import { KeyList, type KeyDescription } from '../../../components/key-list.js';

const KEYS: readonly KeyDescription[] = [
  [['←', '→', '↑', '↓'], 'Move between cells'],
  [['Home', 'End'], 'First and last cell of the row; with Ctrl: of the grid'],
  [['Page up', 'Page down'], 'One screen up and down'],
  [['Enter'], 'Open the cell; on the name of an experiment: set it as baseline'],
  [['n', 'p'], 'In an open cell: next and previous row'],
  [['Escape'], 'Close and return to the cell'],
  [['k', 'K'], 'Next and previous score of the summary'],
  [['f', 'F'], 'Next and previous filter'],
  [['o'], 'Toggle regressions or improvements first'],
  [['?'], 'Show this list'],
];

export function KeysHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <p className="soft">Available while a cell of the grid has the focus.</p>
      <KeyList keys={KEYS} />
    </Dialog>
  );
}
