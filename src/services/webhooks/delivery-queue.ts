import { LIMITS } from '../../base/limits.js';

interface Host {
  /** Runs that owe it something or will. */
  owed: number;
  ready: Set<string>;
  active: number;
  /** It answered the last time. */
  proven: boolean;
}

/**
 * Who is sent to next. Hosts take turns. One that did not answer the last time, or was not asked yet, is sent one at a time,
 * and all of those together leave room: receivers that are down delay each other, and nobody else.
 */
export class DeliveryQueue {
  readonly #attempt: (runId: string) => Promise<boolean>;
  readonly #hosts = new Map<string, Host>();
  /** Hosts with something ready and room of their own; the order is their turn. */
  readonly #turns = { proven: new Set<string>(), unproven: new Set<string>() };
  #active = 0;
  #unprovenActive = 0;

  /** `attempt` resolves with whether the host answered, and never rejects. */
  constructor(attempt: (runId: string) => Promise<boolean>) {
    this.#attempt = attempt;
  }

  owedTo(host: string): number {
    return this.#hosts.get(host)?.owed ?? 0;
  }

  expect(name: string): void {
    const host = this.#hosts.get(name);
    if (host === undefined) this.#hosts.set(name, { owed: 1, ready: new Set(), active: 0, proven: false });
    else host.owed += 1;
  }

  forget(name: string): void {
    const host = this.#hosts.get(name)!;
    host.owed -= 1;
    if (host.owed === 0 && host.active === 0) this.#hosts.delete(name);
  }

  /** It is due: sent as soon as it is its turn. */
  add(name: string, runId: string): void {
    const host = this.#hosts.get(name)!;
    host.ready.add(runId);
    this.#line(name, host);
    this.#pump();
  }

  /** Puts the host where it waits for its turn, when it has room. */
  #line(name: string, host: Host): void {
    this.#turns.proven.delete(name);
    this.#turns.unproven.delete(name);
    if (host.ready.size === 0 || host.active >= (host.proven ? LIMITS.webhooksToOneHostMax : 1)) return;
    (host.proven ? this.#turns.proven : this.#turns.unproven).add(name);
  }

  #pump(): void {
    while (this.#active < LIMITS.webhooksAtOnceMax) {
      const [proven] = this.#turns.proven;
      const [unproven] = this.#unprovenActive < LIMITS.webhooksUnprovenMax ? this.#turns.unproven : [];
      const name = proven ?? unproven;
      if (name === undefined) return;
      void this.#send(name, this.#hosts.get(name)!);
    }
  }

  async #send(name: string, host: Host): Promise<void> {
    const [runId] = host.ready;
    host.ready.delete(runId!);
    host.active += 1;
    this.#active += 1;
    const unproven = !host.proven;
    if (unproven) this.#unprovenActive += 1;
    this.#line(name, host);
    host.proven = await this.#attempt(runId!);
    host.active -= 1;
    this.#active -= 1;
    if (unproven) this.#unprovenActive -= 1;
    if (host.owed === 0 && host.active === 0) this.#hosts.delete(name);
    else this.#line(name, host);
    this.#pump();
  }
}
