import { Dialog } from '../components/dialog.js';
import { KeyList } from '../components/key-list.js';
import { HOME_KEY, PALETTE_KEYS } from './global-keys.js';
import { useSections } from './sections.js';
import styles from './keys-sheet.module.css';

/** All keys that work on every page. */
export default function KeysSheet({ onClose }: { onClose: () => void }) {
  const sections = useSections();
  return (
    <Dialog title="Keyboard shortcuts" isOpen onClose={onClose} size="medium">
      <div className={styles['columns']}>
        <section className="stack">
          <h3>Everywhere</h3>
          <KeyList
            keys={[
              [PALETTE_KEYS, 'Search, go to a page, or run a command'],
              [['/'], 'Search in this page'],
              [['j', 'k'], 'Next and previous row of a table'],
              [['Enter'], 'Open the row'],
              [['x'], 'Select the row; with Shift all rows up to it'],
              [['Escape'], 'Close a dialog or menu'],
              [['?'], 'Show this list'],
            ]}
          />
        </section>
        <section className="stack">
          <h3>Go to</h3>
          <KeyList
            keys={[[['g', HOME_KEY], 'Home'], ...sections.map(({ key, name }) => [['g', key], name] as const)]}
          />
        </section>
      </div>
      <p className="soft">Letters do nothing while a text field has the focus. Comparisons have keys of their own.</p>
    </Dialog>
  );
}
