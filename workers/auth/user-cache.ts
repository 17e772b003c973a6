import { createHash } from 'node:crypto';
import type { User } from '../../src/domain/caller.js';
import type { UserCacheOptions } from '../../src/wire/user-code/auth.js';

/**
 * Caches authenticated users by their request headers, for the configured time (`auth.cache`). Evicts the least
 * recently authenticated user.
 */
export class UserCache {
  readonly #options: UserCacheOptions;
  readonly #nowMs: () => number;
  readonly #users = new Map<string, { user: User; untilMs: number }>();

  /** `nowMs` must be monotonic: a system clock that is set back would keep users with expired tokens. */
  constructor(options: UserCacheOptions, nowMs: () => number = () => performance.now()) {
    this.#options = options;
    this.#nowMs = nowMs;
  }

  get(headers: Readonly<Record<string, string>>): User | undefined {
    const key = this.#keyOf(headers);
    const known = key === null ? undefined : this.#users.get(key);
    if (known === undefined) return undefined;
    // Return a copy, so that changes by a handler are not cached.
    if (known.untilMs > this.#nowMs()) return structuredClone(known.user);
    this.#users.delete(key!);
    return undefined;
  }

  put(headers: Readonly<Record<string, string>>, user: User): void {
    const key = this.#keyOf(headers);
    if (key === null) return;
    // Delete it first, so that it becomes the newest entry and evicts no other.
    this.#users.delete(key);
    if (this.#users.size >= this.#options.entriesMax) this.#users.delete(this.#users.keys().next().value!);
    this.#users.set(key, { user: structuredClone(user), untilMs: this.#nowMs() + this.#options.ttlMs });
  }

  /**
   * Null when the request has none of the headers; then the user is not cached. Hashed, so that no token is
   * stored.
   */
  #keyOf(headers: Readonly<Record<string, string>>): string | null {
    // Own members only: a header may have the name of a member that every object has.
    const values = this.#options.headers.map((name) => (Object.hasOwn(headers, name) ? headers[name]! : null));
    return values.every((value) => value === null)
      ? null
      : createHash('sha256').update(JSON.stringify(values)).digest('base64');
  }
}
