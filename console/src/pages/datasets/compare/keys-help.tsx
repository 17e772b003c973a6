import { Dialog } from '../../../components/dialog.js';
import styles from './keys-help.module.css';

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['←', '→', '↑', '↓'], 'move over the cells'],
  [['Home', 'End'], 'first and last cell of the row; with Ctrl of all'],
  [['Page up', 'Page down'], 'a screenful up and down'],
  [['Enter'], 'open the cell; on the name of an experiment: make it the baseline'],
  [['n', 'p'], 'in an opened cell: next and previous row'],
  [['Escape'], 'close, back to the cell'],
  [['k', 'K'], 'next and previous score'],
  [['f', 'F'], 'next and previous filter'],
  [['o'], 'regressions first, or improvements first'],
  [['?'], 'this list'],
];

export function KeysHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
      <p className="soft">They work while a cell has the focus.</p>
      <dl className={styles['keys']}>
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
