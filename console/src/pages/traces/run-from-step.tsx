import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Play } from 'lucide-react';
import type { Run } from '../../api/evaluation.js';
import { fetchJson } from '../../api/http.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { consoleHref } from '../../components/console-href.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { RUN } from '../../components/needs.js';
import { ErrorNote, Loading, Note } from '../../components/note.js';
import { startRun } from '../../shared/start-run.js';
import { metadataOf, type Step } from './trace-tree.js';

/** Where a run can begin again: the node of the graph that a step belongs to. */
export interface StartingPoint {
  threadId: string;
  assistantId: string;
  runId: string;
  node: string;
  /** Number of the step of the graph. The checkpoint before it has the number before. */
  step: number;
}

/**
 * The node of the graph itself, not of a subgraph, that the step is or is part of. Null for the run itself, for a run
 * without a thread, and for traces that clients have sent.
 */
export function startingPointOf(steps: readonly Step[], run: Run): StartingPoint | null {
  const byId = new Map(steps.map((step) => [step.run.id, step]));
  const root = metadataOf(steps[0]!.run);
  const { thread_id: threadId, assistant_id: assistantId } = root;
  if (typeof threadId !== 'string' || typeof assistantId !== 'string') return null;
  for (let at = byId.get(run.id); at !== undefined; at = byId.get(at.parentId ?? '')) {
    const { langgraph_node: node, langgraph_step: step, langgraph_checkpoint_ns: namespace } = metadataOf(at.run);
    // The namespace of a node in a subgraph has a part for each graph around it.
    if (typeof node === 'string' && typeof step === 'number' && !String(namespace).includes('|'))
      return { threadId, assistantId, runId: steps[0]!.run.id, node, step };
  }
  return null;
}

interface FoundCheckpoint {
  checkpoint: { checkpoint_id: string };
  next: string[];
}

/** Starts a run from the checkpoint before a step. */
export function RunFromStepButton({ start }: { start: StartingPoint }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button needs={RUN} small onPress={() => setOpen(true)}>
        <Play size={14} aria-hidden />
        Run from here
      </Button>
      {isOpen ? <RunFromStepDialog start={start} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function RunFromStepDialog({ start, onClose }: { start: StartingPoint; onClose: () => void }) {
  const { threadId, assistantId, runId, node, step } = start;
  const [, navigate] = useLocation();
  const { error, isPending, execute } = useAsyncAction();
  const found = useQuery({
    queryKey: ['traces', 'checkpoint', runId, step],
    queryFn: async ({ signal }) => {
      const checkpoints = await fetchJson<FoundCheckpoint[]>(`threads/${threadId}/history`, {
        method: 'POST',
        signal,
        body: { limit: 1, metadata: { run_id: runId, step: step - 1 }, select: ['checkpoint', 'next'] },
      });
      return checkpoints[0] ?? null;
    },
  });
  const checkpointId = found.data?.checkpoint.checkpoint_id;
  const begin = (): Promise<void> =>
    execute(async () => {
      const run = await startRun(threadId, assistantId, { input: null, checkpoint_id: checkpointId });
      navigate(consoleHref(`/run?assistant=${assistantId}&thread=${threadId}&run=${run.run_id}`));
    });
  return (
    <Dialog title={`Run from ${node}`} isOpen onClose={onClose}>
      {found.data === undefined ? (
        found.error === null ? (
          <Loading what="Looking for the checkpoint" />
        ) : (
          <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
        )
      ) : found.data === null ? (
        <Note variant="warn">
          The thread no longer has the checkpoint before this step. <b>Run again</b> starts with the inputs of the run.
        </Note>
      ) : (
        <>
          <p>
            A run starts with {found.data.next.join(', ')}, from the checkpoint before it. Later checkpoints stay in the
            history of the thread.
          </p>
          <p>
            <Link href={consoleHref(`/threads/${threadId}?tab=history&at=${checkpointId}`)}>Show this checkpoint</Link>{' '}
            to change the state first.
          </p>
        </>
      )}
      {error === null ? null : <ErrorNote error={error} />}
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          variant="primary"
          isPending={isPending}
          isDisabled={isPending || checkpointId === undefined}
          onPress={() => void begin()}
        >
          Start run
        </Button>
      </DialogActions>
    </Dialog>
  );
}
