import type { openStores } from '../../src/store/stores.js';
import { keys } from '../../src/store/keys.js';

/** Until what is to be removed from a folder has been, where no server does it. */
export async function leftoversGone({ store, remover }: ReturnType<typeof openStores>): Promise<void> {
  remover.wake();
  while ([...store.keys({ prefix: keys.leftovers() })].length > 0) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    await store.flushed();
  }
}
