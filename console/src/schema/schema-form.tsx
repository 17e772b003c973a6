import { useCallback, useContext, useEffect, useMemo, useState } from 'react';
import type { FieldError } from '../api/http.js';
import { prettyJson } from '../api/json.js';
import { ToggleButton } from '../components/button.js';
import { JsonEditor } from '../components/json-editor.js';
import { readJson } from '../components/read-json.js';
import { ErrorNote } from '../components/note.js';
import { errorInside, SchemaField } from './fields.js';
import { FormContext, useTextDraft } from './form-context.js';
import { fieldOf, pathText, validateValue, resolveSchema, type JsonSchema, type ValidationProblem } from './model.js';
import styles from './schema-form.module.css';

export interface FormState {
  /** Message for a field whose text is not valid JSON or not a number, so that there is no value to send. */
  broken: string | null;
  /** Mismatches with the schema. The server makes the final decision. */
  problems: readonly ValidationProblem[];
}

export interface SchemaFormProps {
  /** Accessible name of the form. */
  label: string;
  schema: JsonSchema;
  /** Undefined if nothing is entered yet. */
  value: unknown;
  onChange: (value: unknown) => void;
  onState?: (state: FormState) => void;
  /** Also show missing values. Set after the first attempt to submit. */
  strict?: boolean;
  autoFocus?: boolean;
  /** Shown above the form, as a label of its own. */
  heading?: string;
  help?: string;
  /** What the server has found, with paths that begin at the root. */
  serverErrors?: readonly FieldError[];
  /** False if every value is optional. */
  marksOptional?: boolean;
}

const NO_ERRORS: readonly FieldError[] = [];

/**
 * A form that is generated from a JSON schema, switchable to JSON. Both edit the same value. Without a schema of any
 * use, it is JSON only.
 */
export function SchemaForm({
  label,
  schema,
  value,
  onChange,
  onState,
  strict = false,
  autoFocus = false,
  heading,
  help,
  serverErrors = NO_ERRORS,
  marksOptional = true,
}: SchemaFormProps) {
  const root = useMemo(() => resolveSchema(schema, schema), [schema]);
  // The JSON text as typed, or null while the form is shown.
  const [text, setText] = useState<string | null>(null);
  const [switchError, setSwitchError] = useState<string | null>(null);
  const [brokenFields, setBrokenFields] = useState<ReadonlyMap<string, string>>(new Map());
  const problems = useMemo(() => validateValue(root, value, root), [root, value]);
  const onFieldError = useCallback(
    (place: string, message: string | null) =>
      setBrokenFields((before) => {
        if ((before.get(place) ?? null) === message) return before;
        const after = new Map(before);
        if (message === null) after.delete(place);
        else after.set(place, message);
        return after;
      }),
    [],
  );
  const messagePlaceholder = `Write a message.${heading === undefined ? ' Enter starts the run, Shift+Enter adds a line.' : ''}`;
  const context = useMemo(
    () => ({ root, problems, strict, serverErrors, messagePlaceholder, marksOptional, onFieldError }),
    [root, problems, strict, serverErrors, messagePlaceholder, marksOptional, onFieldError],
  );
  const [firstBroken] = brokenFields;
  const broken =
    text !== null
      ? readJson(text).error
      : firstBroken === undefined
        ? null
        : `${firstBroken[0] === '' ? '' : `${firstBroken[0]}: `}${firstBroken[1]}`;
  useEffect(() => onState?.({ broken, problems }), [broken, problems, onState]);

  const type = (next: string): void => {
    setText(next);
    setSwitchError(null);
    const { value: read, error } = readJson(next);
    if (error === null) onChange(read);
  };
  const showForm = (): void => {
    if (text !== null && readJson(text).error !== null)
      setSwitchError('Correct the JSON to return to the form. Your text is kept.');
    else setText(null);
  };
  const showJson = (): void => {
    if (broken !== null) setSwitchError(`${broken} Correct this to switch to JSON. Your input is kept.`);
    else {
      setSwitchError(null);
      setText(value === undefined ? '' : prettyJson(value));
    }
  };
  if (fieldOf(root, root).kind === 'json')
    return (
      <FormContext.Provider value={context}>
        <JsonOnly label={heading ?? `${label} as JSON`} value={value} onChange={onChange} help={help} />
      </FormContext.Provider>
    );
  return (
    <div
      role="group"
      aria-label={label}
      className={`${styles['form']} ${heading === undefined ? '' : styles['titled']}`}
    >
      <div className={styles['head']}>
        {heading === undefined ? null : <h3>{heading}</h3>}
        <div role="group" aria-label={`${label} as`} className={styles['switch']}>
          <ToggleButton isSelected={text === null} onChange={showForm}>
            Form
          </ToggleButton>
          <ToggleButton isSelected={text !== null} onChange={showJson}>
            JSON
          </ToggleButton>
        </div>
      </div>
      {help === undefined ? null : <p className={styles['help']}>{help}</p>}
      {switchError === null ? null : <ErrorNote error={switchError} />}
      {text === null ? (
        <FormContext.Provider value={context}>
          <SchemaField schema={root} path={[]} value={value} onChange={onChange} required autoFocus={autoFocus} />
        </FormContext.Provider>
      ) : (
        <>
          <JsonEditor
            label={`${label} as JSON`}
            text={text}
            onChange={type}
            rows={12}
            error={errorInside(serverErrors, [])}
          />
          {strict && broken === null && problems.length > 0 ? (
            <ul className={styles['problems']}>
              {problems.map((problem) => (
                <li key={pathText(problem.path)} dir="auto">
                  {pathText(problem.path)} {problem.message}
                </li>
              ))}
            </ul>
          ) : null}
        </>
      )}
    </div>
  );
}

const JSON_ROWS_MAX = 14;

/** A value without a schema, edited as JSON. */
function JsonOnly({
  label,
  help,
  value,
  onChange,
}: {
  label: string;
  help: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const { serverErrors } = useContext(FormContext);
  const typed = useTextDraft([], value, (one) => (one === undefined ? '' : prettyJson(one)), readJson);
  return (
    <JsonEditor
      label={label}
      {...(help === undefined ? {} : { help })}
      error={errorInside(serverErrors, [])}
      rows={Math.min(JSON_ROWS_MAX, Math.max(3, typed.text.split('\n').length))}
      text={typed.text}
      onChange={(next) => onChange(typed.type(next))}
    />
  );
}
