import { Assistants } from './assistants.js';
import { Checkpoints } from './checkpoints.js';
import { Store } from './env.js';
import { Events } from './events.js';
import { Items } from './items.js';
import { Remover } from './remover.js';
import { Runs } from './runs.js';
import { Seal } from './seal.js';
import { ThreadLists } from './thread-lists.js';
import { ThreadMoves } from './thread-moves.js';
import { Threads } from './threads.js';

/** All nouns over one data folder. */
export interface Nouns {
  store: Store;
  seal: Seal;
  assistants: Assistants;
  threads: Threads;
  threadLists: ThreadLists;
  runs: Runs;
  checkpoints: Checkpoints;
  events: Events;
  items: Items;
  remover: Remover;
}

export function openNouns(folder: string, sealKey: string | undefined): Nouns {
  const store = Store.open(folder);
  const events = new Events(store);
  const moves = new ThreadMoves();
  const threads = new Threads(store, moves);
  return {
    store,
    seal: new Seal(folder, sealKey),
    assistants: new Assistants(store),
    threads,
    threadLists: new ThreadLists(store, threads, moves),
    runs: new Runs(store),
    checkpoints: new Checkpoints(store),
    events,
    items: new Items(store),
    remover: new Remover(store, events),
  };
}
