import { useQueryClient } from '@tanstack/react-query';
import { Clock, X } from 'lucide-react';
import { client } from '../../api/client.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ErrorNote } from '../../components/note.js';
import { Message } from '../../shared/message.js';
import type { MessageLike } from '../../shared/message-parts.js';
import { waitingKey, type WaitingRun } from './waiting.js';
import styles from './conversation-view.module.css';

const NO_MESSAGE: MessageLike = { role: 'user', content: 'A run without messages' };

/** Messages of runs that wait for the run before them. Each can be canceled. */
export function WaitingMessages({
  threadId,
  runs,
  onCanceled,
}: {
  threadId: string;
  runs: readonly WaitingRun[];
  onCanceled: (runId: string) => void;
}) {
  return (
    <>
      {runs.map((run) => (
        <WaitingMessage key={run.runId} threadId={threadId} run={run} onCanceled={() => onCanceled(run.runId)} />
      ))}
    </>
  );
}

function WaitingMessage({
  threadId,
  run: { runId, messages },
  onCanceled,
}: {
  threadId: string;
  run: WaitingRun;
  onCanceled: () => void;
}) {
  const queries = useQueryClient();
  const { error, isPending, execute } = useAsyncAction();
  const cancel = (): Promise<void> =>
    execute(async () => {
      await client.runs.cancel(threadId, runId);
      onCanceled();
      await queries.invalidateQueries({ queryKey: waitingKey(threadId) });
    });
  return (
    <div className={styles['own']} role="group" aria-label="Waiting message">
      {(messages.length === 0 ? [NO_MESSAGE] : messages).map((message, at) => (
        <Message
          key={at}
          message={message}
          about={
            at > 0 ? undefined : (
              <>
                <Badge>
                  <Clock size={12} aria-hidden />
                  Waiting
                </Badge>
                <Button
                  needs="threads:update"
                  small
                  variant="quiet"
                  isPending={isPending}
                  onPress={() => void cancel()}
                >
                  <X size={13} aria-hidden />
                  Cancel message
                </Button>
              </>
            )
          }
        />
      ))}
      {error === null ? null : <ErrorNote error={error} />}
    </div>
  );
}

/** Messages that are on their way to the server. */
export function SendingMessages({ messages }: { messages: readonly { key: string; message: MessageLike }[] }) {
  return (
    <>
      {messages.map(({ key, message }) => (
        <div key={key} className={styles['own']}>
          <Message message={message} about={<Badge>Sending</Badge>} />
        </div>
      ))}
    </>
  );
}
