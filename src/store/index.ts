import { Assistants } from './assistants.js';
import { Checkpoints } from './checkpoints.js';
import { Store } from './env.js';
import { Events } from './events.js';
import { Items } from './items.js';
import { Remover } from './remover.js';
import { Runs } from './runs.js';
import { Seal } from './seal.js';
import { ThreadChanges } from './thread-changes.js';
import { Threads } from './threads.js';

/** All nouns over one data folder. */
export interface Nouns {
  store: Store;
  seal: Seal;
  assistants: Assistants;
  threads: Threads;
  changes: ThreadChanges;
  runs: Runs;
  checkpoints: Checkpoints;
  events: Events;
  items: Items;
  remover: Remover;
}

export function openNouns(folder: string, sealKey: string | undefined): Nouns {
  const store = Store.open(folder);
  const events = new Events(store);
  return {
    store,
    seal: new Seal(folder, sealKey),
    assistants: new Assistants(store),
    threads: new Threads(store),
    changes: new ThreadChanges(store),
    runs: new Runs(store),
    checkpoints: new Checkpoints(store),
    events,
    items: new Items(store),
    remover: new Remover(store, events),
  };
}
