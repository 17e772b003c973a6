/** The front thread's side of an evaluation task. Pending `receive` calls reject when `result` settles. */
interface TaskSession<In, Value> {
  duplex: { receive(): Promise<In>; send(message: { type: 'more' }): void };
  result: Promise<Value>;
}

/** Receives the next message. If the port closes, rejects with the error of the task, which is more precise. */
export function receiveMessage<In>({ duplex, result }: TaskSession<In, unknown>): Promise<In> {
  return duplex.receive().catch(() =>
    result.then((): never => {
      throw new Error('the task ended early');
    }),
  );
}

/** Receives messages, and requests more after each one, until the task ends. Returns its result. */
export async function receiveAll<In, Value>(
  { duplex, result }: TaskSession<In, Value>,
  onMessage: (message: In) => void | Promise<void>,
): Promise<Value> {
  for (;;) {
    // Not a race with `result`: the promise of each race would keep its message in memory until the task ends.
    const message = await duplex.receive().catch(() => null);
    if (message === null) return result;
    await onMessage(message);
    duplex.send({ type: 'more' });
  }
}
