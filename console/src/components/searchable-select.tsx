import { Button, ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { ChevronDown } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { SelectOption } from './field.js';
import styles from './field.module.css';

interface SearchableSelectProps {
  label: string;
  /** Only screen readers get the label. */
  hideLabel?: boolean;
  help?: ReactNode;
  error?: string | null;
  text: string;
  onTextChange: (text: string) => void;
  options: readonly SelectOption[];
  /** The option that the text stands for; null while the person types, because a selection closes the list. */
  selectedId: string | null;
  onSelect: (id: string) => void;
  placeholder?: string;
  /** Text of the empty list. Null: the list closes when nothing matches. */
  emptyText?: string | null;
  isRequired?: boolean;
  /** Option that Enter selects if none is focused; null: Enter only closes the list. */
  enterOptionId?: string | null;
  /** Called when the field loses the focus, with or without a selection. */
  onBlur?: () => void;
}

/** Selection from many options. The caller computes `options` from the typed text; nothing is filtered here. */
export function SearchableSelect({
  label,
  hideLabel = false,
  help,
  error,
  text,
  onTextChange,
  options,
  selectedId,
  onSelect,
  placeholder,
  emptyText = 'No matches',
  isRequired = false,
  enterOptionId = null,
  onBlur,
}: SearchableSelectProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const isPointing = (event.target as Element).hasAttribute('aria-activedescendant');
    if (event.key === 'Enter' && enterOptionId !== null && !isPointing && !event.nativeEvent.isComposing)
      onSelect(enterOptionId);
  };
  return (
    <ComboBox
      inputValue={text}
      onInputChange={onTextChange}
      items={options}
      selectedKey={selectedId}
      onSelectionChange={(key) => {
        if (key !== null) onSelect(String(key));
      }}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
      allowsCustomValue
      allowsEmptyCollection={emptyText !== null}
      menuTrigger="focus"
      isInvalid={Boolean(error)}
      isRequired={isRequired}
      validationBehavior="aria"
      className={styles['field']!}
    >
      <Label className={hideLabel ? 'visually-hidden' : styles['label']!}>{label}</Label>
      <div className={styles['combo']}>
        <Input
          dir="auto"
          className={styles['input']!}
          placeholder={placeholder}
          onFocus={(event) => event.target.select()}
        />
        <Button className={styles['clear']!} aria-label="Open list">
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
        <ListBox
          className={styles['list']!}
          renderEmptyState={() => <div className={styles['option']}>{emptyText}</div>}
        >
          {({ id, name, detail }: SelectOption) => (
            <ListBoxItem id={id} textValue={name} className={styles['option']!}>
              <span dir="auto">{name}</span>
              {detail === undefined ? null : (
                <span className={styles['more']} dir="auto">
                  {detail}
                </span>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
