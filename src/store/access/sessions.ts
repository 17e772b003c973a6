import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { LIMITS } from '../../base/limits.js';
import type { SignedInPerson } from '../../domain/caller.js';
import { pack, unpack } from '../../wire/codec.js';
import { keys } from '../keys.js';
import { Commit, type Store } from '../store.js';

/** A browser in which a person signed in. */
export interface SessionRecord extends SignedInPerson {
  sessionId: string;
  /** SHA-256 of the token in the browser's cookie, which is stored nowhere else. */
  hash: Uint8Array;
  /** Of the settings that decided about the sign-in. With others, the session is not valid. */
  settings: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** `tms_<sessionId>_<secret>`. The id selects the record, and the hash of the whole token decides. */
const TOKEN = /^tms_([0-9a-f]{24})_[A-Za-z0-9_-]{43}$/;
/** No token has this hash. Unknown ids are compared with it, so that they take as long as known ones. */
const NO_HASH = Buffer.alloc(32);

interface SessionsOptions {
  store: Store;
  nowMs: () => number;
  /** Fingerprint of the settings in effect. */
  settings: string;
  /** Called with ids of sessions that ended, which are not accepted any more. */
  onEnded: (sessionIds: readonly string[]) => void;
  onProblem: (error: unknown) => void;
}

/** The sessions of people who signed in: records, and a copy in memory that requests are checked against. */
export class Sessions {
  readonly #options: SessionsOptions;
  /** By id, oldest first. */
  readonly #sessions: Map<string, SessionRecord>;
  readonly #timer: NodeJS.Timeout;
  #closed = false;

  private constructor(options: SessionsOptions, records: readonly SessionRecord[]) {
    this.#options = options;
    this.#sessions = new Map(records.map((record) => [record.sessionId, record]));
    this.#timer = setInterval(() => this.#sweep(), LIMITS.sessionsSweepMs).unref();
  }

  /** Reads the sessions of a data folder. Those of other settings end. */
  static async open(options: SessionsOptions): Promise<Sessions> {
    const { store, settings } = options;
    const all = [...store.entries({ prefix: keys.sessions() })].map(([, value]) => unpack<SessionRecord>(value));
    const others = all.filter((record) => record.settings !== settings);
    await removeRecords(store, others);
    const valid = all.filter((record) => record.settings === settings);
    return new Sessions(
      options,
      valid.toSorted((a, b) => a.createdAtMs - b.createdAtMs),
    );
  }

  /** The valid session of a token. Takes constant time in the secret. */
  check(token: string): SessionRecord | null {
    const found = this.#sessions.get(TOKEN.exec(token)?.[1] ?? '');
    const isSame = timingSafeEqual(hashOf(token), found?.hash ?? NO_HASH);
    return isSame && found !== undefined && this.#isValid(found) ? found : null;
  }

  /** All valid sessions, oldest first. */
  list(): SessionRecord[] {
    return [...this.#sessions.values()].filter((record) => this.#isValid(record));
  }

  /** Resolves with the token when the session is stored. Too many sessions of the person, or of all, end the oldest. */
  async create(person: SignedInPerson, lifetimeMs: number): Promise<{ record: SessionRecord; token: string }> {
    const { store, nowMs, settings } = this.#options;
    const { subject, name, email, role } = person;
    const sessionId = randomBytes(12).toString('hex');
    const token = `tms_${sessionId}_${randomBytes(32).toString('base64url')}`;
    const createdAtMs = nowMs();
    const record: SessionRecord = {
      sessionId,
      hash: hashOf(token),
      settings,
      subject,
      name,
      email,
      role,
      createdAtMs,
      expiresAtMs: createdAtMs + lifetimeMs,
    };
    await this.#makeRoom(subject);
    const commit = new Commit();
    commit.put(keys.session(sessionId), pack(record));
    await store.write(commit);
    this.#sessions.set(sessionId, record);
    return { record, token };
  }

  /** Ends a session at once, and resolves when that is stored. False if it does not exist. */
  async end(sessionId: string): Promise<boolean> {
    const found = this.#sessions.get(sessionId);
    if (found === undefined) return false;
    await this.#end([found]);
    return true;
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
  }

  #isValid({ expiresAtMs }: SessionRecord): boolean {
    return this.#options.nowMs() < expiresAtMs;
  }

  async #makeRoom(subject: string): Promise<void> {
    const all = [...this.#sessions.values()];
    const own = all.filter((record) => record.subject === subject);
    const surplus = new Set([
      ...own.slice(0, Math.max(0, own.length + 1 - LIMITS.sessionsPerPersonMax)),
      ...all.slice(0, Math.max(0, all.length + 1 - LIMITS.sessionsMax)),
    ]);
    if (surplus.size > 0) await this.#end([...surplus]);
  }

  async #end(records: readonly SessionRecord[]): Promise<void> {
    for (const { sessionId } of records) this.#sessions.delete(sessionId);
    this.#options.onEnded(records.map(({ sessionId }) => sessionId));
    await removeRecords(this.#options.store, records);
  }

  #sweep(): void {
    const expired = [...this.#sessions.values()].filter((record) => !this.#isValid(record));
    if (expired.length === 0) return;
    this.#end(expired).catch((error: unknown) => {
      if (!this.#closed) this.#options.onProblem(error);
    });
  }
}

async function removeRecords(store: Store, records: readonly SessionRecord[]): Promise<void> {
  if (records.length === 0) return;
  const commit = new Commit();
  for (const { sessionId } of records) commit.remove(keys.session(sessionId));
  await store.write(commit);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
