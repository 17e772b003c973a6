import type { Clock } from '../base/clock.js';
import type { Ids } from '../base/ids.js';
import type { Logger } from '../base/log.js';
import type { Nouns } from '../store/index.js';
import type { Access } from './access.js';
import type { Edits } from './edits.js';
import type { CronTable } from './cron-table.js';
import type { Evaluation } from './evaluation/context.js';
import type { Quotas } from './quotas.js';
import type { Scheduler } from './scheduler.js';
import type { ThreadTtl } from '../store/threads.js';
import type { ThreadTable } from './thread-table.js';
import type { Webhooks } from './webhooks.js';

/** What the services stand on, built once in server.ts. */
export interface Services {
  nouns: Nouns;
  threads: ThreadTable;
  scheduler: Scheduler;
  edits: Edits;
  access: Access;
  quotas: Quotas;
  crons: CronTable;
  webhooks: Webhooks;
  evaluation: Evaluation;
  clock: Clock;
  ids: Ids;
  log: Logger;
  /** How long threads are kept that come without a word about it; null: for ever. */
  defaultTtl: ThreadTtl | null;
  /** Ids of the configured graphs. */
  graphIds: ReadonlySet<string>;
}
