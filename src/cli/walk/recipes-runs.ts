import { WALK_GRAPH, RUN_DELAY_S, type RecordName, type Records } from './records.js';
import { creates, targets, type Attempt, type Recipe, type RequestParts } from './requests.js';

const later = (own: Records): Record<string, unknown> => ({
  assistant_id: WALK_GRAPH,
  input: { text: own.marker },
  metadata: { walk: own.marker },
  after_seconds: RUN_DELAY_S,
});
const follow = (param: string, record: RecordName, query: Record<string, string | readonly string[]> = {}): Attempt =>
  targets((theirs) => ({ params: { [param]: theirs.get(record) }, query, isStream: true }));

const command = (method: string, params: object): RequestParts => ({ body: { id: 1, method, params } });

/** Batches of runs, and streams that are reached by thread alone or by run alone. */
export const runRecipes: Readonly<Record<string, Recipe>> = {
  'GET /threads/:thread_id/stream': {
    attempts: [
      follow('thread_id', 'thread', { stream_mode: ['run_modes', 'state_update'] }),
      follow('thread_id', 'openThread', { stream_modes: 'lifecycle' }),
      follow('thread_id', 'statelessThread'),
    ],
  },
  'POST /threads/:thread_id/commands': {
    attempts: [
      // Not on the thread whose runs are deleted: deletion is refused while a run executes.
      targets((theirs, own) => ({
        ...command('run.start', { assistant_id: WALK_GRAPH, input: { text: own.marker } }),
        params: { thread_id: theirs.get('openThread') },
      })),
      targets((theirs) => ({
        ...command('input.respond', { interrupt_id: '0'.repeat(32), response: 1 }),
        params: { thread_id: theirs.get('openThread') },
      })),
      // Refusals have status 200 in this protocol. Only texts and changes can show a leak.
      creates((theirs, own) => ({
        ...command('run.start', {
          assistant_id: theirs.get('assistant'),
          input: { text: own.marker },
          config: { configurable: { thread_id: theirs.get('thread'), checkpoint_id: theirs.get('checkpoint') } },
        }),
        params: { thread_id: own.get('thread') },
      })),
    ],
    destructiveOrder: 1,
  },
  'POST /threads/:thread_id/stream/events': {
    attempts: [
      targets((theirs) => ({
        params: { thread_id: theirs.get('thread') },
        body: { channels: ['values', 'messages', 'lifecycle', 'input'] },
        isStream: true,
      })),
      targets((theirs) => ({
        params: { thread_id: theirs.get('statelessThread') },
        body: { channels: ['values'] },
        isStream: true,
      })),
    ],
  },
  'POST /runs/batch': {
    attempts: [
      creates((_, own) => ({ body: [later(own), later(own)] })),
      creates((theirs, own) => ({
        body: [
          later(own),
          {
            ...later(own),
            config: { configurable: { thread_id: theirs.get('thread'), checkpoint_id: theirs.get('checkpoint') } },
          },
        ],
      })),
    ],
  },
  'GET /runs/:run_id/stream': {
    attempts: [
      follow('run_id', 'statelessRun'),
      follow('run_id', 'openRun'),
      follow('run_id', 'run'),
      // Cancels the run when the client disconnects.
      follow('run_id', 'openRun', { cancel_on_disconnect: 'true' }),
    ],
    destructiveOrder: 1,
  },
  'GET /runs/:run_id/why': {
    attempts: [
      targets((theirs) => ({ params: { run_id: theirs.get('statelessRun') } })),
      targets((theirs) => ({ params: { run_id: theirs.get('openRun') } })),
      targets((theirs) => ({ params: { run_id: theirs.get('run') } })),
    ],
  },
  'POST /runs/cancel': {
    attempts: [
      targets((theirs) => ({
        query: { action: 'rollback' },
        body: { thread_id: theirs.get('statelessThread'), run_ids: [theirs.get('statelessRun')] },
      })),
      targets((theirs) => ({ body: { thread_id: theirs.get('openThread'), run_ids: [theirs.get('openRun')] } })),
      // Together with a run of one's own. The server must cancel both or none.
      targets((theirs, own) => ({
        body: { thread_id: own.get('openThread'), run_ids: [own.get('openRun'), theirs.get('openRun')] },
      })),
    ],
    destructiveOrder: 1,
  },
};
