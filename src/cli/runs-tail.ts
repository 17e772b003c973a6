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

const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 15_000;
/** Last-Event-ID that starts at the first stored event (docs/streaming.md, "The stream of a thread"). */
const BEFORE_FIRST_EVENT = '-';

/** Follows a thread until a signal, or until the server refuses the request. */
export function tailRuns(threadId: string, flags: TailFlags): Promise<void> {
  return runCommand(1, async () => {
    if (flags.fromStart === true && flags.lastEventId !== undefined)
      throw new CommandError('--from-start and --last-event-id cannot be combined. Use one of them.');
    const client = new Client(flags);
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0));
    // The reader closed the pipe.
    process.stdout.on('error', () => process.exit(0));
    const transcript = new Transcript((text) => process.stdout.write(text));
    const show = (message: EventSourceMessage): void => {
      if (flags.json === true)
        process.stdout.write(
          `{"id":${JSON.stringify(message.id ?? null)},"event":${JSON.stringify(message.event ?? 'message')},"data":${message.data === '' ? 'null' : message.data}}\n`,
        );
      else transcript.writeEvent(message.event ?? 'message', message.data);
    };
    await follow(
      client,
      `/threads/${encodeURIComponent(threadId)}/stream`,
      flags.fromStart === true ? BEFORE_FIRST_EVENT : flags.lastEventId,
      show,
    );
    return 1;
  });
}

/** Follows the stream and reconnects after lost connections. Never returns: throws if the server refuses. */
async function follow(
  client: Client,
  path: string,
  from: string | undefined,
  show: (message: EventSourceMessage) => void,
): Promise<void> {
  let last = from;
  let hasConnected = false;
  let waitMs = RETRY_MIN_MS;
  for (;;) {
    let ending = 'The stream ended.';
    try {
      const chunks = ReadableStream.from(
        client.getStream(path, last === undefined ? {} : { 'last-event-id': last }, () => {
          process.stderr.write(hasConnected ? 'Reconnected.\n' : 'Following. Press Ctrl-C to stop.\n');
          hasConnected = true;
          waitMs = RETRY_MIN_MS;
        }),
      );
      for await (const message of chunks
        .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
        .pipeThrough(new EventSourceParserStream())) {
        last = message.id ?? last;
        show(message);
      }
    } catch (error) {
      // A server that is stopping or overloaded returns 503 and may come back.
      if (!(error instanceof CommandError) || !hasConnected || (error instanceof HttpError && error.status < 500))
        throw error;
      ending = error.message;
    }
    process.stderr.write(
      `${ending} Reconnecting in ${waitMs / 1_000} ` +
        `s${last === undefined ? '. Events until then are not shown' : ''}.\n`,
    );
    await setTimeout(waitMs);
    waitMs = Math.min(RETRY_MAX_MS, waitMs * 2);
  }
}
