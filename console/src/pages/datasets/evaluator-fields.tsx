import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { experimentJobs, type Evaluator, type EvaluatorRequest } from '../../api/experiment-jobs.js';
import { Checkbox, TextField } from '../../components/field.js';
import { NumberField } from '../../components/number-field.js';
import { JsonEditor } from '../../components/json-editor.js';
import { readJson } from '../../components/read-json.js';
import { ErrorNote, Loading } from '../../components/note.js';
import styles from './evaluator-fields.module.css';

/** What each built-in evaluator checks. */
const ABOUT: Readonly<Record<string, string>> = {
  exact_match: 'The outputs equal the reference',
  contains: 'The outputs contain the text of the reference',
  regex_match: 'A regular expression matches the outputs',
  numeric_match: 'The number is that of the reference',
  json_schema: 'The outputs match a JSON Schema',
  tool_calls: 'The tools of the reference are called, in that order',
  latency: 'The run is fast enough',
  cost: 'The run is cheap enough',
};

/** Label of the limit of evaluators that look at the run instead of its outputs. */
const LIMITED: Readonly<Record<string, string>> = { latency: 'At most (seconds)', cost: 'At most (US dollars)' };

export type ChosenEvaluators = Readonly<Record<string, EvaluatorRequest>>;

/** Selection of evaluators. The built-in ones have fields for the place that they look at. */
export function EvaluatorFields({
  chosen,
  onChange,
}: {
  chosen: ChosenEvaluators;
  onChange: (chosen: ChosenEvaluators) => void;
}) {
  const { data, error, refetch } = useQuery({
    queryKey: ['evaluators'],
    queryFn: ({ signal }) => experimentJobs.evaluators(signal),
  });
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorNote error={error} onRetry={() => void refetch()} />;
  const put = (name: string, request: EvaluatorRequest | null): void => {
    const { [name]: _, ...others } = chosen;
    onChange(request === null ? others : { ...others, [name]: request });
  };
  const groups: [title: string, evaluators: Evaluator[]][] = [
    ['Of the project', data.filter(({ built_in: isBuiltIn }) => !isBuiltIn)],
    ['Built in', data.filter(({ built_in: isBuiltIn }) => isBuiltIn)],
  ];
  return (
    <fieldset className={styles['fields']}>
      <legend>Evaluators</legend>
      {groups.map(([title, evaluators]) => (
        <div key={title} role="group" aria-label={title} className={styles['group']}>
          <h3>{title}</h3>
          {evaluators.length === 0 ? (
            <p className="soft">
              Name functions under <code>evaluators</code> in <code>langgraph.json</code> to find them here.
            </p>
          ) : null}
          {evaluators.map(({ name, built_in: isBuiltIn, summary: isSummary }) => (
            <div key={name} className={styles['evaluator']}>
              <Checkbox value={chosen[name] !== undefined} onChange={(is) => put(name, is ? { name } : null)}>
                <span>
                  <code>{name}</code>{' '}
                  <span className="soft">
                    {isBuiltIn ? ABOUT[name] : isSummary ? 'Scores the experiment as a whole' : ''}
                  </span>
                </span>
              </Checkbox>
              {isBuiltIn && chosen[name] !== undefined ? (
                <Options request={chosen[name]} onChange={(request) => put(name, request)} />
              ) : null}
            </div>
          ))}
        </div>
      ))}
    </fieldset>
  );
}

interface OptionsProps {
  request: EvaluatorRequest;
  onChange: (request: EvaluatorRequest) => void;
}

function Options({ request, onChange }: OptionsProps) {
  const { name } = request;
  return (
    <div className={styles['options']}>
      {name === 'regex_match' ? (
        <TextField
          label="Pattern"
          mono
          isRequired
          value={request.pattern ?? ''}
          onChange={(pattern) => onChange({ ...request, pattern })}
        />
      ) : null}
      {name === 'numeric_match' ? (
        <NumberField
          label="Tolerance"
          min={0}
          value={request.tolerance ?? 0}
          onChange={(tolerance) => onChange({ ...request, tolerance: tolerance ?? 0 })}
        />
      ) : null}
      {name === 'json_schema' ? <SchemaField onChange={(schema) => onChange({ ...request, schema })} /> : null}
      {LIMITED[name] === undefined ? (
        <Places request={request} onChange={onChange} />
      ) : (
        <NumberField
          label={LIMITED[name]}
          min={0}
          value={request.max ?? null}
          onChange={(max) => {
            const { max: _, ...others } = request;
            onChange(max === null ? others : { ...others, max });
          }}
        />
      )}
    </div>
  );
}

function SchemaField({ onChange }: { onChange: (schema: unknown) => void }) {
  const [text, setText] = useState('');
  return (
    <JsonEditor
      label="JSON Schema"
      rows={4}
      text={text}
      onChange={(next) => {
        setText(next);
        onChange(readJson(next).value);
      }}
    />
  );
}

/** Where the evaluator looks in the outputs and in the reference outputs. */
function Places({ request, onChange }: OptionsProps) {
  const { name } = request;
  return (
    <>
      <TextField
        label="Place in the outputs"
        mono
        placeholder={name === 'tool_calls' ? 'All of them' : 'messages.-1.content'}
        value={request.path ?? ''}
        onChange={(path) => onChange({ ...request, path })}
      />
      {name === 'regex_match' || name === 'json_schema' ? null : (
        <TextField
          label="Place in the reference outputs"
          mono
          placeholder={name === 'tool_calls' ? 'tools' : 'answer'}
          value={request.reference_path ?? ''}
          onChange={(path) => onChange({ ...request, reference_path: path })}
        />
      )}
    </>
  );
}
