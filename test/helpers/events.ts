/** An event as the SDK yields it. */
export interface Event {
  id?: string | undefined;
  event: string;
  data: unknown;
}

/** All events of a stream. */
export async function collect(stream: AsyncIterable<unknown>): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of stream) events.push(event as Event);
  return events;
}

/** Names and data, without what differs from run to run: ids and the first event. */
export function told(events: readonly Event[]): [string, unknown][] {
  return events.filter(({ event }) => event !== 'metadata').map(({ event, data }) => [event, data]);
}

/** The text of a stream without its heartbeats, which may come at any moment between two events. */
export function withoutHeartbeats(text: string): string {
  return text.replaceAll(': heartbeat\n', '').trimStart();
}

/** Reads a stream until an event fits, and hands out what it has read so far; the rest is read by `rest`. */
export class Reader {
  readonly seen: Event[] = [];
  readonly #events: AsyncIterator<unknown>;

  constructor(stream: AsyncIterable<unknown>) {
    this.#events = stream[Symbol.asyncIterator]();
  }

  /** The first event from here on that fits. Throws when the stream ends before. */
  async until(fits: (event: Event) => boolean): Promise<Event> {
    for (;;) {
      const event = await this.next();
      if (event === null) throw new Error(`The stream ended after ${JSON.stringify(this.seen)}`);
      if (fits(event)) return event;
    }
  }

  /** Null at the end. */
  async next(): Promise<Event | null> {
    const { done, value } = await this.#events.next();
    if (done === true) return null;
    this.seen.push(value as Event);
    return value as Event;
  }

  /** All that is left. */
  async rest(): Promise<Event[]> {
    const from = this.seen.length;
    while ((await this.next()) !== null);
    return this.seen.slice(from);
  }
}
