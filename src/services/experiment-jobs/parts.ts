import type { JsonObject } from '../../base/json/json.js';
import type { Logger } from '../../base/log/log.js';
import type { UserCodePool } from '../../pool/user-code/user-code-pool.js';
import type { Needs } from '../context.js';
import type { HeldTraces } from '../traces/held-traces.js';

/** What running experiments depends on. */
export interface ExperimentJobParts {
  services: Needs<
    | 'access'
    | 'clock'
    | 'defaultTtl'
    | 'evaluation'
    | 'graphIds'
    | 'ids'
    | 'quotas'
    | 'scheduler'
    | 'stores'
    | 'threads'
    | 'webhooks'
  >;
  userCode: UserCodePool;
  heldTraces: HeldTraces;
  log: Logger;
}

/** An example in the format of the API. */
export interface ExampleJson extends JsonObject {
  id: string;
  inputs: unknown;
}
