import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { alerts, type Alert, type AlertCondition, type AlertMetric } from '../api/alerts.js';
import { useAsyncAction } from '../components/async-action.js';
import { Button } from '../components/button.js';
import { Dialog, DialogActions } from '../components/dialog.js';
import { Select, TextField } from '../components/field.js';
import { NumberField } from '../components/number-field.js';
import { pluralize } from '../components/format.js';
import { ErrorNote, Note } from '../components/note.js';
import {
  changesOf,
  conditionOf,
  draftOf,
  newDraft,
  WINDOW_UNITS,
  type AlertDraft,
  type AlertStart,
  type WindowUnit,
} from './alert-draft.js';
import { describeCondition, formatAlertValue, formatPeriod, METRICS } from './alert-words.js';
import { RunFilterFields } from './run-filter-fields.js';
import { projectOptions, useTraceProjects } from './trace-projects.js';
import { WebhookHeaders } from './webhook-headers.js';
import styles from './alert-dialog.module.css';

const METRIC_OPTIONS = Object.entries(METRICS).map(([id, { name }]) => ({ id, name }));
const OPERATOR_OPTIONS = [
  { id: 'above', name: 'is above' },
  { id: 'below', name: 'is below' },
];
const UNIT_OPTIONS = Object.keys(WINDOW_UNITS).map((id) => ({ id, name: id }));
const COUNT_OPTIONS = [
  { id: 'traces', name: 'Whole traces' },
  { id: 'steps', name: 'Steps inside of traces' },
];
const REPEAT_SECONDS = [600, 1_800, 3_600, 14_400, 86_400];
const PREVIEW_DELAY_MS = 400;

