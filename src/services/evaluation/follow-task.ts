/** A task of the evaluation thread that hands something over, seen from the front. Every wait of `talk` ends when it is `done`. */
interface Following<In, Value> {
  talk: { next(): Promise<In>; send(message: { type: 'more' }): void };
  done: Promise<Value>;
}

/** The task's next message. Rejects with what ended the task instead: a port that closed says only that it has ended. */
export function nextMessage<In>({ talk, done }: Following<In, unknown>): Promise<In> {
  return talk.next().catch(() =>
    done.then((): never => {
      throw new Error('the task ended early');
    }),
  );
}

/** Takes one message after the other, asking for more each time, until the task ends; what it ends with. */
export async function takeAll<In, Value>(
  { talk, done }: Following<In, Value>,
  take: (message: In) => void | Promise<void>,
): Promise<Value> {
  for (;;) {
    // No race with `done`: until the task ends, each would keep its message.
    const message = await talk.next().catch(() => null);
    if (message === null) return done;
    await take(message);
    talk.send({ type: 'more' });
  }
}
