import { LIMITS } from '../../base/limits.js';

interface Host {
  /** Number of runs with an open or expected delivery to this host. */
  owed: number;
  ready: Set<string>;
  active: number;
  /** True if the host answered the last attempt. */
  proven: boolean;
}

/**
 * Schedules deliveries fairly between hosts. A host that is new or did not answer its last attempt gets one
 * delivery at a time. All such hosts together use only part of the capacity: failing receivers delay each
 * other, but nobody else.
 */
export class DeliveryQueue {
  readonly #attempt: (runId: string) => Promise<boolean>;
  readonly #hosts = new Map<string, Host>();
  /** Hosts with a ready delivery and free capacity, in the order of service. */
  readonly #turns = { proven: new Set<string>(), unproven: new Set<string>() };
  #active = 0;
  #unprovenActive = 0;

  /** `attempt` resolves to true if the host answered. It never rejects. */
  constructor(attempt: (runId: string) => Promise<boolean>) {
    this.#attempt = attempt;
  }

  countOf(host: string): number {
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

  /** Queues a due delivery. */
  add(name: string, runId: string): void {
    const host = this.#hosts.get(name)!;
    host.ready.add(runId);
    this.#line(name, host);
    this.#pump();
  }

  /** Puts the host at the end of its line if it has a ready delivery and free capacity. */
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
