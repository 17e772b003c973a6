import type { Clock } from '../base/clock.js';
import type { Ids } from '../base/ids.js';
import type { Logger } from '../base/log.js';
import type { Nouns } from '../store/index.js';
import type { Access } from './access.js';
import type { Evaluation } from './evaluation/context.js';
import type { Quotas } from './quotas.js';
import type { Scheduler } from './scheduler.js';
import type { ThreadTable } from './thread-table.js';
import type { Turns } from './turns.js';

/** What the services stand on, built once in server.ts. */
export interface Services {
  nouns: Nouns;
  threads: ThreadTable;
  scheduler: Scheduler;
  turns: Turns;
  access: Access;
  quotas: Quotas;
  evaluation: Evaluation;
  clock: Clock;
  ids: Ids;
  log: Logger;
  /** Ids of the configured graphs. */
  graphIds: ReadonlySet<string>;
}
