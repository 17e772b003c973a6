import { LIMITS } from '../../base/limits.js';

interface Host {
  /** Number of runs with an open or expected delivery to this host. */
  owed: number;
  ready: Set<string>;
  active: number;
  /** True if the host answered the last attempt. */
  responsive: boolean;
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
  readonly #lines = { responsive: new Set<string>(), unresponsive: new Set<string>() };
  #active = 0;
  #unresponsiveActive = 0;

  /** `attempt` resolves to true if the host answered. It never rejects. */
  constructor(attempt: (runId: string) => Promise<boolean>) {
    this.#attempt = attempt;
  }

  countOf(host: string): number {
    return this.#hosts.get(host)?.owed ?? 0;
  }

  expect(name: string): void {
    const host = this.#hosts.get(name);
    if (host === undefined) this.#hosts.set(name, { owed: 1, ready: new Set(), active: 0, responsive: false });
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
    this.#enqueueHost(name, host);
    this.#sendNext();
  }

  /** Puts the host at the end of its line if it has a ready delivery and free capacity. */
  #enqueueHost(name: string, host: Host): void {
    this.#lines.responsive.delete(name);
    this.#lines.unresponsive.delete(name);
    if (host.ready.size === 0 || host.active >= (host.responsive ? LIMITS.webhooksConcurrentPerHostMax : 1)) return;
    (host.responsive ? this.#lines.responsive : this.#lines.unresponsive).add(name);
  }

  #sendNext(): void {
    while (this.#active < LIMITS.webhooksConcurrentMax) {
      const [responsive] = this.#lines.responsive;
      const [unresponsive] = this.#unresponsiveActive < LIMITS.webhooksUnprovenMax ? this.#lines.unresponsive : [];
      const name = responsive ?? unresponsive;
      if (name === undefined) return;
      void this.#send(name, this.#hosts.get(name)!);
    }
  }

  async #send(name: string, host: Host): Promise<void> {
    const [runId] = host.ready;
    host.ready.delete(runId!);
    host.active += 1;
    this.#active += 1;
    const unresponsive = !host.responsive;
    if (unresponsive) this.#unresponsiveActive += 1;
    this.#enqueueHost(name, host);
    host.responsive = await this.#attempt(runId!);
    host.active -= 1;
    this.#active -= 1;
    if (unresponsive) this.#unresponsiveActive -= 1;
    if (host.owed === 0 && host.active === 0) this.#hosts.delete(name);
    else this.#enqueueHost(name, host);
    this.#sendNext();
  }
}
