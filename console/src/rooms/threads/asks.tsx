import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { prettyJson } from '../../api/json.js';
import { Badge } from '../../kit/badge.js';
import { Button } from '../../kit/button.js';
import { Select, TextArea } from '../../kit/field.js';
import { JsonEditor, readJson } from '../../kit/json-editor.js';
import { JsonTree } from '../../kit/json-tree.js';
import { ErrorNote } from '../../kit/note.js';
import { say } from '../../kit/toast.js';
import { useAssistant } from './assistant-choice.js';
import { ReviewForm } from './review-form.js';
import { reviewOf } from './review.js';
import { startRun, type Interrupt, type Task, type ThreadHead } from './thread-data.js';
import styles from './thread.module.css';

/** What the thread waits for, each with its answer. `settled`: no run is under way, which may be answering already. */
export function Asks({ thread, tasks, settled }: { thread: ThreadHead; tasks: readonly Task[]; settled: boolean }) {
  // A task that has answers for all it asked has written something; it only waits for those beside it.
  const asked = tasks.filter(({ result }) => result === null).flatMap(({ name, interrupts }) => interrupts.map((interrupt) => ({ node: name, interrupt })));
  if (asked.length === 0) return null;
  return (
    <section aria-label="Waits for an answer" className={styles['asks']}>
      {asked.map(({ node, interrupt }, at) => <Ask key={interrupt.id ?? at} thread={thread} node={node} interrupt={interrupt} several={asked.length > 1} settled={settled} />)}
    </section>
  );
}

function Ask({ thread, node, interrupt, several, settled }: { thread: ThreadHead; node: string; interrupt: Interrupt; several: boolean; settled: boolean }) {
  const { assistantId, field } = useAssistant(thread);
  const queries = useQueryClient();
  const answer = useMutation({
    // Of several at once each is answered by its id; the others go on waiting.
    mutationFn: (value: unknown) => startRun(thread.thread_id, assistantId!, { command: { resume: several && interrupt.id !== undefined ? { [interrupt.id]: value } : value } }),
    onSuccess: () => { say('Answered: the run goes on.'); return queries.invalidateQueries({ queryKey: ['threads', thread.thread_id] }); },
  });
  const review = reviewOf(interrupt.value);
  const props = { isPending: answer.isPending, isDisabled: assistantId === null || !settled, onAnswer: (value: unknown) => answer.mutate(value) };
  return (
    <div className={styles['action']}>
      <div className={styles['channelHead']}><Badge look="warn">waits for an answer</Badge><span className="soft">Asked in <bdi dir="auto">{node}</bdi></span></div>
      {review === null ? <Question value={interrupt.value} /> : null}
      {field}
      {review === null ? <AnswerForm {...props} /> : <ReviewForm review={review} {...props} />}
      {answer.error === null ? null : <ErrorNote error={answer.error} />}
    </div>
  );
}

const QUESTION_MAX = 4_000;

function Question({ value }: { value: unknown }) {
  if (typeof value === 'string' && value.length <= QUESTION_MAX) return <p className={styles['question']} dir="auto">{value}</p>;
  const { question, ...rest } = (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as Record<string, unknown>;
  if (typeof question !== 'string' || question.length > QUESTION_MAX) return <JsonTree label="What is asked" value={value} openTo={2} rows={8} />;
  return (
    <>
      <p className={styles['question']} dir="auto">{question}</p>
      {Object.keys(rest).length === 0 ? null : <JsonTree label="What goes with the question" value={rest} openTo={2} rows={8} />}
    </>
  );
}

const FORMS = [{ id: 'text', name: 'Text' }, { id: 'json', name: 'JSON' }];

function AnswerForm({ isPending, isDisabled, onAnswer }: { isPending: boolean; isDisabled: boolean; onAnswer: (value: unknown) => void }) {
  const [form, setForm] = useState('text');
  const [text, setText] = useState('');
  const { value, error } = form === 'json' ? readJson(text) : { value: text, error: null };
  const turn = (to: string): void => {
    setForm(to);
    // What is typed already is kept as what it means.
    if (to === 'json' && text !== '' && readJson(text).error !== null) setText(prettyJson(text));
  };
  return (
    <form className={styles['answer']} onSubmit={(event) => { event.preventDefault(); onAnswer(value); }}>
      {form === 'json' ? <JsonEditor label="Answer" rows={3} text={text} onChange={setText} /> : <TextArea label="Answer" rows={2} value={text} onChange={setText} />}
      <Select label="Answer as" options={FORMS} value={form} onChange={turn} />
      <Button type="submit" look="primary" isPending={isPending} isDisabled={isDisabled || isPending || error !== null || text.trim() === ''}>Answer</Button>
    </form>
  );
}
