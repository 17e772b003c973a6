import { Plus, X } from 'lucide-react';
import { useContext, useState, type ReactNode } from 'react';
import { errorAt, errorsIn, type FieldError } from '../api/http.js';
import { rawNumber, prettyJson } from '../api/json.js';
import { Button, IconButton } from '../components/button.js';
import { Checkbox, Select, TextArea, TextField } from '../components/field.js';
import { JsonEditor } from '../components/json-editor.js';
import { readJson } from '../components/read-json.js';
import { FormContext, useTextDraft } from './form-context.js';
import { MessagesField } from './messages-field.js';
import {
  matchingSchema,
  initialValue,
  fieldOf,
  fieldAccepts,
  schemaName,
  pathText,
  resolveSchema,
  withoutNull,
  type Field,
  type JsonSchema,
  type ValidationProblem,
} from './model.js';
import styles from './schema-form.module.css';

/** Characters of a default in the help of its field. */
const DEFAULT_CHARS_MAX = 80;

export interface FieldProps {
  schema: JsonSchema;
  path: ValidationProblem['path'];
  value: unknown;
  onChange: (value: unknown) => void;
  required: boolean;
  autoFocus?: boolean;
}

interface LabeledFieldProps extends FieldProps {
  label: string;
  help: string | undefined;
  error: string | null;
}

/** The field for one part of a schema, with everything below it. */
export function SchemaField(props: FieldProps) {
  const { root, problems, strict, serverErrors, marksOptional } = useContext(FormContext);
  const { schema, path, value, required } = props;
  const place = pathText(path);
  const problem = problems.find((one) => pathText(one.path) === place);
  const name =
    path.length === 0
      ? 'Value'
      : typeof path.at(-1) === 'number'
        ? `${(path.at(-1) as number) + 1}`
        : String(path.at(-1));
  const named: LabeledFieldProps = {
    ...props,
    label: path.length > 0 && !required && marksOptional ? `${name} (optional)` : name,
    help: helpOf(schema, name, value),
    error:
      errorAt(serverErrors, ...path.map(String)) ??
      (problem === undefined || (problem.message === 'is required' && !strict) ? null : problem.message),
  };
  const field = fieldOf(schema, root);
  const { nullable } = withoutNull(schema, root);
  const isJson = field.kind === 'json' || (!fieldAccepts(field, value) && !(value === null && nullable));
  if (isJson) return <JsonField {...named} error={named.error ?? errorInside(serverErrors, path)} />;
  return <FieldByKind field={field} named={named} nullable={nullable} />;
}

/** The description and, while nothing is entered, the default. */
function helpOf(schema: JsonSchema, name: string, value: unknown): string | undefined {
  const text =
    schema.description ??
    (schema.title !== undefined && schema.title.toLowerCase() !== name.toLowerCase() ? schema.title : undefined);
  if (value !== undefined || schema.default === undefined || schema.default === null) return text;
  const preset = typeof schema.default === 'string' ? schema.default : JSON.stringify(schema.default);
  const short = preset.length > DEFAULT_CHARS_MAX ? `${preset.slice(0, DEFAULT_CHARS_MAX)}…` : preset;
  return [text, `Default: ${short}`].filter((part) => part !== undefined).join(' · ');
}

/** The first error within a value that is edited as one text, with its place. */
export function errorInside(errors: readonly FieldError[], path: ValidationProblem['path']): string | null {
  const [first] = errorsIn(errors, ...path.map(String));
  return first === undefined
    ? null
    : first.path.length === 0
      ? first.message
      : `${pathText(first.path)} ${first.message}`;
}

function FieldByKind({ field, named, nullable }: { field: Field; named: LabeledFieldProps; nullable: boolean }) {
  const { label, help, error, value, onChange, required, autoFocus = false } = named;
  const nothing = required && nullable ? null : undefined;
  switch (field.kind) {
    case 'object':
      return <ObjectField field={field} {...named} />;
    case 'array':
      return <ArrayField items={field.items} {...named} />;
    case 'messages':
      return <MessagesField {...named} />;
    case 'choice':
      return <ChoiceField of={field.of} nullable={nullable} {...named} />;
    case 'number':
      return <NumberInput field={field} {...named} />;
    case 'json':
      return <JsonField {...named} />;
    case 'null':
      return (
        <p className="soft" dir="auto">
          {label}: null
        </p>
      );
    case 'boolean':
      return required && !nullable && value !== undefined ? (
        <div>
          <Checkbox value={value === true} onChange={onChange}>
            {label}
          </Checkbox>
          {help === undefined ? null : (
            <p className={styles['help']} dir="auto">
              {help}
            </p>
          )}
        </div>
      ) : (
        <Select
          label={label}
          help={help}
          error={error}
          options={[
            { id: '', name: 'Not set' },
            { id: 'true', name: 'true' },
            { id: 'false', name: 'false' },
          ]}
          value={value === undefined || value === null ? '' : String(value)}
          onChange={(id) => onChange(id === '' ? nothing : id === 'true')}
        />
      );
    case 'enum': {
      const options = field.values.map((one, at) => ({
        id: String(at),
        name: typeof one === 'string' ? one : JSON.stringify(one),
      }));
      const chosen = field.values.findIndex((one) => JSON.stringify(one) === JSON.stringify(value));
      return (
        <Select
          label={label}
          help={help}
          error={error}
          options={required && !nullable ? options : [{ id: '', name: 'Not set' }, ...options]}
          value={chosen === -1 ? (required && !nullable ? null : '') : String(chosen)}
          onChange={(id) => onChange(id === '' ? nothing : field.values[Number(id)])}
        />
      );
    }
    case 'text': {
      const change = (text: string): void =>
        onChange(text === '' && !required ? undefined : text === '' && nullable ? null : text);
      const common = { label, help, error, autoFocus, value: typeof value === 'string' ? value : '', onChange: change };
      return field.long ? (
        <TextArea {...common} rows={4} />
      ) : (
        <TextField {...common} type={NATIVE_INPUT_TYPES[field.format ?? ''] ?? 'text'} />
      );
    }
  }
}

