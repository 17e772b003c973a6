import { Button, ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Option } from './field.js';
import styles from './field.module.css';

/** A choice out of many: what is typed is asked of the server, which finds `options`. Null: nothing is chosen. */
export function Combo({ label, help, error, text, onText, options, onChoose, placeholder, isRequired = false }: { label: string; help?: ReactNode; error?: string | null; text: string; onText: (text: string) => void; options: readonly Option[]; onChoose: (id: string | null) => void; placeholder?: string; isRequired?: boolean }) {
  return (
    <ComboBox inputValue={text} onInputChange={onText} items={options} selectedKey={null} onSelectionChange={(key) => { if (key !== null) onChoose(String(key)); }} allowsCustomValue allowsEmptyCollection menuTrigger="focus" isInvalid={Boolean(error)} isRequired={isRequired} validationBehavior="aria" className={styles['field']!}>
      <Label className={styles['label']!}>{label}</Label>
      <div className={styles['combo']}>
        <Input dir="auto" className={styles['input']!} placeholder={placeholder} />
        <Button className={styles['clear']!}><ChevronDown size={15} aria-hidden /></Button>
      </div>
      {help === undefined || error ? null : <Text slot="description" className={styles['help']!}>{help}</Text>}
      <FieldError className={styles['error']!}>{error}</FieldError>
      <Popover className={styles['popover']!}>
        <ListBox className={styles['list']!} renderEmptyState={() => <div className={styles['option']}>Nothing is found.</div>}>
          {({ id, name, more }: Option) => (
            <ListBoxItem id={id} textValue={name} className={styles['option']!}><span dir="auto">{name}</span>{more === undefined ? null : <span className={styles['more']} dir="auto">{more}</span>}</ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
