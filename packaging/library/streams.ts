import type { ReadableStream, UnderlyingSource } from 'node:stream/web';

/** LangChain's stream, which also has iterators. */
interface StreamClass {
  new <T>(source: UnderlyingSource<T>): ReadableStream<T>;
  fromAsyncGenerator<T>(generator: AsyncGenerator<T>): ReadableStream<T>;
}

/**
 * Ends the stream of a generator without an error. LangChain closes it and then puts the result of the generator into
 * it, which throws. Nobody gets this error, and it takes 7 µs to create.
 */
export function endWithoutError(Stream: StreamClass): void {
  Stream.fromAsyncGenerator = function fromAsyncGenerator<T>(generator: AsyncGenerator<T>): ReadableStream<T> {
    return new Stream<T>({
      async pull(controller): Promise<void> {
        const next = await generator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel(reason): Promise<void> {
        await generator.return(reason);
      },
    });
  };
}
