import { toolCalls } from '../../shared/message-parts.js';
import type { StreamedMessage } from './conversation.js';

/** A message with the results of its tool calls, which are shown together. */
export interface ConversationRow {
  entry: StreamedMessage;
  /** The result of each tool call, in order; null while there is none. */
  results: readonly (StreamedMessage | null)[];
}

/** Rows of a conversation. A tool message belongs to the last call with its id, and else has its own row. */
export function conversationRows(entries: Iterable<StreamedMessage>): ConversationRow[] {
  const rows: { entry: StreamedMessage; results: (StreamedMessage | null)[] }[] = [];
  const calls = new Map<string, { row: (typeof rows)[number]; at: number }>();
  for (const entry of entries) {
    const call = entry.message.tool_call_id === undefined ? undefined : calls.get(entry.message.tool_call_id);
    if (call !== undefined) {
      call.row.results[call.at] = entry;
      continue;
    }
    const ids = callIds(entry);
    const row = { entry, results: ids.map(() => null) };
    rows.push(row);
    for (const [at, id] of ids.entries()) if (id !== null) calls.set(id, { row, at });
  }
  return rows;
}

function callIds({ calls, message }: StreamedMessage): (string | null)[] {
  return (calls.size > 0 ? [...calls.values()] : toolCalls(message)).map(({ id }) => id);
}
