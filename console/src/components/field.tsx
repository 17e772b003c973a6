import {
  Checkbox as AriaCheckbox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SearchField as AriaSearchField,
  Select as AriaSelect,
  SelectValue,
  Switch as AriaSwitch,
  Button,
  Text,
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  type TextFieldProps,
} from 'react-aria-components';
import { Check, ChevronDown, Search, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDenial, type Needs } from './needs.js';
import { showToast } from './toast.js';
import { Tooltip } from './tooltip.js';
import styles from './field.module.css';

export interface FieldProps {
  label: string;
  /** Help text below the field. */
  help?: ReactNode;
  /** Error below the field, which is then marked as invalid. */
  error?: string | null | undefined;
  /** Only screen readers get the label. */
  hideLabel?: boolean;
}

type Text = FieldProps &
  Omit<TextFieldProps, 'children' | 'className' | 'style' | 'onChange' | 'value'> & {
    value: string;
    onChange: (value: string) => void;
    placeholder?: string;
    mono?: boolean;
  };

export function TextField({ label, help, error, hideLabel, placeholder, mono, ...rest }: Text) {
  return (
    <AriaTextField {...rest} isInvalid={Boolean(error)} className={styles['field']!}>
      <Label className={hideLabel ? 'visually-hidden' : styles['label']!}>{label}</Label>
      <Input dir="auto" className={`${styles['input']} ${mono ? styles['mono'] : ''}`} placeholder={placeholder} />
      <FieldMessages help={help} error={error} />
    </AriaTextField>
  );
}

export function TextArea({
  label,
  help,
  error,
  hideLabel,
  placeholder,
  mono,
  rows = 4,
  ...rest
}: Text & { rows?: number }) {
  return (
    <AriaTextField {...rest} isInvalid={Boolean(error)} className={styles['field']!}>
      <Label className={hideLabel ? 'visually-hidden' : styles['label']!}>{label}</Label>
      <AriaTextArea
        dir="auto"
        className={`${styles['input']} ${styles['area']} ${mono ? styles['mono'] : ''}`}
        placeholder={placeholder}
        rows={rows}
      />
      <FieldMessages help={help} error={error} />
    </AriaTextField>
  );
}

export function SearchField({
  label,
  value,
  onChange,
  onSubmit,
  placeholder,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onSubmit?: (value: string) => void;
  placeholder?: string;
}) {
  return (
    <AriaSearchField
      value={value}
      onChange={onChange}
      {...(onSubmit === undefined ? {} : { onSubmit })}
      className={`${styles['field']} ${styles['search']}`}
    >
      <Label className="visually-hidden">{label}</Label>
      <Search size={15} aria-hidden className={styles['glass']} />
      <Input dir="auto" className={styles['input']!} placeholder={placeholder ?? label} />
      <Button className={styles['clear']!} aria-label="Clear">
        <X size={14} aria-hidden />
      </Button>
    </AriaSearchField>
  );
}

export interface SelectOption {
  id: string;
  name: string;
  detail?: string;
}

export function Select({
  label,
  hideLabel,
  help,
  error,
  options,
  value,
  onChange,
  isDisabled,
}: FieldProps & {
  options: readonly SelectOption[];
  value: string | null;
  onChange: (id: string) => void;
  isDisabled?: boolean;
}) {
  return (
    <AriaSelect
      selectedKey={value}
      onSelectionChange={(key) => {
        if (key !== null) onChange(String(key));
      }}
      isDisabled={isDisabled ?? false}
      isInvalid={Boolean(error)}
      placeholder="Choose…"
      className={styles['field']!}
    >
      <Label className={hideLabel ? 'visually-hidden' : styles['label']!}>{label}</Label>
      <Button className={`${styles['input']} ${styles['select']}`}>
        <SelectValue className={styles['chosen']!} />
        <ChevronDown size={15} aria-hidden />
      </Button>
      <FieldMessages help={help} error={error} />
      <Popover className={styles['popover']!}>
        <ListBox items={options} className={styles['list']!}>
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.name} className={styles['option']!}>
              {({ isSelected }) => (
                <>
                  <span className={styles['mark']}>{isSelected ? <Check size={14} aria-hidden /> : null}</span>
                  <span dir="auto">{option.name}</span>
                  {option.detail === undefined ? null : (
                    <span className={styles['more']} dir="auto">
                      {option.detail}
                    </span>
                  )}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

export function Checkbox({
  children,
  value,
  onChange,
  isDisabled,
}: {
  children: ReactNode;
  value: boolean;
  onChange: (value: boolean) => void;
  isDisabled?: boolean;
}) {
  return (
    <AriaCheckbox isSelected={value} onChange={onChange} isDisabled={isDisabled ?? false} className={styles['check']!}>
      {({ isSelected }) => (
        <>
          <span className={styles['box']}>{isSelected ? <Check size={13} aria-hidden /> : null}</span>
          {children}
        </>
      )}
    </AriaCheckbox>
  );
}

/**
 * Without the permissions that it `needs` it cannot be changed, and says which role or scope it needs. Not
 * `isDisabled`, because a disabled switch cannot have the focus, and then nobody learns why it is disabled.
 */
export function Switch({
  children,
  value,
  needs,
  onChange,
}: {
  children: ReactNode;
  value: boolean;
  needs?: Needs;
  onChange: (value: boolean) => void;
}) {
  const denial = useDenial(needs);
  const control = (
    <AriaSwitch isSelected={value} onChange={onChange} isReadOnly={denial !== null} className={styles['check']!}>
      <span className={styles['track']}>
        <span className={styles['thumb']} />
      </span>
      {children}
      {denial === null ? null : <span className="visually-hidden">. {denial}</span>}
    </AriaSwitch>
  );
  if (denial === null) return control;
  return (
    // There is no tooltip for fingers.
    <span
      title={denial}
      onPointerUp={({ pointerType }) => {
        if (pointerType === 'touch') showToast(`${denial}.`);
      }}
    >
      <Tooltip text={denial}>{control}</Tooltip>
    </span>
  );
}

export function FieldMessages({ help, error }: { help?: ReactNode; error?: string | null | undefined }) {
  return (
    <>
      {help === undefined || error ? null : (
        <Text slot="description" className={styles['help']!}>
          {help}
        </Text>
      )}
      <FieldError className={styles['error']!}>{error}</FieldError>
    </>
  );
}
