import { Button, ComboBox as AriaComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { ChevronDown } from 'lucide-react';
import type { Option } from './field.js';
import styles from './field.module.css';

/** A list that is searched by typing; the server finds what fits, so nothing is filtered here. */
export function ComboBox({ label, options, text, onText, value, onChange, placeholder, nothing = 'Nothing found' }: {
  label: string; options: readonly Option[]; text: string; onText: (text: string) => void; value: string | null; onChange: (id: string) => void; placeholder?: string; nothing?: string;
}) {
  return (
    <AriaComboBox items={options} inputValue={text} onInputChange={onText} selectedKey={value} onSelectionChange={(key) => { if (key !== null) onChange(String(key)); }} menuTrigger="focus" allowsEmptyCollection className={styles['field']!}>
      <Label className={styles['label']!}>{label}</Label>
      <div className={styles['combo']}>
        <Input dir="auto" className={styles['input']!} placeholder={placeholder} onFocus={(event) => event.target.select()} />
        <Button className={styles['clear']!} aria-label="Show all"><ChevronDown size={15} aria-hidden /></Button>
      </div>
      <Popover className={styles['popover']!}>
        <ListBox className={styles['list']!} renderEmptyState={() => <div className={styles['help']}>{nothing}</div>}>
          {(option: Option) => (
            <ListBoxItem id={option.id} textValue={option.name} className={styles['option']!}>
              <span dir="auto">{option.name}</span>{option.more === undefined ? null : <span className={styles['more']} dir="auto">{option.more}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