/** Creates an alert, or edits one. `start`: what a new one begins with. */
export function AlertDialog({
  alert,
  start = {},
  onClose,
  onSaved,
}: {
  alert: Alert | null;
  start?: AlertStart;
  onClose: () => void;
  onSaved: (alert: Alert) => void;
}) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => (alert === null ? newDraft(start) : draftOf(alert)));
  const { error, isPending, execute, clearError } = useAsyncAction();
  const projects = useTraceProjects().data ?? [];
  const put = (changes: Partial<AlertDraft>): void => {
    clearError();
    setDraft({ ...draft, ...changes });
  };
  const changes = changesOf(draft);
  const condition = conditionOf(draft);
  const projectName = projects.find(({ id }) => id === draft.project)?.name ?? alert?.project_name ?? null;
  const save = (): Promise<void> =>
    execute(async () => {
      const saved = alert === null ? await alerts.create(changes!) : await alerts.update(alert.id, changes!);
      await client.invalidateQueries({ queryKey: ['alerts'] });
      onClose();
      onSaved(saved);
    });
  return (
    <Dialog title={alert === null ? 'New alert' : 'Edit alert'} isOpen size="medium" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (changes !== null) void save();
        }}
      >
        <TextField label="Name" isRequired autoFocus value={draft.name} onChange={(name) => put({ name })} />
        <div className={styles['line']}>
          <Select
            label="When the"
            options={METRIC_OPTIONS}
            value={draft.metric}
            onChange={(id) => put({ metric: id as AlertMetric })}
          />
          {draft.metric === 'feedback_score' ? (
            <TextField
              label="with the feedback key"
              isRequired
              value={draft.feedbackKey}
              onChange={(feedbackKey) => put({ feedbackKey })}
            />
          ) : null}
          <Select
            label="of"
            options={projectOptions(
              projects,
              { id: alert?.project_id ?? null, name: alert?.project_name ?? null },
              'a deleted project',
            )}
            value={draft.project}
            onChange={(project) => put({ project })}
          />
        </div>
        <div className={styles['line']}>
          <Select
            label="Comparison"
            options={OPERATOR_OPTIONS}
            value={draft.operator}
            onChange={(id) => put({ operator: id as AlertDraft['operator'] })}
          />
          <NumberField
            label={METRICS[draft.metric].unit === '' ? 'Limit' : `Limit in ${METRICS[draft.metric].unit}`}
            value={draft.threshold}
            onChange={(threshold) => put({ threshold })}
          />
          <NumberField
            label="over the last"
            min={1}
            value={draft.windowCount}
            onChange={(windowCount) => put({ windowCount })}
          />
          <Select
            label="Unit"
            options={UNIT_OPTIONS}
            value={draft.windowUnit}
            onChange={(id) => put({ windowUnit: id as WindowUnit })}
          />
        </div>
        <ConditionDetails draft={draft} onChange={put} />
        <div className={styles['line']}>
          <TextField
            label="Call this webhook"
            type="text"
            inputMode="url"
            placeholder="https://example.com/hook"
            value={draft.url}
            onChange={(url) => put({ url })}
            help={lostHeaders(alert, draft) ?? 'When it begins to fire, when it stops, and when it cannot be checked.'}
          />
          <Select
            label="and again while it is firing"
            options={repeatOptions(draft.repeat)}
            value={draft.repeat}
            onChange={(repeat) => put({ repeat })}
          />
        </div>
        {draft.url.trim() === '' ? null : (
          <WebhookHeaders
            headers={draft.headers}
            kept={keptHeaders(alert, draft)}
            onChange={(headers) => put({ headers })}
          />
        )}
        {condition === null ? null : <PresentValue condition={condition} projectName={projectName} />}
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={changes === null}>
            {alert === null ? 'Create alert' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Which runs count. Open if the alert has such conditions. */
function ConditionDetails({
  draft,
  onChange,
}: {
  draft: AlertDraft;
  onChange: (changes: Partial<AlertDraft>) => void;
}) {
  const [isOpen] = useState(draft.filter !== '' || draft.treeFilter !== '' || draft.countsSteps);
  return (
    <details className={styles['more']} open={isOpen}>
      <summary>Which runs count</summary>
      <div className="stack">
        <div className={styles['line']}>
          <Select
            label="Count"
            options={COUNT_OPTIONS}
            value={draft.countsSteps ? 'steps' : 'traces'}
            onChange={(id) => onChange({ countsSteps: id === 'steps' })}
          />
          <NumberField
            label="Only if there are at least"
            min={0}
            value={draft.minimumRuns}
            onChange={(minimumRuns) => onChange({ minimumRuns })}
            help="Fewer of them in this time count as no data."
          />
        </div>
        <RunFilterFields filters={draft} example={'eq(name, "answer")'} onChange={onChange} />
      </div>
    </details>
  );
}

/** The value that the condition has now. */
function PresentValue({ condition, projectName }: { condition: AlertCondition; projectName: string | null }) {
  const delayed = useDelayed(JSON.stringify(condition));
  const shown = JSON.parse(delayed) as AlertCondition;
  const { data, error } = useQuery({
    queryKey: ['alerts', 'condition', delayed],
    queryFn: ({ signal }) => alerts.tryCondition(shown, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (error !== null) return <ErrorNote error={error} />;
  const fires = data?.state === 'firing';
  return (
    <Note variant={fires ? 'warn' : 'info'}>
      <div>{describeCondition(condition, projectName)}.</div>
      <div aria-live="polite">
        {data === undefined
          ? 'Reading the present value…'
          : `Now: ${formatAlertValue(shown.metric, data.value)}, from ${pluralize(data.run_count, 'run')}. ${
              fires ? 'It would fire.' : data.state === 'no_data' ? 'That is no data.' : 'It would not fire.'
            }`}
      </div>
    </Note>
  );
}

function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), PREVIEW_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return delayed;
}

function repeatOptions(chosen: string): { id: string; name: string }[] {
  const seconds = REPEAT_SECONDS.map(String);
  const others = chosen === '' || seconds.includes(chosen) ? [] : [chosen];
  return [
    { id: '', name: 'never' },
    ...[...others, ...seconds].map((id) => ({ id, name: `every ${formatPeriod(Number(id))}` })),
  ];
}

/** Names of the headers that the server has for this address. */
function keptHeaders(alert: Alert | null, { url }: AlertDraft): readonly string[] {
  const webhook = alert?.webhook ?? null;
  return webhook !== null && url.trim() === webhook.url ? webhook.header_names : [];
}

/** Says that the headers of the webhook stay with its address: they may be secrets. */
function lostHeaders(alert: Alert | null, draft: AlertDraft): string | null {
  const names = alert?.webhook?.header_names ?? [];
  return names.length === 0 || keptHeaders(alert, draft).length > 0
    ? null
    : `A new address does not get: ${names.join(', ')}.`;
}
