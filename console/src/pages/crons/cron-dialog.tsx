import { useMemo, useState } from 'react';
import { errorAt, errorsIn, fieldErrors } from '../../api/http.js';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Checkbox, Select, TextField } from '../../components/field.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { showToast } from '../../components/toast.js';
import { inputToSend } from '../../schema/chat-input.js';
import { useFormChecks } from '../../schema/form-checks.js';
import { FormProblems } from '../../schema/form-problems.js';
import { initialValue, type JsonSchema } from '../../schema/model.js';
import { SchemaForm } from '../../schema/schema-form.js';
import { AssistantField } from '../../shared/assistant-field.js';
import { useConfigSchema, useSchemas } from '../../shared/assistant-schemas.js';
import { CopyAs } from '../../shared/copy-as.js';
import type { CopiedRequest } from '../../shared/request-snippets.js';
import { isEmptyValue } from '../../shared/empty-value.js';
import { draftProblem, initialDraft, requestBody, type CronDraft } from './cron-draft.js';
import { createCronRequest, updateCronRequest } from './cron-requests.js';
import { updateCron, createCron, type Cron } from './data.js';
import { ScheduleFields } from './schedule-fields.js';
import styles from './crons.module.css';

const COMPLETION_OPTIONS = [
  { id: 'delete', name: 'Delete after the run' },
  { id: 'keep', name: 'Keep' },
];
const MULTITASK_OPTIONS = [
  { id: 'enqueue', name: 'Enqueue: wait for it' },
  { id: 'reject', name: 'Skip the scheduled run' },
  { id: 'interrupt', name: 'Interrupt it, keep its changes' },
  { id: 'rollback', name: 'Interrupt it and roll back' },
];
const NO_SCHEMA: JsonSchema = {};
/** The values that have a form, and their headings. */
const FORMS = {
  input: 'Input',
  context: 'Context',
  config: 'Configuration',
  metadata: 'Metadata',
  otherOptions: 'More options',
} as const;
type FormName = keyof typeof FORMS;
const FOLDED: readonly FormName[] = ['context', 'config', 'metadata', 'otherOptions'];

