import { useState } from 'react';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Checkbox, Select, TextField } from '../../components/field.js';
import { JsonEditor } from '../../components/json-editor.js';
import { ErrorNote } from '../../components/note.js';
import { showToast } from '../../components/toast.js';
import { TimeZoneField } from '../../components/time-zone-field.js';
import { AssistantField } from '../../shared/assistant-field.js';
import { CopyAs } from '../../shared/copy-as.js';
import { createCronRequest, updateCronRequest } from './cron-requests.js';
import { requestBody, initialDraft, isIncomplete, type CronDraft } from './cron-draft.js';
import { updateCron, createCron, type Cron } from './data.js';
import { describeSchedule } from './describe-schedule.js';
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
  const { error, isPending, execute } = useAsyncAction();
  const put = (changes: Partial<CronDraft>): void => setDraft({ ...draft, ...changes });
  const words = describeSchedule(draft.schedule);

  const save = (): Promise<void> =>
    execute(async () => {
      const done =
        cron === null
          ? await createCron(draft.thread, { assistant_id: draft.assistant, ...requestBody(draft, null) })
          : await updateCron(cron.cron_id, requestBody(draft, before));
      showToast(cron === null ? 'Cron created.' : 'Cron updated.');
      onClose();
      onDone(done);
    });

  return (
    <Dialog title={cron === null ? 'New cron' : 'Edit cron'} isOpen size="wide" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className={styles['two']}>
          <div className="stack">
            {cron === null ? (
              <AssistantField isRequired value={draft.assistant} onChange={(id) => put({ assistant: id })} />
            ) : null}
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
            <TextField
              label="Schedule"
              mono
              isRequired
              placeholder="0 9 * * mon-fri"
              value={draft.schedule}
              onChange={(schedule) => put({ schedule })}
              help={
                <span aria-live="polite">{words ?? 'Minute, hour, day of the month, month, day of the week.'}</span>
              }
            />
            <TimeZoneField label="Time zone" value={draft.timezone} onChange={(timezone) => put({ timezone })} />
            <TextField
              label="End time"
              placeholder="Never"
              value={draft.end}
              onChange={(end) => put({ end })}
              help="Date and time, for example 2027-01-31T18:00. UTC if there is no offset."
            />
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
            <Checkbox value={draft.enabled} onChange={(enabled) => put({ enabled })}>
              Enabled
            </Checkbox>
          </div>
          <div className="stack">
            <JsonEditor label="Input" rows={6} text={draft.input} onChange={(input) => put({ input })} />
            <JsonEditor
              label="Configuration (config)"
              rows={3}
              text={draft.config}
              onChange={(config) => put({ config })}
            />
            <JsonEditor label="Context" rows={3} text={draft.context} onChange={(context) => put({ context })} />
            <JsonEditor
              label="Metadata"
              rows={3}
              text={draft.metadata}
              onChange={(metadata) => put({ metadata })}
              help={
                cron === null
                  ? 'Metadata of the cron, its runs and their threads.'
                  : 'Merged into the current metadata. Omitted keys keep their values.'
              }
            />
            <JsonEditor
              label="More options"
              rows={3}
              text={draft.otherOptions}
              onChange={(otherOptions) => put({ otherOptions })}
              help="Run options as JSON: webhook, interrupt_before, interrupt_after, stream_mode, stream_subgraphs, stream_resumable, durability, feedback_keys."
            />
          </div>
        </div>
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <CopyAs
            request={
              isIncomplete(draft)
                ? null
                : cron === null
                  ? createCronRequest(draft.assistant, draft.thread, requestBody(draft, null))
                  : updateCronRequest(cron.cron_id, requestBody(draft, before))
            }
          />
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={isIncomplete(draft)}>
            {cron === null ? 'Create' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