/** Formats with a native browser input that produces the format of the schema. */
const NATIVE_INPUT_TYPES: Readonly<Record<string, string>> = {
  email: 'email',
  uri: 'url',
  url: 'url',
  date: 'date',
  password: 'password',
};

function FieldGroup({
  label,
  help,
  error,
  top,
  onRemove,
  children,
}: {
  label: string;
  help: string | undefined;
  error: string | null;
  top: boolean;
  onRemove?: (() => void) | undefined;
  children: ReactNode;
}) {
  if (top) return <div className={styles['fields']}>{children}</div>;
  return (
    <fieldset className={styles['group']}>
      <legend dir="auto">
        {label}
        {onRemove === undefined ? null : (
          <IconButton small label={`Remove ${label}`} onPress={onRemove}>
            <X size={14} aria-hidden />
          </IconButton>
        )}
      </legend>
      {help === undefined ? null : (
        <p className={styles['help']} dir="auto">
          {help}
        </p>
      )}
      {error === null ? null : <p className={styles['error']}>{error}</p>}
      {children}
    </fieldset>
  );
}

/** Button for an optional value that is not set. It renders nothing below, so recursive schemas end here. */
function AddOptionalValue({ schema, path, label, help, error, onChange }: LabeledFieldProps) {
  const { root } = useContext(FormContext);
  const fill = (): void =>
    onChange(initialValue({ ...schema, default: undefined }, root, true, Math.max(1, path.length)) ?? {});
  return (
    <div>
      <Button small onPress={fill}>
        <Plus size={14} aria-hidden />
        Add {label}
      </Button>
      {help === undefined ? null : (
        <p className={styles['help']} dir="auto">
          {help}
        </p>
      )}
      {error === null ? null : <p className={styles['error']}>{error}</p>}
    </div>
  );
}

