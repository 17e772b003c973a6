import { WALK_GRAPH, RUN_DELAY_S, type Records } from './records.js';
import { creates, targets, withIds, type Recipe, type RequestParts } from './requests.js';

const run = (own: Records, more: Record<string, unknown> = {}): RequestParts => ({
  body: { assistant_id: WALK_GRAPH, input: { text: own.marker }, metadata: { walk: own.marker }, ...more },
});

const THREAD = { thread_id: 'thread' } as const;
const OPEN = { thread_id: 'openThread', run_id: 'openRun' } as const;
const ENDED = { thread_id: 'thread', run_id: 'run' } as const;
const STATELESS = { thread_id: 'statelessThread', run_id: 'statelessRun' } as const;

export const agentRecipes: Readonly<Record<string, Recipe>> = {
  'POST /threads': {
    attempts: [
      creates((_, own) => ({ body: { metadata: { walk: own.marker } } })),
      targets((theirs) => ({ body: { thread_id: theirs.get('thread'), if_exists: 'do_nothing' } })),
      targets((theirs) => ({ body: { thread_id: theirs.get('thread'), if_exists: 'raise' } })),
    ],
  },
  'GET /threads/:thread_id': {
    attempts: [
      targets(withIds(THREAD)),
      targets(withIds({ thread_id: 'openThread' })),
      targets(withIds({ thread_id: 'statelessThread' })),
    ],
  },
  'PATCH /threads/:thread_id': {
    attempts: [targets(withIds(THREAD, (_, own) => ({ body: { metadata: { patched: own.marker } } })))],
  },
  'DELETE /threads/:thread_id': {
    attempts: [targets(withIds(THREAD)), targets(withIds({ thread_id: 'openThread' }))],
    destructiveOrder: 7,
  },

  'POST /threads/:thread_id/runs': {
    attempts: [
      targets(withIds({ thread_id: 'openThread' }, (_, own) => run(own, { after_seconds: RUN_DELAY_S }))),
      targets(withIds(THREAD, (_, own) => run(own, { if_not_exists: 'create', after_seconds: RUN_DELAY_S }))),
      targets(
        withIds({ thread_id: 'statelessThread' }, (_, own) =>
          run(own, { multitask_strategy: 'rollback', after_seconds: RUN_DELAY_S }),
        ),
      ),
      // With an assistant of the owner.
      targets((theirs, own) => ({
        ...run(own, { assistant_id: theirs.get('assistant'), after_seconds: RUN_DELAY_S }),
        params: { thread_id: own.get('thread') },
      })),
      // From a checkpoint of the owner's thread.
      targets((theirs, own) => ({
        ...run(own, { checkpoint_id: theirs.get('checkpoint'), after_seconds: RUN_DELAY_S }),
        params: { thread_id: own.get('thread') },
      })),
    ],
  },
  'POST /threads/:thread_id/runs/stream': {
    attempts: [
      targets(
        withIds(THREAD, (_, own) => run(own, { stream_mode: ['values', 'messages', 'updates', 'custom', 'debug'] })),
      ),
      targets(withIds(THREAD, (_, own) => run(own, { if_not_exists: 'create' }))),
      creates((theirs, own) => ({
        ...run(own, {
          config: { configurable: { thread_id: theirs.get('thread'), langgraph_auth_user_id: theirs.marker } },
        }),
        params: { thread_id: own.get('thread') },
      })),
    ],
  },
  'POST /threads/:thread_id/runs/wait': {
    attempts: [
      targets(withIds(THREAD, (_, own) => run(own))),
      targets(withIds(THREAD, (_, own) => run(own, { if_not_exists: 'create' }))),
    ],
  },
  'POST /runs': {
    attempts: [
      creates((_, own) => run(own, { after_seconds: RUN_DELAY_S })),
      // The evaluation API shares this path. The body decides which API handles the request.
      targets((theirs, own) => ({
        body: {
          id: theirs.get('evaluationRun'),
          trace_id: theirs.get('evaluationRun'),
          name: own.marker,
          run_type: 'chain',
          session_id: theirs.get('experiment'),
        },
      })),
    ],
  },
  'POST /runs/stream': {
    attempts: [
      creates((_, own) => run(own)),
      creates((theirs, own) =>
        run(own, {
          config: { configurable: { thread_id: theirs.get('thread'), checkpoint_id: theirs.get('checkpoint') } },
        }),
      ),
    ],
  },
  'POST /runs/wait': {
    attempts: [
      creates((_, own) => run(own)),
      // Without an input text: the run then answers with what the long-term store has.
      creates(() => ({ body: { assistant_id: WALK_GRAPH, input: {} } })),
    ],
  },
  'GET /threads/:thread_id/runs': {
    attempts: [targets(withIds(THREAD)), targets(withIds({ thread_id: 'openThread' }))],
  },
  'GET /threads/:thread_id/runs/:run_id': {
    attempts: [
      targets(withIds(ENDED)),
      targets(withIds(OPEN)),
      targets(withIds(STATELESS)),
      targets((theirs, own) => ({ params: { thread_id: own.get('thread'), run_id: theirs.get('run') } })),
      targets((theirs, own) => ({ params: { thread_id: own.get('openThread'), run_id: theirs.get('openRun') } })),
    ],
  },
  'GET /threads/:thread_id/runs/:run_id/why': {
    attempts: [
      targets(withIds(ENDED)),
      targets(withIds(OPEN)),
      targets(withIds(STATELESS)),
      targets((theirs, own) => ({ params: { thread_id: own.get('openThread'), run_id: theirs.get('openRun') } })),
    ],
  },
  'DELETE /threads/:thread_id/runs/:run_id': {
    attempts: [
      targets(withIds(ENDED)),
      targets(withIds(OPEN)),
      targets((theirs, own) => ({ params: { thread_id: own.get('thread'), run_id: theirs.get('run') } })),
    ],
    destructiveOrder: 2,
  },
  'GET /threads/:thread_id/runs/:run_id/join': {
    attempts: [
      targets(withIds(ENDED)),
      targets(withIds(OPEN, () => ({ isStream: true }))),
      targets((theirs, own) => ({
        params: { thread_id: own.get('openThread'), run_id: theirs.get('openRun') },
        isStream: true,
      })),
    ],
  },
  'GET /threads/:thread_id/runs/:run_id/stream': {
    attempts: [
      targets(withIds(ENDED, () => ({ isStream: true }))),
      targets(withIds(OPEN, () => ({ isStream: true }))),
      targets(withIds(STATELESS, () => ({ isStream: true }))),
      // Cancels the run when the client disconnects.
      targets(withIds(OPEN, () => ({ query: { cancel_on_disconnect: 'true' }, isStream: true }))),
    ],
    destructiveOrder: 1,
  },
  'POST /threads/:thread_id/runs/:run_id/cancel': {
    attempts: [
      targets(withIds(OPEN, () => ({ query: { wait: 'true' } }))),
      targets(withIds(STATELESS, () => ({ query: { wait: 'true', action: 'rollback' } }))),
      targets((theirs, own) => ({ params: { thread_id: own.get('openThread'), run_id: theirs.get('openRun') } })),
    ],
    destructiveOrder: 1,
  },
};
