import { Button } from '../../components/button.js';
import { useAsyncAction } from '../../components/async-action.js';
import { RUN } from '../../components/needs.js';
import { ErrorNote, Note } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { InterruptForm } from '../../shared/interrupt-form.js';
import type { RunSnapshot } from './follow-run.js';
import { hasEnded } from './run-order.js';
import type { RunWork } from './use-run-starter.js';
import styles from './run-page.module.css';

/** Whether a run ended with questions that nobody has answered. */
export function isWaitingForInput(snapshot: RunSnapshot | null): boolean {
  return hasQuestions(snapshot) && snapshot!.canContinue;
}

function hasQuestions(snapshot: RunSnapshot | null): boolean {
  return snapshot !== null && hasEnded(snapshot.status) && snapshot.view.interrupts.length > 0;
}

/** What continues a run that has stopped: answers to its questions, or a button. Nothing for other runs. */
export function ContinueRun({
  snapshot,
  onContinue,
  onOtherRun,
}: {
  snapshot: RunSnapshot;
  onContinue: (work: RunWork) => Promise<void>;
  /** Shows the input of another run; null if it is visible. */
  onOtherRun: (() => void) | null;
}) {
  const { view } = snapshot;
  const { error, isPending, execute } = useAsyncAction();
  const next = view.next ?? [];
  if (!hasQuestions(snapshot) && (!hasEnded(snapshot.status) || !snapshot.canContinue || next.length === 0))
    return null;
  return (
    <div className={styles['questions']}>
      {!hasQuestions(snapshot) ? (
        <Note variant="warn">
          <span className="row">
            {view.error === null ? 'Stopped before' : 'The state is still the one before'} {next.join(', ')}.{' '}
            <Button
              small
              variant="primary"
              needs={RUN}
              isPending={isPending}
              onPress={() => void execute(() => onContinue({ input: null }))}
            >
              {view.error === null ? 'Continue' : 'Retry from there'}
            </Button>
          </span>
        </Note>
      ) : snapshot.canContinue ? (
        <Panel
          key={snapshot.runId}
          title={
            view.interrupts.length === 1
              ? 'Waiting for input'
              : `Waiting for input: ${view.interrupts.length} questions`
          }
        >
          <InterruptForm
            autoFocus
            interrupts={view.interrupts}
            byId={view.interrupts.length > 1}
            onAnswer={(resume) => onContinue({ command: { resume } })}
          />
        </Panel>
      ) : (
        <Note>This run was interrupted. A later run has answered it.</Note>
      )}
      {error === null ? null : <ErrorNote error={error} />}
      {onOtherRun === null ? null : (
        <div>
          <Button small variant="quiet" onPress={onOtherRun}>
            Start another run instead
          </Button>
        </div>
      )}
    </div>
  );
}