/** Creates a cron, or edits the changeable fields of one. */
export function CronDialog({
  cron,
  assistant,
  thread,
  onClose,
  onDone,
}: {
  cron: Cron | null;
  assistant: string;
  thread: string;
  onClose: () => void;
  onDone: (cron: Cron) => void;
}) {
  const [before] = useState(() => initialDraft(cron, assistant, thread));
  const [draft, setDraft] = useState(before);
  const { error, isPending, execute, clearError } = useAsyncAction();
  const schemas = useSchemas(draft.assistant === '' ? null : draft.assistant);
  const inputSchema = (schemas.data?.input_schema as JsonSchema | null | undefined) ?? NO_SCHEMA;
  const wholeConfig = useConfigSchema(schemas.data?.config_schema);
  const firstInput = useMemo(
    () => (cron === null ? initialValue(inputSchema, inputSchema, true) : undefined),
    [cron, inputSchema],
  );
  const [isInputTouched, setInputTouched] = useState(false);
  const whole: CronDraft = isInputTouched ? draft : { ...draft, input: draft.input ?? firstInput };
  const checks = useFormChecks(
    (Object.keys(FORMS) as FormName[]).filter((form) => isEmptyValue(whole[form])).map((form) => FORMS[form]),
  );
  const errors = fieldErrors(error);
  const hasFoldedErrors = FOLDED.some((form) => errorsIn(errors, form).length > 0);
  const [isOpen] = useState(FOLDED.some((form) => before[form] !== undefined));
  const put = (changes: Partial<CronDraft>): void => {
    clearError();
    setDraft((now) => ({ ...now, ...changes }));
  };
  const missing = draftProblem(draft);
  /** Throws if the input is an empty message. */
  const draftToSend = (): CronDraft => ({
    ...whole,
    input: whole.input === before.input ? before.input : inputToSend(inputSchema, whole.input),
  });
  const copied = (): CopiedRequest | null => {
    if (missing !== null) return null;
    try {
      return cron === null
        ? createCronRequest(draft.assistant, draft.thread, requestBody(draftToSend(), null))
        : updateCronRequest(cron.cron_id, requestBody(draftToSend(), before));
    } catch {
      return null;
    }
  };

  const save = async (): Promise<void> => {
    if (missing !== null || !checks.attempt()) return;
    await execute(async () => {
      const sent = draftToSend();
      const done =
        cron === null
          ? await createCron(draft.thread, { assistant_id: draft.assistant, ...requestBody(sent, null) })
          : await updateCron(cron.cron_id, requestBody(sent, before));
      showToast(cron === null ? 'Cron created.' : 'Cron updated.');
      onClose();
      onDone(done);
    });
  };

  const formOf = (form: FormName, schema: unknown, help?: string) => (
    <SchemaForm
      // Another assistant has other fields.
      key={`${form} ${draft.assistant}`}
      label={FORMS[form]}
      heading={FORMS[form]}
      schema={(schema as JsonSchema | null | undefined) ?? NO_SCHEMA}
      value={whole[form]}
      onChange={(value) => {
        if (form === 'input') setInputTouched(true);
        put({ [form]: value });
      }}
      onState={checks.onState(FORMS[form])}
      strict={checks.strict && !isEmptyValue(whole[form])}
      serverErrors={errorsIn(errors, form)}
      {...(help === undefined ? {} : { help })}
    />
  );

  const confirm = cron === null ? 'Create' : 'Save';
  return (
    <Dialog title={cron === null ? 'New cron' : 'Edit cron'} isOpen size="medium" onClose={onClose}>
      <form
        noValidate
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {cron === null ? (
          <AssistantField isRequired onlySelected value={draft.assistant} onChange={(id) => put({ assistant: id })} />
        ) : null}
        <ScheduleFields
          schedule={draft.schedule}
          timezone={draft.timezone}
          error={errorAt(errors, 'schedule')}
          zoneError={errorAt(errors, 'timezone')}
          onSchedule={(schedule) => put({ schedule })}
          onTimezone={(timezone) => put({ timezone })}
        />
        <div className={styles['two']}>
          {cron === null ? (
            <TextField
              label="Thread"
              mono
              placeholder="New thread for each run"
              value={draft.thread}
              onChange={(text) => put({ thread: text.trim() })}
              help="ID of a thread that all runs continue."
            />
          ) : null}
          {draft.thread === '' ? (
            <Select
              label="Thread after the run"
              options={COMPLETION_OPTIONS}
              value={draft.onRunCompleted}
              onChange={(onRunCompleted) => put({ onRunCompleted })}
            />
          ) : null}
          {draft.thread !== '' && cron === null ? (
            <Select
              label="If the thread has an active run"
              options={MULTITASK_OPTIONS}
              value={draft.multitaskStrategy}
              onChange={(multitaskStrategy) => put({ multitaskStrategy })}
            />
          ) : null}
          <TextField
            label="End time"
            placeholder="Never"
            value={draft.end}
            onChange={(end) => put({ end })}
            error={errorAt(errors, 'end_time')}
            help="For example 2027-01-31T18:00. UTC if there is no offset."
          />
        </div>
        <Checkbox value={draft.enabled} onChange={(enabled) => put({ enabled })}>
          Enabled
        </Checkbox>
        {schemas.error === null ? null : <ErrorNote error={schemas.error} onRetry={() => void schemas.refetch()} />}
        {schemas.isLoading ? <Loading /> : formOf('input', schemas.data?.input_schema)}
        <details className={styles['more']} open={isOpen || hasFoldedErrors}>
          <summary>Context, configuration, metadata and more</summary>
          <div className="stack">
            {schemas.isLoading ? null : formOf('context', schemas.data?.context_schema)}
            {schemas.isLoading ? null : formOf('config', wholeConfig)}
            {formOf(
              'metadata',
              null,
              cron === null
                ? 'Metadata of the cron, its runs and their threads.'
                : 'Merged into the current metadata. Omitted keys keep their values.',
            )}
            {formOf(
              'otherOptions',
              null,
              'Run options as JSON: webhook, interrupt_before, interrupt_after, stream_mode, stream_subgraphs, stream_resumable, durability, feedback_keys.',
            )}
          </div>
        </details>
        <FormProblems checks={checks} what={confirm} />
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <CopyAs request={copied()} />
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={missing !== null}>
            {confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
