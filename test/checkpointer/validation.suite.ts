import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  deltaChannelHistoryTests,
  validate,
  type CheckpointSaverTestInitializer,
} from '@langchain/langgraph-checkpoint-validation';
import { openStores } from '../../src/store/stores.js';
import type { Durability } from '../../src/wire/runs/messages.js';
import { BoundSavers, library, type Lifetime } from './bound-savers.js';

const opened = new WeakMap<BoundSavers, () => Promise<void>>();

function initializer(
  checkpointerName: string,
  options: { lifetime: Lifetime; durability: Durability },
): CheckpointSaverTestInitializer<BoundSavers> {
  return {
    checkpointerName,
    async createCheckpointer() {
      const folder = mkdtempSync(join(tmpdir(), 'threadmill-test-'));
      const stores = openStores(folder, undefined);
      const savers = new BoundSavers(stores, await library, options);
      opened.set(savers, async () => {
        await savers.close();
        await stores.store.close();
        rmSync(folder, { recursive: true, force: true });
      });
      return savers;
    },
    destroyCheckpointer: (savers) => opened.get(savers)!(),
  };
}

for (const one of [
  initializer('one saver a thread', { lifetime: 'run', durability: 'async' }),
  initializer('one saver a call', { lifetime: 'call', durability: 'sync' }),
]) {
  validate(one);
  deltaChannelHistoryTests(one);
}
