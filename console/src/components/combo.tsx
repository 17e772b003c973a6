import { Button, ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { ChevronDown } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { Option } from './field.js';
import styles from './field.module.css';

interface ComboProps {
  label: string;
  /** The label is said, not shown. */
  quiet?: boolean;
  help?: ReactNode;
  error?: string | null;
  text: string;
  onText: (text: string) => void;
  options: readonly Option[];
  /** The option that the text stands for; null while it is only typed: a choice that comes in closes the list. */
  chosen: string | null;
  onChoose: (id: string) => void;
  placeholder?: string;
  /** What the list says when it is empty. */
  nothing?: string;
  isRequired?: boolean;
  /** What Enter chooses when none is pointed at; null: it only closes the list. */
  first?: string | null;
  /** The field is left, with whatever stands in it. */
  onLeave?: () => void;
}

/** A choice out of many: what is typed decides which `options` there are. Nothing is filtered here. */
export function Combo({
  label,
  quiet = false,
  help,
  error,
  text,
  onText,
  options,
  chosen,
  onChoose,
  placeholder,
  nothing = 'Nothing is found.',
  isRequired = false,
  first = null,
  onLeave,
}: ComboProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const isPointing = (event.target as Element).hasAttribute('aria-activedescendant');
    if (event.key === 'Enter' && first !== null && !isPointing && !event.nativeEvent.isComposing) onChoose(first);
  };
  return (
    <ComboBox
      inputValue={text}
      onInputChange={onText}
      items={options}
      selectedKey={chosen}
      onSelectionChange={(key) => {
        if (key !== null) onChoose(String(key));
      }}
      onBlur={onLeave}
      onKeyDown={onKeyDown}
      allowsCustomValue
      allowsEmptyCollection
      menuTrigger="focus"
      isInvalid={Boolean(error)}
      isRequired={isRequired}
      validationBehavior="aria"
      className={styles['field']!}
    >
      <Label className={quiet ? 'seen-by-readers-only' : styles['label']!}>{label}</Label>
      <div className={styles['combo']}>
        <Input
          dir="auto"
          className={styles['input']!}
          placeholder={placeholder}
          onFocus={(event) => event.target.select()}
        />
        <Button className={styles['clear']!} aria-label="Show all">
          <ChevronDown size={15} aria-hidden />
        </Button>
      </div>
      {help === undefined || error ? null : (
        <Text slot="description" className={styles['help']!}>
          {help}
        </Text>
      )}
      <FieldError className={styles['error']!}>{error}</FieldError>
      <Popover className={styles['popover']!}>
        <ListBox className={styles['list']!} renderEmptyState={() => <div className={styles['option']}>{nothing}</div>}>
          {({ id, name, more }: Option) => (
            <ListBoxItem id={id} textValue={name} className={styles['option']!}>
              <span dir="auto">{name}</span>
              {more === undefined ? null : (
                <span className={styles['more']} dir="auto">
                  {more}
                </span>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