function ObjectField({ field, ...named }: LabeledFieldProps & { field: Extract<Field, { kind: 'object' }> }) {
  const { root } = useContext(FormContext);
  const { path, value, onChange, required, label, help, error, autoFocus = false } = named;
  const [name, setName] = useState('');
  if (path.length > 0 && (value === undefined || value === null)) return <AddOptionalValue {...named} />;
  const given = (value ?? {}) as Record<string, unknown>;
  const change = (key: string, next: unknown): void => {
    const { [key]: _before, ...rest } = given;
    // An existing property keeps its position.
    onChange(next === undefined ? rest : key in given ? { ...given, [key]: next } : { ...rest, [key]: next });
  };
  // Focus the messages first, if there are any.
  const first = Math.max(
    0,
    field.properties.findIndex(([, schema]) => fieldOf(schema, root).kind === 'messages'),
  );
  const known = new Set(field.properties.map(([one]) => one));
  const others = Object.keys(given).filter((one) => !known.has(one));
  const isTaken = Object.hasOwn(given, name) || known.has(name);
  const add = (): void => {
    if (name === '' || isTaken) return;
    change(name, initialValue(field.extraProperties!, root, true, path.length + 1) ?? null);
    setName('');
  };
  return (
    <FieldGroup
      label={label}
      help={help}
      error={error}
      top={path.length === 0}
      onRemove={required ? undefined : () => onChange(undefined)}
    >
      {field.properties.map(([one, schema, must], at) => (
        <SchemaField
          key={one}
          schema={schema}
          path={[...path, one]}
          value={given[one]}
          required={must}
          autoFocus={autoFocus && at === first}
          onChange={(next) => change(one, next)}
        />
      ))}
      {others.map((one) => (
        <div key={one} className={styles['entry']}>
          <SchemaField
            schema={field.extraProperties ?? {}}
            path={[...path, one]}
            value={given[one]}
            required
            onChange={(next) => change(one, next === undefined ? null : next)}
          />
          <IconButton small label={`Remove ${one}`} onPress={() => change(one, undefined)}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      {field.extraProperties === null ? null : (
        <div className={styles['add']}>
          <TextField
            label={`New key${path.length === 0 ? '' : ` in ${pathText(path)}`}`}
            value={name}
            onChange={setName}
            error={isTaken ? 'There is such a key already.' : null}
          />
          {/* Not disabled while the name is empty: it would lose the focus when it is pressed. */}
          <Button small onPress={add}>
            <Plus size={14} aria-hidden />
            Add
          </Button>
        </div>
      )}
    </FieldGroup>
  );
}

function ArrayField({ items, ...named }: LabeledFieldProps & { items: JsonSchema }) {
  const { root } = useContext(FormContext);
  const { path, value, onChange, required, label, help, error } = named;
  const list = (value ?? []) as readonly unknown[];
  const listName = pathText(path) || 'the list';
  return (
    <FieldGroup label={label} help={help} error={error} top={path.length === 0}>
      {list.map((one, at) => (
        // Entries have no identity except their position.
        <div key={at} className={styles['entry']}>
          <SchemaField
            schema={items}
            path={[...path, at]}
            value={one}
            required
            onChange={(next) =>
              onChange(list.map((before, place) => (place === at ? (next === undefined ? null : next) : before)))
            }
          />
          <IconButton
            small
            label={`Remove entry ${at + 1} of ${listName}`}
            onPress={() =>
              onChange(list.length === 1 && !required ? undefined : list.filter((_, place) => place !== at))
            }
          >
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          small
          aria-label={`Add entry to ${listName}`}
          onPress={() => onChange([...list, initialValue(items, root, true, path.length + 1) ?? null])}
        >
          <Plus size={14} aria-hidden />
          Add entry
        </Button>
      </div>
    </FieldGroup>
  );
}

function ChoiceField({ of, nullable, ...named }: LabeledFieldProps & { of: readonly JsonSchema[]; nullable: boolean }) {
  const { root } = useContext(FormContext);
  const { value, onChange, required, label, help, error, path } = named;
  // A manual choice stays valid while the value fits it.
  const [picked, setPicked] = useState<number | null>(null);
  const at =
    picked !== null && fieldAccepts(fieldOf(of[picked]!, root), value) ? picked : matchingSchema(of, value, root);
  const given = value !== undefined && !(nullable && value === null && picked === null);
  const options = of.map((one, place) => ({ id: String(place), name: schemaName(one, place) }));
  const choose = (id: string): void => {
    if (id === '') {
      setPicked(null);
      return onChange(undefined);
    }
    const next = Number(id);
    setPicked(next);
    if (!given || !fieldAccepts(fieldOf(of[next]!, root), value))
      onChange(initialValue(of[next]!, root, true, path.length + 1) ?? null);
    return undefined;
  };
  return (
    <FieldGroup label={label} help={help} error={error} top={false}>
      <Select
        label={`Type of ${pathText(path) || 'the value'}`}
        options={required ? options : [{ id: '', name: 'Not set' }, ...options]}
        value={given || required ? String(at) : ''}
        onChange={choose}
      />
      {given || required ? (
        <SchemaField schema={resolveSchema(of[at], root)} path={path} value={value} onChange={onChange} required />
      ) : null}
    </FieldGroup>
  );
}

function NumberInput({
  field,
  path,
  label,
  help,
  error,
  value,
  onChange,
  autoFocus = false,
}: LabeledFieldProps & { field: Extract<Field, { kind: 'number' }> }) {
  const read = (text: string): { value: unknown; error: string | null } => {
    if (text.trim() === '') return { value: undefined, error: null };
    const { value: number, error: wrong } = readJson(text);
    return wrong === null && (typeof number === 'number' || rawNumber(number) !== null)
      ? { value: number, error: null }
      : { value: undefined, error: 'must be a number' };
  };
  const typed = useTextDraft(
    path,
    value,
    (one) => (one === undefined || one === null ? '' : (rawNumber(one) ?? String(one))),
    read,
  );
  const bounds = [field.min === null ? '' : `${field.min} or more`, field.max === null ? '' : `${field.max} or less`]
    .filter((one) => one !== '')
    .join(', ');
  return (
    <TextField
      label={label}
      help={[help, bounds].filter((one) => one !== undefined && one !== '').join(' · ') || undefined}
      error={typed.error ?? error}
      value={typed.text}
      inputMode={field.integer ? 'numeric' : 'decimal'}
      autoFocus={autoFocus}
      onChange={(text) => onChange(typed.type(text))}
    />
  );
}

/** Any value, edited as JSON. */
function JsonField({ path, label, help, error, value, onChange }: LabeledFieldProps) {
  const typed = useTextDraft(path, value, (one) => (one === undefined ? '' : prettyJson(one)), readJson);
  return (
    <JsonEditor
      label={`${label} as JSON`}
      {...(help === undefined ? {} : { help })}
      error={error}
      rows={Math.min(12, Math.max(2, typed.text.split('\n').length))}
      text={typed.text}
      onChange={(text) => onChange(typed.type(text))}
    />
  );
}
