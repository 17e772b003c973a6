import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { experimentJobs } from '../api/experiment-jobs.js';
import { rules, type Rule, type RuleTrigger } from '../api/rules.js';
import { useAsyncAction } from '../components/async-action.js';
import { Button } from '../components/button.js';
import { Dialog, DialogActions } from '../components/dialog.js';
import { Checkbox, Select, Switch, TextField } from '../components/field.js';
import { NumberField } from '../components/number-field.js';
import { ErrorNote } from '../components/note.js';
import { DatasetField, datasetNamed } from './dataset-field.js';
import { QueueField } from './queue-field.js';
import {
  changesOfRule,
  draftOfRule,
  isRuleComplete,
  newRuleDraft,
  type RuleDraft,
  type RuleStart,
} from './rule-draft.js';
import { RunFilterFields } from './run-filter-fields.js';
import { projectOptions, useTraceProjects } from './trace-projects.js';
import styles from './rule-dialog.module.css';

const TRIGGER_OPTIONS = [
  { id: 'end', name: 'it has ended' },
  { id: 'feedback', name: 'it gets feedback' },
];

type OnChange = (changes: Partial<RuleDraft>) => void;

/** Creates a rule, or edits one. `start`: what a new one begins with. */
export function RuleDialog({
  rule,
  start = {},
  onClose,
  onSaved,
}: {
  rule: Rule | null;
  start?: RuleStart;
  onClose: () => void;
  onSaved: (rule: Rule) => void;
}) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => (rule === null ? newRuleDraft(start) : draftOfRule(rule)));
  const { error, isPending, execute, clearError } = useAsyncAction();
  const isReady = isRuleComplete(draft);
  const put: OnChange = (changes) => {
    clearError();
    setDraft((before) => ({ ...before, ...changes }));
  };
  const save = (): Promise<void> =>
    execute(async () => {
      const dataset = draft.addsToDataset ? await datasetNamed(draft.datasetName) : null;
      const changes = changesOfRule(draft, dataset?.id ?? null);
      const saved = rule === null ? await rules.create(changes) : await rules.update(rule.id, changes);
      await client.invalidateQueries({ queryKey: ['rules'] });
      onClose();
      onSaved(saved);
    });
  return (
    <Dialog title={rule === null ? 'New rule' : 'Edit rule'} isOpen size="medium" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void save();
        }}
      >
        <TextField label="Name" isRequired autoFocus value={draft.name} onChange={(name) => put({ name })} />
        <RunFields rule={rule} draft={draft} onChange={put} />
        <DatasetFields draft={draft} onChange={put} />
        <div className={styles['action']}>
          <Switch value={draft.addsToQueue} onChange={(addsToQueue) => put({ addsToQueue })}>
            Add it to an annotation queue
          </Switch>
          {draft.addsToQueue ? <QueueField chosen={draft.queue} onChoose={(queue) => put({ queue })} /> : null}
        </div>
        {draft.trigger === 'end' ? <EvaluatorFields draft={draft} onChange={put} /> : null}
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={!isReady}>
            {rule === null ? 'Create rule' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** On which runs the rule acts. */
function RunFields({ rule, draft, onChange }: { rule: Rule | null; draft: RuleDraft; onChange: OnChange }) {
  const projects = useTraceProjects().data ?? [];
  return (
    <>
      <div className={styles['line']}>
        <Select
          label="For each run of"
          options={projectOptions(
            projects,
            { id: rule?.session_id ?? null, name: rule?.session_name ?? null },
            'another project',
          )}
          value={draft.project}
          onChange={(project) => onChange({ project })}
        />
        <Select
          label="when"
          options={TRIGGER_OPTIONS}
          value={draft.trigger}
          onChange={(id) => onChange({ trigger: id as RuleTrigger })}
        />
      </div>
      <RunFilterFields
        filters={draft}
        example={
          draft.trigger === 'end' ? 'eq(status, "error")' : 'and(eq(feedback_key, "thumb"), eq(feedback_score, 0))'
        }
        onChange={onChange}
      />
      <div className={styles['line']}>
        <NumberField
          label="Share of them, in %"
          min={0}
          max={100}
          value={draft.percent}
          onChange={(percent) => onChange({ percent })}
        />
        <NumberField
          label="At most, in an hour"
          min={1}
          value={draft.runsPerHour}
          onChange={(runsPerHour) => onChange({ runsPerHour })}
        />
      </div>
    </>
  );
}

function DatasetFields({ draft, onChange }: { draft: RuleDraft; onChange: OnChange }) {
  return (
    <div className={styles['action']}>
      <Switch value={draft.addsToDataset} onChange={(addsToDataset) => onChange({ addsToDataset })}>
        Add it to a dataset
      </Switch>
      {draft.addsToDataset ? (
        <>
          <DatasetField name={draft.datasetName} onName={(datasetName) => onChange({ datasetName })} />
          <Checkbox value={draft.prefersCorrection} onChange={(prefersCorrection) => onChange({ prefersCorrection })}>
            Take the correction of its feedback as expected outputs, if there is one
          </Checkbox>
          <div className={styles['line']}>
            <TextField
              label="Part of the inputs"
              mono
              placeholder="messages.-1.content"
              value={draft.inputsPath}
              onChange={(inputsPath) => onChange({ inputsPath })}
            />
            <TextField
              label="Part of the outputs"
              mono
              placeholder="messages.-1.content"
              value={draft.outputsPath}
              onChange={(outputsPath) => onChange({ outputsPath })}
            />
            <TextField
              label="Splits"
              placeholder="from users"
              value={draft.splits}
              onChange={(splits) => onChange({ splits })}
            />
          </div>
        </>
      ) : null}
    </div>
  );
}

/** The evaluators of the project that score single runs. Nothing is shown if there are none. */
function EvaluatorFields({ draft, onChange }: { draft: RuleDraft; onChange: OnChange }) {
  const known = useQuery({ queryKey: ['evaluators'], queryFn: ({ signal }) => experimentJobs.evaluators(signal) });
  const offered = (known.data ?? []).filter((one) => !one.built_in && !one.summary);
  if (known.error !== null) return <ErrorNote error={known.error} onRetry={() => void known.refetch()} />;
  if (offered.length === 0) return null;
  const { evaluators } = draft;
  return (
    <fieldset className={styles['evaluators']}>
      <legend>Score it with</legend>
      {offered.map(({ name }) => (
        <Checkbox
          key={name}
          value={evaluators.includes(name)}
          onChange={(isChosen) =>
            onChange({ evaluators: isChosen ? [...evaluators, name] : evaluators.filter((one) => one !== name) })
          }
        >
          {name}
        </Checkbox>
      ))}
    </fieldset>
  );
}
