/**
 * Copies threads from one Agent Server to another over the API: id, metadata and the latest state, but not history,
 * runs and pending questions. FROM and TO are addresses, and FROM_KEY and TO_KEY their API keys. Existing threads are
 * skipped.
 */
import { Client } from '@langchain/langgraph-sdk';

const from = new Client({ apiUrl: process.env.FROM, apiKey: process.env.FROM_KEY ?? null });
const to = new Client({ apiUrl: process.env.TO, apiKey: process.env.TO_KEY ?? null });
const PAGE = 100;

let copied = 0;
let left = 0;
for (let offset = 0; ; offset += PAGE) {
  const threads = await from.threads.search({ limit: PAGE, offset, sortBy: 'created_at', sortOrder: 'asc' });
  for (const { thread_id: threadId, metadata, status } of threads) {
    const { values, next } = await from.threads.getState(threadId);
    if (status === 'busy' || next.length > 0) {
      console.log(`${threadId}: has not ended, left alone`);
      left += 1;
      continue;
    }
    const there = await to.threads.get(threadId).then(
      () => true,
      (error) => {
        if (error.status === 404) return false;
        throw error;
      },
    );
    if (there) continue;
    // Writes the state as an input, then marks the graph as finished, so that no node is left to run. A thread
    // without a run has no graph and no state.
    const supersteps =
      metadata?.graph_id === undefined
        ? undefined
        : [
            { updates: [{ values, asNode: '__input__' }] },
            { updates: [{ values, asNode: '__start__' }] },
            { updates: [{ values: null, asNode: '__end__' }] },
          ];
    await to.threads.create({
      threadId,
      metadata,
      ...(supersteps === undefined ? {} : { supersteps, graphId: metadata.graph_id }),
    });
    copied += 1;
  }
  if (threads.length < PAGE) break;
}
console.log(`${copied} threads copied, ${left} left alone.`);
