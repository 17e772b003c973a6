import type { Feature } from '../../domain/features.js';
import type { Metrics } from '../monitoring/metrics.js';

/** The parts of a server's configuration that decide on its routes. */
export interface RouteConfig {
  disabled: ReadonlySet<Feature>;
  mountPrefix: string;
  /** Size limit of the body of a request that starts a run. */
  bodyBytesMax: number;
  /** Provides /metrics. */
  metrics: () => Pick<Metrics, 'text' | 'json'>;
}
