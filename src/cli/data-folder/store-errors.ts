import { ThreadmillError } from '../../base/errors.js';
import { CommandError } from '../client.js';

/** Turns errors of the store and of the system into CommandError, so that they are printed without a stack. */
export async function translateStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ThreadmillError)
      throw new CommandError(
        error.code === 'STORE_LOCKED'
          ? `${error.message} Stop it first. To back up a running server, use "threadmill backup FILE --url ADDRESS".`
          : error.message,
      );
    if (error instanceof Error && 'syscall' in error) throw new CommandError(error.message);
    throw error;
  }
}
