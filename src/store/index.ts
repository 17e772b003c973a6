import { Assistants } from './assistants.js';
import { Checkpoints } from './checkpoints.js';
import { Store } from './env.js';
import { Events } from './events.js';
import { Items } from './items.js';
import { Remover } from './remover.js';
import { Runs } from './runs.js';
import { Seal } from './seal.js';
import { Threads } from './threads.js';
import { Webhooks } from './webhooks.js';

/** All nouns over one data folder. */
export interface Nouns {
  store: Store;
  seal: Seal;
  assistants: Assistants;
  threads: Threads;
  runs: Runs;
  checkpoints: Checkpoints;
  events: Events;
  items: Items;
  webhooks: Webhooks;
  remover: Remover;
}

export function openNouns(folder: string, sealKey: string | undefined): Nouns {
  const store = Store.open(folder);
  const events = new Events(store);
  const webhooks = new Webhooks(store);
  return {
    store,
    seal: new Seal(folder, sealKey),
    assistants: new Assistants(store),
    threads: new Threads(store),
    runs: new Runs(store),
    checkpoints: new Checkpoints(store),
    events,
    items: new Items(store),
    webhooks,
    remover: new Remover(store, events, webhooks),
  };
}
