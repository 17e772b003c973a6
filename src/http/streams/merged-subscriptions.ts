import type { RunLog } from '../../pool/graphs/run-log.js';
import type { Subscription } from '../../services/runs/subscription.js';
import type { Frame } from '../../wire/runs/frame.js';
import { EventReader, type EventSink } from './event-reader.js';

interface Member {
  readonly subscription: Subscription;
  /** The member has every event up to this id that it wants. The position of the reader counts if it is higher. */
  afterSeq: number;
}

/**
 * The subscriptions of one WebSocket as one sequence: events are sent in the order of their ids, and an event that
 * several subscriptions want is sent once. A new subscription first gets its older events. They are sent before all
 * newer events, those of the other subscriptions included, so that the end of a run never precedes its content.
 */
export class MergedSubscriptions {
  readonly #sink: EventSink;
  readonly #members = new Map<string, Member>();
  /** One for all members, at the position of the member that is furthest behind. */
  #reader: { log: RunLog; events: EventReader } | null = null;

  constructor(sink: EventSink) {
    this.#sink = sink;
  }

  get size(): number {
    return this.#members.size;
  }

  /** Adds subscriptions to the same thread. Their replay starts together. */
  add(subscriptions: ReadonlyMap<string, Subscription>): void {
    for (const [id, subscription] of subscriptions) {
      const { log, afterSeq } = subscription;
      this.#rewind(log, afterSeq);
      this.#members.set(id, { subscription, afterSeq });
    }
    this.pump();
  }

  remove(id: string): void {
    this.#members.delete(id);
    if (this.#members.size === 0) this.close();
  }

  /** Sends the available events. Call it when the sink is ready again. */
  pump(): void {
    this.#reader?.events.pump();
  }

  close(): void {
    this.#reader?.events.close();
    this.#reader = null;
  }

  /** Moves the reader back to `afterSeq` if it is further. */
  #rewind(log: RunLog, afterSeq: number): void {
    if (this.#reader?.log !== log) {
      this.close();
      this.#reader = { log, events: this.#createReader(log, afterSeq) };
      return;
    }
    const { events } = this.#reader;
    if (events.afterSeq <= afterSeq) return;
    for (const member of this.#members.values()) member.afterSeq = Math.max(member.afterSeq, events.afterSeq);
    events.seek(afterSeq);
  }

  #createReader(log: RunLog, afterSeq: number): EventReader {
    return new EventReader(
      {
        log,
        afterSeq,
        live: null,
        wants: (name) => {
          for (const { subscription } of this.#members.values()) if (wants(subscription, name)) return true;
          return false;
        },
        encode: (frame) => this.#encode(frame),
        finalText: '',
        continueAfterGap: true,
      },
      this.#sink,
    );
  }

  /** Clients assign an event to their subscriptions by its namespace, so each form that is wanted is sent. */
  #encode(frame: Frame): readonly Uint8Array[] {
    const forms = new Set<Uint8Array>();
    const encoders = new Set<Subscription['encode']>();
    for (const { subscription, afterSeq } of this.#members.values())
      if (frame.seq > afterSeq && wants(subscription, frame.name)) encoders.add(subscription.encode);
    for (const encode of encoders) for (const bytes of encode?.(frame) ?? [frame.bytes]) forms.add(bytes);
    return [...forms];
  }
}

function wants({ wants: filter }: Subscription, name: string): boolean {
  return filter === null || filter(name);
}
