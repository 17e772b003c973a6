import type { Clock } from '../../base/clock.js';
import type { Ids } from '../../base/ids.js';
import { LIMITS } from '../../base/limits.js';
import type { AuditActor, AuditEntry } from '../../domain/audit.js';
import type { Caller } from '../../domain/caller.js';
import type { AuditLog } from '../../store/access/audit-log.js';

/** What of a request is in the audit log. */
export interface AuditedRequest {
  actor: AuditActor;
  action: string;
  request: string;
  record: string | null;
  address: string;
  forwardedFor: string | null;
}

/** From where a request came. */
export type Origin = Pick<AuditedRequest, 'address' | 'forwardedFor'>;

const MINUTE_MS = 60_000;

/** Writes the audit log: what was changed by whom, and who signed in or out. */
export class Audit {
  readonly log: AuditLog;
  readonly #clock: Clock;
  readonly #ids: Ids;
  /** Failed sign-ins since the minute began. Anybody can cause them, and they must not displace other entries. */
  #failures = { minute: 0, count: 0 };

  constructor(log: AuditLog, { clock, ids }: { clock: Clock; ids: Ids }) {
    this.log = log;
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Resolves when the entry is on disk: call it before the change, so that no change is without an entry. */
  async begin(request: AuditedRequest): Promise<AuditEntry> {
    const entry = this.#entryOf(request, null, null);
    await this.log.append(entry);
    return entry;
  }

  /** Adds how the request ended. `record`: of a record that it created. */
  end(entry: AuditEntry, status: number, record: string | null = entry.record): Promise<void> {
    return this.log.replace({ ...entry, status, record });
  }

  /** A sign-in that succeeded (200) or failed. Of failed ones, a bounded number is written each minute. */
  async signIn(actor: AuditActor, origin: Origin, reason: string | null): Promise<void> {
    if (reason !== null && !this.#countFailure()) return;
    const request = { actor, action: 'sign-in', request: 'GET /server/sign-in/callback', record: null, ...origin };
    await this.log.append(this.#entryOf(request, reason === null ? 200 : 403, reason));
  }

  /** A sign-out. The entry is on disk before `end` ends the session. */
  async signOut(caller: Caller, origin: Origin, end: () => Promise<unknown>): Promise<void> {
    const actor = actorOf(caller);
    const request = 'POST /server/sign-out';
    const entry = await this.begin({ actor, action: 'sign-out', request, record: caller.sessionId, ...origin });
    await end();
    await this.end(entry, 204);
  }

  #entryOf(request: AuditedRequest, status: number | null, reason: string | null): AuditEntry {
    return { entryId: this.#ids.next(), atMs: this.#clock.nowMs(), ...request, status, reason };
  }

  #countFailure(): boolean {
    const minute = Math.floor(this.#clock.nowMs() / MINUTE_MS);
    if (minute !== this.#failures.minute) this.#failures = { minute, count: 0 };
    this.#failures.count += 1;
    return this.#failures.count <= LIMITS.auditSignInFailuresPerMinute;
  }
}

export const NOBODY_KNOWN: AuditActor = Object.freeze({ kind: 'anyone', id: '', name: '' });

export function actorOf(caller: Caller): AuditActor {
  const { authenticated, identity, displayName: name, keyId, sessionId } = caller;
  if (!authenticated) return NOBODY_KNOWN;
  if (sessionId !== null) return { kind: 'person', id: identity.slice('person:'.length), name };
  return keyId === null ? { kind: 'user', id: identity, name } : { kind: 'key', id: keyId, name };
}

/** An entry as the API shows it. */
export function auditJson(entry: AuditEntry): Record<string, unknown> {
  const { entryId, atMs, actor, action, request, record, status, reason, address, forwardedFor } = entry;
  return {
    entry_id: entryId,
    at: new Date(atMs).toISOString(),
    actor,
    action,
    request,
    record,
    status,
    reason,
    address,
    forwarded_for: forwardedFor,
  };
}
