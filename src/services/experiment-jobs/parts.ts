import type { JsonObject } from '../../base/json/json.js';
import type { Logger } from '../../base/log/log.js';
import type { UserCodePool } from '../../pool/user-code/user-code-pool.js';
import type { Needs } from '../context.js';
import type { TraceRecorder } from '../traces/trace-recorder.js';

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
  traces: TraceRecorder;
  log: Logger;
}

/** An example in the format of the API. */
export interface ExampleJson extends JsonObject {
  id: string;
  inputs: unknown;
}
