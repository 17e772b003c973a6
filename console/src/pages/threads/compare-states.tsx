import { useMemo } from 'react';
import { Badge, type BadgeVariant } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Diff } from '../../components/diff.js';
import { pluralize, shortId } from '../../components/format.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Message } from '../../shared/message.js';
import type { MessageLike } from '../../shared/message-parts.js';
import { diffStates, type ChannelChange, type MessageChanges } from './diff-states.js';
import { stepName, useCheckpointState, type HistoryStep } from './history-data.js';
import styles from './thread.module.css';

/** Messages shown per kind of change. The diff below contains all of them. */
const MESSAGES_SHOWN = 20;

/** Changes from the older of two checkpoints to the newer one, by channel. */
export function CompareStates({
  threadId,
  ns,
  ids,
  steps,
  onClose,
}: {
  threadId: string;
  ns: string;
  ids: readonly [string, string];
  steps: readonly HistoryStep[];
  onClose: () => void;
}) {
  // Checkpoint ids sort by time.
  const [olderId, newerId] = ids[0] < ids[1] ? ids : [ids[1], ids[0]];
  const [older, newer] = [useCheckpointState(threadId, ns, olderId), useCheckpointState(threadId, ns, newerId)];
  const changes = useMemo(
    () =>
      older.data === undefined || newer.data === undefined ? null : diffStates(older.data.values, newer.data.values),
    [older.data, newer.data],
  );
  const name = (id: string): string => {
    const step = steps.find(({ past }) => past.checkpoint.checkpoint_id === id);
    return step === undefined ? `Checkpoint ${shortId(id)}` : `Step ${step.step}, ${stepName(step)}`;
  };
  const error = older.error ?? newer.error;
  if (error !== null)
    return (
      <ErrorNote
        error={error}
        onRetry={() => {
          void older.refetch();
          void newer.refetch();
        }}
      />
    );
  if (changes === null) return <Loading what="Loading both states" />;
  return (
    <div className={styles['detail']}>
      <Panel
        title="Changes"
        actions={
          <Button small onPress={onClose}>
            Close comparison
          </Button>
        }
      >
        <p dir="auto">
          From <b>{name(olderId)}</b> to <b>{name(newerId)}</b>:{' '}
          {changes.length === 0 ? 'no changed values.' : `${pluralize(changes.length, 'changed channel')}.`}
        </p>
        {changes.map((change) => (
          <Channel key={change.name} change={change} older={name(olderId)} newer={name(newerId)} />
        ))}
      </Panel>
    </div>
  );
}

const KIND_VARIANTS: Readonly<Record<ChannelChange['kind'], BadgeVariant>> = {
  added: 'good',
  removed: 'bad',
  changed: 'info',
};

const KIND_NAMES: Readonly<Record<ChannelChange['kind'], string>> = {
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
};

function Channel({
  change: { name, kind, before, after, unchangedItems, messages },
  older,
  newer,
}: {
  change: ChannelChange;
  older: string;
  newer: string;
}) {
  return (
    <section className={styles['channel']} aria-label={name}>
      <div className={styles['channelHead']}>
        <h3 dir="auto">{name}</h3>
        <Badge variant={KIND_VARIANTS[kind]}>{KIND_NAMES[kind]}</Badge>
        {messages === null ? null : <Counts messages={messages} />}
      </div>
      {messages === null ? null : (
        <>
          <Messages kind="added" messages={messages.added} />
          <Messages kind="removed" messages={messages.removed} />
        </>
      )}
      {unchangedItems === 0 ? null : (
        <p className="soft">{pluralize(unchangedItems, 'unchanged item')} at the ends of the list not shown.</p>
      )}
      <Diff left={before} right={after} leftName={older} rightName={newer} />
    </section>
  );
}

function Counts({ messages: { added, removed, changed } }: { messages: MessageChanges }) {
  const counts = [
    [added, 'added'],
    [removed, 'removed'],
    [changed, 'changed'],
  ] as const;
  return (
    <span className="soft">
      {counts
        .filter(([list]) => list.length > 0)
        .map(([list, word]) => `${pluralize(list.length, 'message')} ${word}`)
        .join(', ')}
    </span>
  );
}

function Messages({ kind, messages }: { kind: 'added' | 'removed'; messages: readonly MessageLike[] }) {
  if (messages.length === 0) return null;
  return (
    <div>
      <Badge variant={KIND_VARIANTS[kind]}>{KIND_NAMES[kind]}</Badge>
      {messages.slice(0, MESSAGES_SHOWN).map((message, at) => (
        <Message key={at} message={message} />
      ))}
      {messages.length > MESSAGES_SHOWN ? (
        <p className="soft">{pluralize(messages.length - MESSAGES_SHOWN, 'more message')} in the diff below.</p>
      ) : null}
    </div>
  );
}
