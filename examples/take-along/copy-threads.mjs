/**
 * Copies threads from one Agent Server to another over the API: id, metadata and the latest state. History, runs and pending
 * questions stay behind. FROM and TO are addresses, FROM_KEY and TO_KEY their API keys. Asked again, it leaves alone what is there.
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
    const graphId = metadata?.graph_id;
    // Without a graph there was no run, and there is no state.
    const { values, next } = await from.threads.getState(threadId);
    if (status === 'busy' || next.length > 0) {
      console.log(`${threadId}: has not ended, left alone`);
      left += 1;
      continue;
    }
    const there = await to.threads.get(threadId).then(() => true, (error) => {
      if (error.status === 404) return false;
      throw error;
    });
    if (there) continue;
    // As the input that a run would have had: reducers of the graph take it from there.
    await to.threads.create({ threadId, metadata, ...(graphId === undefined ? {} : { supersteps: [{ updates: [{ values, asNode: '__input__' }] }, { updates: [{ values, asNode: '__start__' }] }] }) });
    copied += 1;
  }
  if (threads.length < PAGE) break;
}
console.log(`${copied} threads copied, ${left} left alone.`);
