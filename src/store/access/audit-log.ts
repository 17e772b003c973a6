import { LIMITS } from '../../base/limits.js';
import { matchesAudit, type AuditEntry, type AuditFilter } from '../../domain/audit.js';
import { pack, unpack } from '../../wire/codec.js';
import { keys } from '../keys.js';
import { Commit, type Store } from '../store.js';

/** How many entries are kept, and how long. */
export interface AuditRetention {
  entriesMax: number;
  keepMs: number;
}

/** One page of entries, newest first. */
export interface AuditPage {
  entries: AuditEntry[];
  /** Id behind which the next page begins; null at the end. */
  next: string | null;
}

/** The audit log: one record for each entry, in the order of time. */
export class AuditLog {
  readonly #store: Store;
  readonly #retention: AuditRetention;
  #count: number;

  constructor(store: Store, retention: AuditRetention) {
    this.#store = store;
    this.#retention = retention;
    this.#count = store.count({ prefix: keys.auditEntries() });
  }

  /** Resolves when the entry is on disk. It removes the oldest ones if there are too many. */
  async append(entry: AuditEntry): Promise<void> {
    const commit = new Commit();
    commit.put(keys.auditEntry(entry.entryId), pack(entry));
    this.#count += 1;
    this.#removeSurplus(commit);
    await this.#store.write(commit);
  }

  /** Replaces an entry by one of the same id. */
  async replace(entry: AuditEntry): Promise<void> {
    const commit = new Commit();
    commit.put(keys.auditEntry(entry.entryId), pack(entry));
    await this.#store.write(commit);
  }

  /** Looks at a bounded number of entries, so a page may have fewer than `limit` although more follow. */
  page(filter: AuditFilter, { after, limit }: { after: string | null; limit: number }): AuditPage {
    const entries: AuditEntry[] = [];
    let seen = 0;
    let last: string | null = null;
    const range = {
      prefix: keys.auditEntries(),
      reverse: true,
      limit: LIMITS.auditScanMax,
      ...(after === null ? {} : { start: keys.auditEntry(after), after: true }),
    };
    for (const [, value] of this.#store.entries(range)) {
      const entry = unpack<AuditEntry>(value);
      // Entries are in the order of time, except for small steps of the clock.
      seen += 1;
      last = entry.entryId;
      if (matchesAudit(entry, filter)) entries.push(entry);
      if (entries.length === limit) return { entries, next: last };
    }
    return { entries, next: seen === LIMITS.auditScanMax ? last : null };
  }

  /** Removes the entries that are older than they are kept, a bounded number each time. */
  async sweep(nowMs: number): Promise<void> {
    const commit = new Commit();
    const { keepMs } = this.#retention;
    for (const [key, value] of this.#store.entries({ prefix: keys.auditEntries(), limit: LIMITS.auditRemovedMax })) {
      if (unpack<AuditEntry>(value).atMs >= nowMs - keepMs) break;
      commit.remove(key);
    }
    this.#count -= commit.operations.length;
    this.#removeSurplus(commit);
    if (commit.operations.length > 0) await this.#store.write(commit);
  }

  #removeSurplus(commit: Commit): void {
    const surplus = Math.min(this.#count - this.#retention.entriesMax, LIMITS.auditRemovedMax);
    if (surplus <= 0) return;
    const before = commit.operations.length;
    for (const key of this.#store.keys({ prefix: keys.auditEntries(), limit: surplus })) commit.remove(key);
    this.#count -= commit.operations.length - before;
  }
}
