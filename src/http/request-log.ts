import type { Logger } from '../base/log.js';
import type { HeaderRule } from '../base/header-rule.js';
import type { Headers, Watch } from './exchange.js';
import type { ServedRoute } from './route.js';

/** Nobody wants to read that a probe came by again. */
const QUIET: ReadonlySet<string> = new Set(['health', 'meta']);

type Write = (line: object, text: string) => void;

/**
 * One line for every request, when it is over: ids, who asked, route, status, time. Neither query nor body, and of headers
 * only those that `shown` names: they carry secrets. Null when the level leaves out what the route would write, so that it
 * costs nothing then.
 */
export function requestLog(log: Logger, route: ServedRoute | null, shown: HeaderRule | null): Watch | null {
  const level = route !== null && QUIET.has(route.group) ? 'debug' : 'info';
  const usual: Write | null = log.isLevelEnabled(level) ? (line, text) => log[level](line, text) : null;
  const failed: Write | null = log.isLevelEnabled('warn') ? (line, text) => log.warn(line, text) : null;
  if (usual === null && failed === null) return null;
  const pattern = route?.path ?? null;
  return ({ method, path, headers, status, requestId, caller, location, gone, beganMs }) => {
    const write = status >= 500 ? failed : usual;
    if (write === null) return;
    write({
      requestId,
      caller: caller ?? undefined,
      method: method.toUpperCase(),
      route: pattern ?? undefined,
      path: shownPath(path),
      headers: shown === null ? undefined : shownOf(headers, shown),
      run: location ?? undefined,
      status: status === 0 ? undefined : status,
      gone: gone || undefined,
      ms: Math.round((performance.now() - beganMs) * 100) / 100,
    }, 'request');
  };
}

/** What stands in an address for feedback is all that whoever uses it must have. */
function shownPath(path: string): string {
  return shortened(path.replace(/(?<=\/feedback\/tokens\/).+/s, '…'));
}

/** Ids fit; what a client makes up need not. */
const CHARS_MAX = 200;

function shortened(text: string): string {
  return text.length > CHARS_MAX ? `${text.slice(0, CHARS_MAX)}…` : text;
}

/** Undefined when the request has none of them. */
function shownOf(headers: Headers, shown: HeaderRule): Headers | undefined {
  const found = Object.entries(headers).filter(([name]) => shown(name));
  return found.length === 0 ? undefined : Object.fromEntries(found.map(([name, value]) => [name, shortened(value)]));
}
