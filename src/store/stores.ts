import { Assistants } from './assistants.js';
import { Checkpoints } from './threads/checkpoints.js';
import { Store } from './store.js';
import { CodeVersions } from './code-versions.js';
import { Events } from './runs/events.js';
import { FeedbackTokens } from './evaluation/feedback-tokens.js';
import { History } from './history.js';
import { ItemLists } from './items/item-lists.js';
import { ITEM_DEFAULTS, Items, type ItemOptions } from './items/items.js';
import { Remover } from './remover.js';
import { StateProfiles } from './state-profiles.js';
import { Runs } from './runs/runs.js';
import { sealKeyOfStore } from './encryption/imported-seal-key.js';
import { openSealKey, Seal } from './encryption/seal.js';
import { ContentTexts } from './threads/content-texts.js';
import { ThreadChanges } from './threads/thread-changes.js';
import { ThreadLists } from './threads/thread-lists.js';
import { ThreadMoves } from './threads/thread-moves.js';
import { Threads } from './threads/threads.js';
import { Webhooks } from './webhooks.js';

/** All record stores over one data folder. */
export interface Stores {
  store: Store;
  seal: Seal;
  assistants: Assistants;
  threads: Threads;
  changes: ThreadChanges;
  threadLists: ThreadLists;
  runs: Runs;
  checkpoints: Checkpoints;
  contentTexts: ContentTexts;
  events: Events;
  items: Items;
  itemLists: ItemLists;
  webhooks: Webhooks;
  feedbackTokens: FeedbackTokens;
  history: History;
  codeVersions: CodeVersions;
  stateProfiles: StateProfiles;
  remover: Remover;
}

export function openStores(
  folder: string,
  sealKey: string | undefined,
  itemOptions: ItemOptions = ITEM_DEFAULTS,
  encryptionKey: Uint8Array | null = null,
): Stores {
  return storesFor(Store.open(folder, encryptionKey), sealKey, itemOptions);
}

/** The same over a store that is already open. */
export function storesFor(store: Store, sealKey: string | undefined, itemOptions: ItemOptions = ITEM_DEFAULTS): Stores {
  const events = new Events(store);
  const items = new Items(store, itemOptions);
  const webhooks = new Webhooks(store);
  const moves = new ThreadMoves();
  const threads = new Threads(store, moves);
  const seal = new Seal(sealKeyOfStore(store, openSealKey(store.folder, sealKey)));
  const feedbackTokens = new FeedbackTokens(store, seal);
  return {
    store,
    seal,
    assistants: new Assistants(store),
    threads,
    changes: new ThreadChanges(store),
    threadLists: new ThreadLists(store, threads, moves),
    runs: new Runs(store),
    checkpoints: new Checkpoints(store),
    contentTexts: new ContentTexts(),
    events,
    items,
    itemLists: new ItemLists(store, items),
    webhooks,
    feedbackTokens,
    history: new History(store),
    codeVersions: new CodeVersions(store),
    stateProfiles: new StateProfiles(store),
    remover: new Remover(store, { events, items, webhooks, feedbackTokens }),
  };
}
