import type { Logger } from '../../base/log/log.js';
import { withoutSecrets } from '../../base/log/secrets.js';
import type { HeaderRule } from '../../domain/header-rule.js';
import type { OnResponse } from '../transport/exchange.js';
import type { Headers } from '../transport/request-copy.js';
import type { ServedRoute } from '../route.js';

/** Nobody wants to read that a probe came by again. */
const QUIET: ReadonlySet<string> = new Set(['health', 'meta']);

type Write = (line: object, text: string) => void;

/**
 * One line for every request, when it is over: ids, who asked, route, status, time. Neither query nor body, and of headers
 * only those that `shown` names: they carry secrets. Null when the level leaves out what the route would write, so that it
 * costs nothing then.
 */
export function requestLog(log: Logger, route: ServedRoute | null, shown: HeaderRule | null): OnResponse | null {
  const level = route !== null && QUIET.has(route.group) ? 'debug' : 'info';
  const usual: Write | null = log.isLevelEnabled(level) ? (line, text) => log[level](line, text) : null;
  const failed: Write | null = log.isLevelEnabled('warn') ? (line, text) => log.warn(line, text) : null;
  if (usual === null && failed === null) return null;
  const pattern = route?.path ?? null;
  return ({
    method,
    path,
    headers,
    status,
    requestId,
    caller,
    params,
    assistant,
    location,
    aborted,
    startedMs,
    bodyBytesSent,
  }) => {
    const write = status >= 500 ? failed : usual;
    if (write === null) return;
    const started = location === null ? null : STARTED.exec(location);
    write(
      {
        requestId,
        caller: caller ?? undefined,
        method: method.toUpperCase(),
        route: pattern ?? undefined,
        path: shortened(path),
        headers: shown === null ? undefined : shownOf(headers, shown),
        threadId: shownId(params['thread_id'] ?? started?.[1]),
        runId: shownId(params['run_id'] ?? started?.[2]),
        assistant: shownId(params['assistant_id'] ?? assistant ?? undefined),
        status: status === 0 ? undefined : status,
        gone: aborted || undefined,
        ms: Math.round((performance.now() - startedMs) * 100) / 100,
        bytes: bodyBytesSent,
      },
      'request',
    );
  };
}

/** How an answer names the run that its request started. */
const STARTED = /^(?:\/threads\/([^/]+))?\/runs\/([^/]+)/;

/** Ids fit; what a client makes up need not. */
const CHARS_MAX = 200;

/** Of what a client chose, without what looks like a secret: a feedback address is all that whoever uses it must have. */
function shortened(text: string): string {
  const shown = withoutSecrets(text);
  return shown.length > CHARS_MAX ? `${shown.slice(0, CHARS_MAX)}…` : shown;
}

const ID = /^[\w-]{1,64}$/;

function shownId(id: string | undefined): string | undefined {
  return id === undefined || ID.test(id) ? id : shortened(id);
}

/** Undefined when the request has none of them. */
function shownOf(headers: Headers, shown: HeaderRule): Headers | undefined {
  const found = Object.entries(headers).filter(([name]) => shown(name));
  return found.length === 0 ? undefined : Object.fromEntries(found.map(([name, value]) => [name, shortened(value)]));
}
