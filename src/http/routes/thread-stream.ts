import { ThreadParams, ThreadStreamQuery } from '../../../schemas/compiled/validators.js';
import type { ThreadStreamMode } from '../../services/threads/thread-events.js';
import { continueHeaders } from '../forward/continue-headers.js';
import { streamEvents, lastEventId } from '../streams/event-stream.js';
import { defineRoute } from '../route.js';

export const streamThreadRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/stream',
  action: 'threads:read',
  summary: 'Stream the events of a thread across all its runs; the stream ends only when the thread is deleted',
  params: ThreadParams,
  query: ThreadStreamQuery,
  schemas: { params: 'ThreadParams', query: 'ThreadStreamQuery' },
  async handle({ params, query, caller, headers, exchange }, services) {
    const modes = [...(query.stream_mode ?? []), ...(query.stream_modes ?? [])] as ThreadStreamMode[];
    const { subscription, unsubscribe } = await services.threadEvents.subscribe(caller, params.thread_id, {
      lastEventId: lastEventId(headers),
      modes: modes.length === 0 ? ['run_modes'] : modes,
    });
    exchange.onFinished(unsubscribe);
    const location = `/threads/${params.thread_id}/stream${exchange.query === '' ? '' : `?${exchange.query}`}`;
    streamEvents(exchange, subscription, { headers: { location, ...continueHeaders(exchange, location) } });
    return null;
  },
});

export const threadStreamRoutes = [streamThreadRoute];
