import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log/log.js';
import type { Stores } from '../../store/stores.js';
import type { Access } from '../access/access.js';
import type { EvaluationContext } from '../evaluation/context.js';
import type { Webhooks } from '../webhooks/webhooks.js';

/** What alerts depend on. */
export interface AlertParts {
  evaluation: EvaluationContext;
  webhooks: Webhooks;
  access: Access;
  stores: Stores;
  clock: Clock;
  log: Logger;
  /** Address of the console in webhooks; null when it is off. Known when the server listens. */
  consoleUrl: () => string | null;
}
