import { GRAPH, LATER_S, type RecordName, type Records } from './records.js';
import type { Kind, Making, Parts, Recipe, Try } from './requests.js';

const as =
  (kind: Kind) =>
  (make: Making): Try => ({ kind, make });
const [names, makes] = [as('names'), as('makes')];

const later = (own: Records): Record<string, unknown> => ({
  assistant_id: GRAPH,
  input: { text: own.marker },
  metadata: { walk: own.marker },
  after_seconds: LATER_S,
});
const follow = (param: string, record: RecordName, query: Record<string, string | readonly string[]> = {}): Try =>
  names((of) => ({ params: { [param]: of.get(record) }, query, endless: true }));

const command = (method: string, params: object): Parts => ({ body: { id: 1, method, params } });

/** Many runs at once, and streams that are found without naming a run and its thread. */
export const runRecipes: Readonly<Record<string, Recipe>> = {
  'GET /threads/:thread_id/stream': {
    tries: [
      follow('thread_id', 'thread', { stream_mode: ['run_modes', 'state_update'] }),
      follow('thread_id', 'openThread', { stream_modes: 'lifecycle' }),
      follow('thread_id', 'statelessThread'),
    ],
  },
  'POST /threads/:thread_id/commands': {
    tries: [
      // Not the thread whose runs are deleted: while one executes that is refused.
      names((of, own) => ({
        ...command('run.start', { assistant_id: GRAPH, input: { text: own.marker } }),
        params: { thread_id: of.get('openThread') },
      })),
      names((of) => ({
        ...command('input.respond', { interrupt_id: '0'.repeat(32), response: 1 }),
        params: { thread_id: of.get('openThread') },
      })),
      // What is refused is told in an answer of status 200, so what is shown and changed counts.
      makes((of, own) => ({
        ...command('run.start', {
          assistant_id: of.get('assistant'),
          input: { text: own.marker },
          config: { configurable: { thread_id: of.get('thread'), checkpoint_id: of.get('checkpoint') } },
        }),
        params: { thread_id: own.get('thread') },
      })),
    ],
    ends: 1,
  },
  'POST /threads/:thread_id/stream/events': {
    tries: [
      names((of) => ({
        params: { thread_id: of.get('thread') },
        body: { channels: ['values', 'messages', 'lifecycle', 'input'] },
        endless: true,
      })),
      names((of) => ({
        params: { thread_id: of.get('statelessThread') },
        body: { channels: ['values'] },
        endless: true,
      })),
    ],
  },
  'POST /runs/batch': {
    tries: [
      makes((_, own) => ({ body: [later(own), later(own)] })),
      makes((of, own) => ({
        body: [
          later(own),
          {
            ...later(own),
            config: { configurable: { thread_id: of.get('thread'), checkpoint_id: of.get('checkpoint') } },
          },
        ],
      })),
    ],
  },
  'GET /runs/:run_id/stream': {
    tries: [
      follow('run_id', 'statelessRun'),
      follow('run_id', 'openRun'),
      follow('run_id', 'run'),
      // Cancels when the client goes away.
      follow('run_id', 'openRun', { cancel_on_disconnect: 'true' }),
    ],
    ends: 1,
  },
  'GET /runs/:run_id/why': {
    tries: [
      names((of) => ({ params: { run_id: of.get('statelessRun') } })),
      names((of) => ({ params: { run_id: of.get('openRun') } })),
      names((of) => ({ params: { run_id: of.get('run') } })),
    ],
  },
  'POST /runs/cancel': {
    tries: [
      names((of) => ({
        query: { action: 'rollback' },
        body: { thread_id: of.get('statelessThread'), run_ids: [of.get('statelessRun')] },
      })),
      names((of) => ({ body: { thread_id: of.get('openThread'), run_ids: [of.get('openRun')] } })),
      // One of one's own beside it: all or none.
      names((of, own) => ({
        body: { thread_id: own.get('openThread'), run_ids: [own.get('openRun'), of.get('openRun')] },
      })),
    ],
    ends: 1,
  },
};
