/** A task of the evaluation thread that hands something over, seen from the front. */
interface Following<In, Value> {
  talk: { next(): Promise<In>; send(message: { type: 'more' }): void };
  done: Promise<Value>;
}

/** The task's next message. Rejects with what ended the task instead: a port that closed says only that it has ended. */
export async function nextMessage<In>({ talk, done }: Following<In, unknown>): Promise<In> {
  const ended = done.then((): never => { throw new Error('the task ended early'); });
  return Promise.race([talk.next().catch(() => ended), ended]);
}

/** Takes one message after the other, asking for more each time, until the task ends; what it ends with. */
export async function takeAll<In, Value>({ talk, done }: Following<In, Value>, take: (message: In) => void | Promise<void>): Promise<Value> {
  let ended = false;
  const end = done.finally(() => { ended = true; });
  end.catch(() => undefined);
  for (;;) {
    const message = await Promise.race([talk.next().catch(() => null), end.then(() => null)]);
    if (ended || message === null) return end;
    await take(message);
    talk.send({ type: 'more' });
  }
}
