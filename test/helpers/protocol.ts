/** An event of the second protocol, as it is on the wire. */
export interface WireEvent {
  type: string;
  event_id: string;
  seq: number;
  method: string;
  params: { namespace: string[]; timestamp: number; node?: string; data: { event?: string } & Record<string, unknown> };
}

/** Reads a stream of the second protocol until an event says that it is enough, and leaves. */
export async function readEvents(
  url: string,
  threadId: string,
  subscription: object,
  enough: (event: WireEvent) => boolean,
  headers: Record<string, string> = {},
): Promise<WireEvent[]> {
  const response = await fetch(`${url}/threads/${threadId}/stream/events`, {
    method: 'POST',
    body: JSON.stringify(subscription),
    headers: { 'content-type': 'application/json', ...headers },
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const events: WireEvent[] = [];
  const reader = response.body!.getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error('the stream ended');
    text += Buffer.from(value).toString();
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end));
      const type = /^event: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data === null) continue;
      const event = JSON.parse(data[1]!) as WireEvent;
      if (type !== event.method) throw new Error(`the event line of ${event.method} says ${type}`);
      events.push(event);
      if (!enough(event)) continue;
      await reader.cancel();
      return events;
    }
  }
}

/** The end of a run's root. */
export function isEnd({ method, params }: WireEvent): boolean {
  return (
    method === 'lifecycle' &&
    params.namespace.length === 0 &&
    ['completed', 'failed', 'interrupted'].includes(params.data.event!)
  );
}
