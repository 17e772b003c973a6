import { Input, Label, NumberField as AriaNumberField } from 'react-aria-components';
import { FieldMessages, type FieldProps } from './field.js';
import styles from './field.module.css';

export function NumberField({
  label,
  help,
  error,
  value,
  onChange,
  min,
  max,
}: FieldProps & { value: number | null; onChange: (value: number | null) => void; min?: number; max?: number }) {
  return (
    <AriaNumberField
      value={value ?? Number.NaN}
      onChange={(next) => onChange(Number.isNaN(next) ? null : next)}
      {...(min === undefined ? {} : { minValue: min })}
      {...(max === undefined ? {} : { maxValue: max })}
      isInvalid={Boolean(error)}
      formatOptions={{ useGrouping: false, maximumFractionDigits: 15 }}
      className={styles['field']!}
    >
      <Label className={styles['label']!}>{label}</Label>
      <Input className={styles['input']!} />
      <FieldMessages help={help} error={error} />
    </AriaNumberField>
  );
}
