import { ChevronDown, ChevronRight, Wrench } from 'lucide-react';
import { useState } from 'react';
import { Badge, type BadgeVariant } from '../../components/badge.js';
import { JsonTree } from '../../components/json-tree.js';
import { Message } from '../../shared/message.js';
import type { ToolCall } from '../../shared/message-parts.js';
import { displayMessage, type StreamedMessage } from './conversation.js';
import styles from './conversation-view.module.css';

export type ToolCallState = 'running' | 'waiting' | 'succeeded' | 'failed' | 'unanswered';

const STATES: Readonly<Record<ToolCallState, { name: string; variant: BadgeVariant }>> = {
  running: { name: 'Running', variant: 'info' },
  waiting: { name: 'Waiting for input', variant: 'warn' },
  succeeded: { name: 'Succeeded', variant: 'good' },
  failed: { name: 'Failed', variant: 'bad' },
  unanswered: { name: 'No result', variant: 'neutral' },
};
/** Characters of the arguments that a folded call shows. */
const PREVIEW_CHARS = 120;
/** Characters of a result that are shown by default. */
const RESULT_CHARS = 4_000;

/** A tool call with its result, folded to one line. */
export function ToolCallView({
  call,
  result,
  state,
}: {
  call: ToolCall;
  result: StreamedMessage | null;
  state: ToolCallState;
}) {
  const [isOpen, setOpen] = useState(false);
  const { name, variant } = STATES[state];
  const preview = typeof call.args === 'string' ? call.args : (JSON.stringify(call.args) ?? '');
  return (
    <div className={styles['call']} role="group" aria-label={`Tool call ${call.name}: ${name}`}>
      <button type="button" className={styles['callHead']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
        <Wrench size={13} aria-hidden />
        <span className={styles['callName']} dir="auto">
          {call.name}
        </span>
        <Badge variant={variant}>{name}</Badge>
        {isOpen ? null : (
          <code className={styles['callArgs']} dir="ltr">
            {preview.slice(0, PREVIEW_CHARS)}
          </code>
        )}
      </button>
      {isOpen ? (
        <div className={styles['callBody']}>
          <JsonTree label={`Arguments of ${call.name}`} value={call.args} openTo={2} rows={10} />
          {result === null ? null : <Message message={displayMessage(result)} most={RESULT_CHARS} />}
        </div>
      ) : null}
    </div>
  );
}
