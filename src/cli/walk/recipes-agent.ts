import { GRAPH, LATER_S, type Records } from './records.js';
import { makes, named, names, type Parts, type Recipe } from './requests.js';

const run = (own: Records, more: Record<string, unknown> = {}): Parts => ({
  body: { assistant_id: GRAPH, input: { text: own.marker }, metadata: { walk: own.marker }, ...more },
});

const THREAD = { thread_id: 'thread' } as const;
const OPEN = { thread_id: 'openThread', run_id: 'openRun' } as const;
const ENDED = { thread_id: 'thread', run_id: 'run' } as const;
const STATELESS = { thread_id: 'statelessThread', run_id: 'statelessRun' } as const;

export const agentRecipes: Readonly<Record<string, Recipe>> = {
  'POST /threads': {
    tries: [
      makes((_, own) => ({ body: { metadata: { walk: own.marker } } })),
      names((of) => ({ body: { thread_id: of.get('thread'), if_exists: 'do_nothing' } })),
      names((of) => ({ body: { thread_id: of.get('thread'), if_exists: 'raise' } })),
    ],
  },
  'GET /threads/:thread_id': {
    tries: [
      names(named(THREAD)),
      names(named({ thread_id: 'openThread' })),
      names(named({ thread_id: 'statelessThread' })),
    ],
  },
  'PATCH /threads/:thread_id': {
    tries: [names(named(THREAD, (_, own) => ({ body: { metadata: { patched: own.marker } } })))],
  },
  'DELETE /threads/:thread_id': { tries: [names(named(THREAD)), names(named({ thread_id: 'openThread' }))], ends: 7 },

  'POST /threads/:thread_id/runs': {
    tries: [
      names(named({ thread_id: 'openThread' }, (_, own) => run(own, { after_seconds: LATER_S }))),
      names(named(THREAD, (_, own) => run(own, { if_not_exists: 'create', after_seconds: LATER_S }))),
      names(
        named({ thread_id: 'statelessThread' }, (_, own) =>
          run(own, { multitask_strategy: 'rollback', after_seconds: LATER_S }),
        ),
      ),
      // With another's assistant.
      names((of, own) => ({
        ...run(own, { assistant_id: of.get('assistant'), after_seconds: LATER_S }),
        params: { thread_id: own.get('thread') },
      })),
      // From a checkpoint of another's thread.
      names((of, own) => ({
        ...run(own, { checkpoint_id: of.get('checkpoint'), after_seconds: LATER_S }),
        params: { thread_id: own.get('thread') },
      })),
    ],
  },
  'POST /threads/:thread_id/runs/stream': {
    tries: [
      names(named(THREAD, (_, own) => run(own, { stream_mode: ['values', 'messages', 'updates', 'custom', 'debug'] }))),
      names(named(THREAD, (_, own) => run(own, { if_not_exists: 'create' }))),
      makes((of, own) => ({
        ...run(own, { config: { configurable: { thread_id: of.get('thread'), langgraph_auth_user_id: of.marker } } }),
        params: { thread_id: own.get('thread') },
      })),
    ],
  },
  'POST /threads/:thread_id/runs/wait': {
    tries: [
      names(named(THREAD, (_, own) => run(own))),
      names(named(THREAD, (_, own) => run(own, { if_not_exists: 'create' }))),
    ],
  },
  'POST /runs': {
    tries: [
      makes((_, own) => run(own, { after_seconds: LATER_S })),
      // The address is the other API's too, by the body.
      names((of, own) => ({
        body: {
          id: of.get('evaluationRun'),
          trace_id: of.get('evaluationRun'),
          name: own.marker,
          run_type: 'chain',
          session_id: of.get('experiment'),
        },
      })),
    ],
  },
  'POST /runs/stream': {
    tries: [
      makes((_, own) => run(own)),
      makes((of, own) =>
        run(own, { config: { configurable: { thread_id: of.get('thread'), checkpoint_id: of.get('checkpoint') } } }),
      ),
    ],
  },
  'POST /runs/wait': {
    tries: [
      makes((_, own) => run(own)),
      // Without an input of its own: what is remembered is all that is said.
      makes(() => ({ body: { assistant_id: GRAPH, input: {} } })),
    ],
  },
  'GET /threads/:thread_id/runs': { tries: [names(named(THREAD)), names(named({ thread_id: 'openThread' }))] },
  'GET /threads/:thread_id/runs/:run_id': {
    tries: [
      names(named(ENDED)),
      names(named(OPEN)),
      names(named(STATELESS)),
      names((of, own) => ({ params: { thread_id: own.get('thread'), run_id: of.get('run') } })),
      names((of, own) => ({ params: { thread_id: own.get('openThread'), run_id: of.get('openRun') } })),
    ],
  },
  'GET /threads/:thread_id/runs/:run_id/why': {
    tries: [
      names(named(ENDED)),
      names(named(OPEN)),
      names(named(STATELESS)),
      names((of, own) => ({ params: { thread_id: own.get('openThread'), run_id: of.get('openRun') } })),
    ],
  },
  'DELETE /threads/:thread_id/runs/:run_id': {
    tries: [
      names(named(ENDED)),
      names(named(OPEN)),
      names((of, own) => ({ params: { thread_id: own.get('thread'), run_id: of.get('run') } })),
    ],
    ends: 2,
  },
  'GET /threads/:thread_id/runs/:run_id/join': {
    tries: [
      names(named(ENDED)),
      names(named(OPEN, () => ({ endless: true }))),
      names((of, own) => ({ params: { thread_id: own.get('openThread'), run_id: of.get('openRun') }, endless: true })),
    ],
  },
  'GET /threads/:thread_id/runs/:run_id/stream': {
    tries: [
      names(named(ENDED, () => ({ endless: true }))),
      names(named(OPEN, () => ({ endless: true }))),
      names(named(STATELESS, () => ({ endless: true }))),
      // Cancels when the client goes away.
      names(named(OPEN, () => ({ query: { cancel_on_disconnect: 'true' }, endless: true }))),
    ],
    ends: 1,
  },
  'POST /threads/:thread_id/runs/:run_id/cancel': {
    tries: [
      names(named(OPEN, () => ({ query: { wait: 'true' } }))),
      names(named(STATELESS, () => ({ query: { wait: 'true', action: 'rollback' } }))),
      names((of, own) => ({ params: { thread_id: own.get('openThread'), run_id: of.get('openRun') } })),
    ],
    ends: 1,
  },
};
