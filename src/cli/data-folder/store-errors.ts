import { ThreadmillError } from '../../base/errors.js';
import { CommandError } from '../client.js';

/** What the store or the system refuses is said in words, not with a stack. */
export async function translateStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ThreadmillError)
      throw new CommandError(
        error.code === 'STORE_LOCKED'
          ? `${error.message} Stop it first; of a running server a backup can be taken with "threadmill backup FILE --url ADDRESS".`
          : error.message,
      );
    if (error instanceof Error && 'syscall' in error) throw new CommandError(error.message);
    throw error;
  }
}
