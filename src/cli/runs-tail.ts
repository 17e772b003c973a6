import type { ReadableWritablePair } from 'node:stream/web';
import { setTimeout } from 'node:timers/promises';
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import { Client, CommandError, HttpError, runCommand, type Connection } from './client.js';
import { Transcript } from './output/transcript.js';

export interface TailFlags extends Connection {
  fromStart?: boolean;
  lastEventId?: string;
  json?: boolean;
}

const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 15_000;
/** From the first event that is kept (docs/streaming.md, "The stream of a thread"). */
const FIRST = '-';

/** Follows a thread until a signal, its end, or a refusal. */
export function tail(threadId: string, flags: TailFlags): Promise<void> {
  return runCommand(1, async () => {
    if (flags.fromStart === true && flags.lastEventId !== undefined)
      throw new CommandError('--from-start and --last-event-id say two things: give one of them.');
    const client = new Client(flags);
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0));
    // Whoever read has seen enough.
    process.stdout.on('error', () => process.exit(0));
    const transcript = new Transcript((text) => process.stdout.write(text));
    const show = (message: EventSourceMessage): void => {
      if (flags.json === true)
        process.stdout.write(
          `{"id":${JSON.stringify(message.id ?? null)},"event":${JSON.stringify(message.event ?? 'message')},"data":${message.data === '' ? 'null' : message.data}}\n`,
        );
      else transcript.take(message.event ?? 'message', message.data);
    };
    await follow(
      client,
      `/threads/${encodeURIComponent(threadId)}/stream`,
      flags.fromStart === true ? FIRST : flags.lastEventId,
      show,
    );
    return 1;
  });
}

/** Never returns: it throws when the server says no. What only breaks off is asked again. */
async function follow(
  client: Client,
  path: string,
  from: string | undefined,
  show: (message: EventSourceMessage) => void,
): Promise<void> {
  let last = from;
  let reached = false;
  let waitMs = RETRY_FIRST_MS;
  for (;;) {
    let ending = 'The stream ended.';
    try {
      const chunks = ReadableStream.from(
        client.getStream(path, last === undefined ? {} : { 'last-event-id': last }, () => {
          process.stderr.write(reached ? 'Connected again.\n' : 'Following; Ctrl-C ends it.\n');
          reached = true;
          waitMs = RETRY_FIRST_MS;
        }),
      );
      for await (const message of chunks
        .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
        .pipeThrough(new EventSourceParserStream())) {
        last = message.id ?? last;
        show(message);
      }
    } catch (error) {
      // A server that stops or is full says 503, and may be back.
      if (!(error instanceof CommandError) || !reached || (error instanceof HttpError && error.status < 500)) throw error;
      ending = error.message;
    }
    process.stderr.write(
      `${ending} Trying again in ${waitMs / 1_000} s${last === undefined ? '; what comes meanwhile is not shown' : ''}.\n`,
    );
    await setTimeout(waitMs);
    waitMs = Math.min(RETRY_MOST_MS, waitMs * 2);
  }
}
