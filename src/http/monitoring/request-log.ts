import type { Logger } from '../../base/log/log.js';
import { withoutSecrets } from '../../base/log/secrets.js';
import type { HeaderPredicate } from '../../domain/header-predicate.js';
import type { OnResponse } from '../transport/exchange.js';
import type { Headers } from '../transport/request-copy.js';
import { isAboutServer, type ServedRoute } from '../route.js';

type Write = (line: object, text: string) => void;

/**
 * Writes one log line for every finished request: ids, caller, route, status and duration. Query and body are
 * never logged, because they carry secrets, and only the headers that `shown` selects. Returns null when the
 * log level disables the line, so that it costs nothing.
 */
export function createRequestLog(
  log: Logger,
  route: ServedRoute | null,
  loggedHeaderRule: HeaderPredicate | null,
): OnResponse | null {
  const level = isAboutServer(route) ? 'debug' : 'info';
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
    const started = location === null ? null : RUN_LOCATION.exec(location);
    write(
      {
        requestId,
        caller: caller ?? undefined,
        method: method.toUpperCase(),
        route: pattern ?? undefined,
        path: shortened(path),
        headers: loggedHeaderRule === null ? undefined : loggedHeaders(headers, loggedHeaderRule),
        threadId: loggedId(params['thread_id'] ?? started?.[1]),
        runId: loggedId(params['run_id'] ?? started?.[2]),
        assistant: loggedId(params['assistant_id'] ?? assistant ?? undefined),
        status: status === 0 ? undefined : status,
        gone: aborted || undefined,
        ms: Math.round((performance.now() - startedMs) * 100) / 100,
        bytes: bodyBytesSent,
      },
      'request',
    );
  };
}

/** Matches the location of the run that a request started. */
const RUN_LOCATION = /^(?:\/threads\/([^/]+))?\/runs\/([^/]+)/;

/** All ids are shorter. Clients can send any text. */
const CHARS_MAX = 200;

/**
 * Removes secrets from text that a client chose, and shortens it. For example, a feedback URL contains a token
 * that grants access.
 */
function shortened(text: string): string {
  const loggedHeaderRule = withoutSecrets(text);
  return loggedHeaderRule.length > CHARS_MAX ? `${loggedHeaderRule.slice(0, CHARS_MAX)}…` : loggedHeaderRule;
}

const ID = /^[\w-]{1,64}$/;

function loggedId(id: string | undefined): string | undefined {
  return id === undefined || ID.test(id) ? id : shortened(id);
}

/** Undefined when the request has none of these headers. */
function loggedHeaders(headers: Headers, loggedHeaderRule: HeaderPredicate): Headers | undefined {
  const found = Object.entries(headers).filter(([name]) => loggedHeaderRule(name));
  return found.length === 0 ? undefined : Object.fromEntries(found.map(([name, value]) => [name, shortened(value)]));
}
