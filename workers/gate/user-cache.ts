import { createHash } from 'node:crypto';
import type { User } from '../../src/base/caller.js';
import type { UserCacheOptions } from '../../src/wire/gate.js';

/** Users by the headers they came with, for as long as the developer said (`auth.cache`). Least recently made out first. */
export class UserCache {
  readonly #options: UserCacheOptions;
  readonly #users = new Map<string, { user: User; untilMs: number }>();

  constructor(options: UserCacheOptions) {
    this.#options = options;
  }

  get(headers: Readonly<Record<string, string>>): User | undefined {
    const key = this.#keyOf(headers);
    const known = key === null ? undefined : this.#users.get(key);
    if (known === undefined) return undefined;
    // A copy: what a handler changes in it is not remembered.
    if (known.untilMs > Date.now()) return structuredClone(known.user);
    this.#users.delete(key!);
    return undefined;
  }

  put(headers: Readonly<Record<string, string>>, user: User): void {
    const key = this.#keyOf(headers);
    if (key === null) return;
    if (this.#users.size >= this.#options.entriesMax) this.#users.delete(this.#users.keys().next().value!);
    this.#users.set(key, { user: structuredClone(user), untilMs: Date.now() + this.#options.ttlMs });
  }

  /** Null when the request has none of the headers: strangers are not remembered. A hash, so that no token is kept. */
  #keyOf(headers: Readonly<Record<string, string>>): string | null {
    const values = this.#options.headers.map((name) => headers[name] ?? null);
    return values.every((value) => value === null) ? null : createHash('sha256').update(JSON.stringify(values)).digest('base64');
  }
}
