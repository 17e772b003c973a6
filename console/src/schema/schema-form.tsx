import { useCallback, useEffect, useMemo, useState } from 'react';
import { prettyJson } from '../api/json.js';
import { Toggle } from '../components/button.js';
import { JsonEditor, readJson } from '../components/json-editor.js';
import { ErrorNote } from '../components/note.js';
import { FieldFor } from './fields.js';
import { FormContext } from './form-context.js';
import { placeOf, problemsOf, resolved, type JsonSchema, type Problem } from './model.js';
import styles from './schema-form.module.css';

export interface FormState {
  /** Text in a field that is no JSON, or no number: there is nothing yet that could be sent. */
  broken: string | null;
  /** What does not fit the schema; the server may see it otherwise. */
  problems: readonly Problem[];
}

export interface SchemaFormProps {
  /** What is filled in, as a heading for readers. */
  label: string;
  schema: JsonSchema;
  /** Undefined: nothing yet. */
  value: unknown;
  onChange: (value: unknown) => void;
  onState?: (state: FormState) => void;
  /** Names what is missing too; before somebody has tried, only what is wrong is named. */
  strict?: boolean;
  autoFocus?: boolean;
}

/** A form made of a JSON schema, and the same as JSON: what was typed in one is there in the other. */
export function SchemaForm({
  label,
  schema,
  value,
  onChange,
  onState,
  strict = false,
  autoFocus = false,
}: SchemaFormProps) {
  const root = useMemo(() => resolved(schema, schema), [schema]);
  // The text as it was typed; null: the form is shown.
  const [text, setText] = useState<string | null>(null);
  const [stays, setStays] = useState<string | null>(null);
  const [brokenFields, setBrokenFields] = useState<ReadonlyMap<string, string>>(new Map());
  const problems = useMemo(() => problemsOf(root, value, root), [root, value]);
  const report = useCallback(
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
  const context = useMemo(() => ({ root, problems, strict, report }), [root, problems, strict, report]);
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
    setStays(null);
    const { value: read, error } = readJson(next);
    if (error === null) onChange(read);
  };
  const toForm = (): void => {
    if (text !== null && readJson(text).error !== null)
      setStays('The form is shown again when this is JSON: nothing of what was typed is thrown away.');
    else setText(null);
  };
  const toJson = (): void => {
    if (broken !== null)
      setStays(`${broken} JSON is shown when this is mended: nothing of what was typed is thrown away.`);
    else {
      setStays(null);
      setText(value === undefined ? '' : prettyJson(value));
    }
  };
  return (
    <div role="group" aria-label={label} className={styles['form']}>
      <div role="group" aria-label={`${label} as`} className={styles['switch']}>
        <Toggle isSelected={text === null} onChange={toForm}>
          Form
        </Toggle>
        <Toggle isSelected={text !== null} onChange={toJson}>
          JSON
        </Toggle>
      </div>
      {stays === null ? null : <ErrorNote error={stays} />}
      {text === null ? (
        <FormContext.Provider value={context}>
          <FieldFor schema={root} path={[]} value={value} onChange={onChange} required autoFocus={autoFocus} />
        </FormContext.Provider>
      ) : (
        <>
          <JsonEditor label={`${label} as JSON`} text={text} onChange={type} rows={12} />
          {strict && broken === null && problems.length > 0 ? (
            <ul className={styles['problems']}>
              {problems.map((problem) => (
                <li key={placeOf(problem.path)} dir="auto">
                  {placeOf(problem.path)} {problem.message}
                </li>
              ))}
            </ul>
          ) : null}
        </>
      )}
    </div>
  );
}
