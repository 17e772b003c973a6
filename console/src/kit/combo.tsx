import { Button, ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Option } from './field.js';
import styles from './field.module.css';

/** A choice out of many: what is typed decides which `options` there are. `chosen`: the one that the text stands for, null where it is only typed. */
export function Combo({ label, help, error, text, onText, options, chosen, onChoose, placeholder, isRequired = false }: { label: string; help?: ReactNode; error?: string | null; text: string; onText: (text: string) => void; options: readonly Option[]; chosen: string | null; onChoose: (id: string) => void; placeholder?: string; isRequired?: boolean }) {
  return (
    <ComboBox inputValue={text} onInputChange={onText} items={options} selectedKey={chosen} onSelectionChange={(key) => { if (key !== null) onChoose(String(key)); }} allowsCustomValue allowsEmptyCollection menuTrigger="focus" isInvalid={Boolean(error)} isRequired={isRequired} validationBehavior="aria" className={styles['field']!}>
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
