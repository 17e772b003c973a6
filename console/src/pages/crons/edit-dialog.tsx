import { useState } from 'react';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { useDoing } from '../../components/doing.js';
import { Checkbox, Select, TextField } from '../../components/field.js';
import { JsonEditor } from '../../components/json-editor.js';
import { ErrorNote } from '../../components/note.js';
import { say } from '../../components/toast.js';
import { ZoneField } from '../../components/zone-field.js';
import { AssistantField } from '../../shared/assistant-field.js';
import { bodyOf, draftOf, wrongIn, type CronDraft } from './cron-draft.js';
import { changeCron, makeCron, type Cron } from './data.js';
import { wordsOf } from './schedule-words.js';
import styles from './crons.module.css';

const KEEP = [
  { id: 'delete', name: 'Delete it after the run' },
  { id: 'keep', name: 'Keep it' },
];
const BUSY = [
  { id: 'enqueue', name: 'Wait for it' },
  { id: 'reject', name: 'Leave this firing out' },
  { id: 'interrupt', name: 'Interrupt it' },
  { id: 'rollback', name: 'Interrupt it and take back what it did' },
];

/** Makes a cron, or changes one: what of it can be changed. */
export function EditDialog({
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
  const [before] = useState(() => draftOf(cron, assistant, thread));
  const [draft, setDraft] = useState(before);
  const { error, pending, attempt } = useDoing();
  const put = (changes: Partial<CronDraft>): void => setDraft({ ...draft, ...changes });
  const words = wordsOf(draft.schedule);

  const save = (): Promise<void> =>
    attempt(async () => {
      const done =
        cron === null
          ? await makeCron(draft.thread, { assistant_id: draft.assistant, ...bodyOf(draft, null) })
          : await changeCron(cron.cron_id, bodyOf(draft, before));
      say(cron === null ? 'The cron is made.' : 'The cron is changed.');
      onClose();
      onDone(done);
    });

  return (
    <Dialog title={cron === null ? 'New cron' : 'Edit the cron'} isOpen size="wide" onClose={onClose}>
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
                placeholder="Each run on a thread of its own"
                value={draft.thread}
                onChange={(text) => put({ thread: text.trim() })}
                help="Id of a thread whose state the runs go on with."
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
            <ZoneField label="Time zone" value={draft.timezone} onChange={(timezone) => put({ timezone })} />
            <TextField
              label="Ends"
              placeholder="Never"
              value={draft.end}
              onChange={(end) => put({ end })}
              help="A date and time: 2027-01-31T18:00. Without an offset it is UTC."
            />
            {draft.thread === '' ? (
              <Select
                label="The thread of a run"
                options={KEEP}
                value={draft.keep}
                onChange={(keep) => put({ keep })}
              />
            ) : null}
            {draft.thread !== '' && cron === null ? (
              <Select
                label="When the thread has a run already"
                options={BUSY}
                value={draft.busy}
                onChange={(busy) => put({ busy })}
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
                  ? 'Of the cron, its runs and their threads.'
                  : 'Merged over what is there: a name that is left out stays.'
              }
            />
            <JsonEditor
              label="More options"
              rows={3}
              text={draft.more}
              onChange={(more) => put({ more })}
              help="webhook, interrupt_before, interrupt_after, stream_mode, stream_subgraphs, stream_resumable, durability, feedback_keys."
            />
          </div>
        </div>
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={pending} isDisabled={wrongIn(draft)}>
            {cron === null ? 'Make the cron' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
