/** Who made a change, or signed in. `id` is empty for everybody on a server without authentication. */
export interface AuditActor {
  kind: 'person' | 'key' | 'user' | 'anyone';
  /** Id of the key, id at the identity provider, or identity of the auth handler's user. */
  id: string;
  name: string;
}

/** A change that somebody made, or tried to make. It has no content of records and no secrets. */
export interface AuditEntry {
  /** Increases with time. */
  entryId: string;
  atMs: number;
  actor: AuditActor;
  /** The action of the route, such as `threads:delete`; `sign-in` or `sign-out`. */
  action: string;
  /** Method and route. */
  request: string;
  /** Ids of the record that it concerned; for a new one, the id that it got. */
  record: string | null;
  /**
   * Status of the response. Null while the request is in progress, and for one that the end of the server broke off:
   * nobody knows then whether it had an effect.
   */
  status: number | null;
  /** Why a sign-in failed. */
  reason: string | null;
  /** Of the connection: of the proxy, behind a proxy. */
  address: string;
  /** `x-forwarded-for`, which only a proxy of your own makes trustworthy. */
  forwardedFor: string | null;
}

/** Conditions of a read; null: any. */
export interface AuditFilter {
  /** Action, or its kind: `threads`. */
  action: string | null;
  /** Name or id of the actor. */
  actor: string | null;
  /** Part of the ids of the record. */
  record: string | null;
  sinceMs: number | null;
  untilMs: number | null;
  /** Only those that were refused or failed. */
  failed: boolean;
}

export function matchesAudit(entry: AuditEntry, filter: AuditFilter): boolean {
  const { action, actor, record, sinceMs, untilMs, failed } = filter;
  return (
    (action === null || entry.action === action || entry.action.startsWith(`${action}:`)) &&
    (actor === null || entry.actor.id === actor || entry.actor.name === actor) &&
    (record === null || (entry.record?.includes(record) ?? false)) &&
    (sinceMs === null || entry.atMs >= sinceMs) &&
    (untilMs === null || entry.atMs < untilMs) &&
    (!failed || (entry.status !== null && entry.status >= 400))
  );
}
