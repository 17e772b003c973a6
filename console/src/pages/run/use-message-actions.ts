import { useMemo, useRef } from 'react';
import type { JsonSchema } from '../../schema/model.js';
import { messagesProperty, type Conversation } from './conversation.js';
import { findForkPoint } from './fork-point.js';
import { editableContent, inputWithMessage, messagesToSend } from './composer-input.js';
import type { MessageActions } from './message-actions.js';
import { threadCheckpoints } from './thread-checkpoints.js';
import type { RunStarter } from './use-run-starter.js';

/** The thread as the page shows it. */
interface ShownThread {
  threadId: string;
  conversation: Conversation;
  values: unknown;
  begin: RunStarter['begin'];
}

/** Actions of the messages of a thread; null if there is none. The same object as long as there is a thread. */
export function useMessageActions(
  thread: ShownThread | null,
  form: { inputSchema: JsonSchema; input: unknown },
): MessageActions | null {
  const latest = useRef({ thread, form });
  latest.current = { thread, form };
  const hasThread = thread !== null;
  return useMemo(() => {
    if (!hasThread) return null;
    const fork = async (
      key: string,
    ): Promise<{ checkpointId: string; base: Conversation; begin: RunStarter['begin'] }> => {
      const { threadId, conversation, values, begin } = latest.current.thread!;
      const checkpointId = await findForkPoint(threadCheckpoints(threadId, messagesProperty(values)), key);
      const entries = [...conversation];
      return {
        checkpointId,
        base: new Map(
          entries.slice(
            0,
            entries.findIndex(([one]) => one === key),
          ),
        ),
        begin,
      };
    };
    return {
      async edit({ key, message }, text) {
        const { inputSchema, input } = latest.current.form;
        const { checkpointId, base, begin } = await fork(key);
        const next = inputWithMessage(inputSchema, input, { text, files: editableContent(message)?.files ?? [] });
        await begin({ input: next, checkpointId }, messagesToSend(inputSchema, next), base);
      },
      async rerun({ key }) {
        const { checkpointId, base, begin } = await fork(key);
        await begin({ input: null, checkpointId }, [], base);
      },
    };
  }, [hasThread]);
}
