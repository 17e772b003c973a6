import { useMemo } from 'react';
import { Badge, type BadgeLook } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Diff } from '../../components/diff.js';
import { many, shortId } from '../../components/format.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Message } from '../../shared/message.js';
import type { MessageLike } from '../../shared/message-parts.js';
import { changesOf, type ChannelChange, type MessageChanges } from './changes.js';
import { nameOf, usePastState, type Step } from './history-data.js';
import styles from './thread.module.css';

/** Messages of each kind that are shown; the difference below has all of them. */
const SHOWN = 20;

/** What changed from the older of two checkpoints to the newer, channel by channel. */
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
  steps: readonly Step[];
  onClose: () => void;
}) {
  // Ids of checkpoints rise with time.
  const [olderId, newerId] = ids[0] < ids[1] ? ids : [ids[1], ids[0]];
  const [older, newer] = [usePastState(threadId, ns, olderId), usePastState(threadId, ns, newerId)];
  const changes = useMemo(
    () =>
      older.data === undefined || newer.data === undefined ? null : changesOf(older.data.values, newer.data.values),
    [older.data, newer.data],
  );
  const name = (id: string): string => {
    const step = steps.find(({ past }) => past.checkpoint.checkpoint_id === id);
    return step === undefined ? `Checkpoint ${shortId(id)}` : `Step ${step.step}, ${nameOf(step)}`;
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
  if (changes === null) return <Loading what="Reading both states" />;
  return (
    <div className={styles['detail']}>
      <Panel
        title="What changed"
        actions={
          <Button small onPress={onClose}>
            Show one state
          </Button>
        }
      >
        <p dir="auto">
          From <b>{name(olderId)}</b> to <b>{name(newerId)}</b>:{' '}
          {changes.length === 0 ? 'nothing in the values.' : `${many(changes.length, 'channel')}.`}
        </p>
        {changes.map((change) => (
          <Channel key={change.name} change={change} older={name(olderId)} newer={name(newerId)} />
        ))}
      </Panel>
    </div>
  );
}

const LOOKS: Readonly<Record<ChannelChange['kind'], BadgeLook>> = { added: 'good', removed: 'bad', changed: 'info' };

function Channel({
  change: { name, kind, before, after, same, messages },
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
        <Badge look={LOOKS[kind]}>{kind}</Badge>
        {messages === null ? null : <Counts messages={messages} />}
      </div>
      {messages === null ? null : (
        <>
          <Messages title="added" messages={messages.added} />
          <Messages title="removed" messages={messages.removed} />
        </>
      )}
      {same === 0 ? null : <p className="soft">{many(same, 'item')} at the ends of the list are the same.</p>}
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
        .map(([list, word]) => `${many(list.length, 'message')} ${word}`)
        .join(', ')}
    </span>
  );
}

function Messages({ title, messages }: { title: string; messages: readonly MessageLike[] }) {
  if (messages.length === 0) return null;
  return (
    <div>
      <Badge look={title === 'added' ? 'good' : 'bad'}>{title}</Badge>
      {messages.slice(0, SHOWN).map((message, at) => (
        <Message key={at} message={message} />
      ))}
      {messages.length > SHOWN ? (
        <p className="soft">{many(messages.length - SHOWN, 'more message')} in the difference below.</p>
      ) : null}
    </div>
  );
}
