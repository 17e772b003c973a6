import type { Clock } from '../base/clock.js';
import type { Feature } from '../domain/features.js';
import type { HeaderPredicate } from '../domain/header-predicate.js';
import type { Ids } from '../base/ids.js';
import type { Logger } from '../base/log/log.js';
import type { Spans } from '../base/spans.js';
import type { UiBundles } from '../pool/user-code/ui-builder.js';
import type { ApiKeys } from '../store/access/api-keys.js';
import type { Stores } from '../store/stores.js';
import type { Access } from './access/access.js';
import type { Alerts } from './alerts/alerts.js';
import type { ScheduledBackups } from './backups/scheduled-backups.js';
import type { ClusterControl } from './cluster/cluster-control.js';
import type { CodeDeployer } from './code/code-deployer.js';
import type { CodeRegistry } from './code/code-registry.js';
import type { StateEditor } from './state/state-editor.js';
import type { CronTable } from './crons/cron-table.js';
import type { EvaluationContext } from './evaluation/context.js';
import type { ExperimentRunner } from './experiment-jobs/experiment-runner.js';
import type { FeedbackUrls } from './evaluation/feedback-urls.js';
import type { ThreadStats } from './thread-stats.js';
import type { GraphInspector } from './assistants/graph-inspector.js';
import type { RuleBook } from './rules/rule-book.js';
import type { Audit } from './access/audit.js';
import type { SignIn } from './access/sign-in.js';
import type { Quotas } from './access/quotas.js';
import type { RunCounts } from './runs/run-counts.js';
import type { Scheduler } from './runs/scheduler.js';
import type { ThreadTtl } from '../store/threads/threads.js';
import type { StateBudgets } from './threads/state-budgets.js';
import type { ThreadEvents } from './threads/thread-events.js';
import type { ThreadTable } from './threads/thread-table.js';
import type { Webhooks } from './webhooks/webhooks.js';
import type { TimeSlicer } from './time-slicer.js';

/** Everything that operations can depend on; built once in server/server.ts. */
export interface Services {
  stores: Stores;
  threads: ThreadTable;
  scheduler: Scheduler;
  stateEditor: StateEditor;
  threadEvents: ThreadEvents;
  timeSlicer: TimeSlicer;
  access: Access;
  apiKeys: ApiKeys;
  audit: Audit;
  /** Null: people cannot sign in. */
  signIn: SignIn | null;
  quotas: Quotas;
  /** Null: none are made on a schedule. */
  scheduledBackups: ScheduledBackups | null;
  /** Null: threads may grow without limit. */
  stateBudgets: StateBudgets | null;
  /** Null in a cluster, whose nodes are replaced instead. */
  deployer: CodeDeployer | null;
  crons: CronTable;
  webhooks: Webhooks;
  evaluation: EvaluationContext;
  experimentJobs: ExperimentRunner;
  rules: RuleBook;
  alerts: Alerts;
  feedback: FeedbackUrls;
  counts: RunCounts;
  threadStats: ThreadStats;
  graphs: GraphInspector;
  clock: Clock;
  ids: Ids;
  log: Logger;
  /** Null without a cluster. */
  cluster: ClusterControl | null;
  /** Time to live of threads that are created without one; null: they never expire. */
  defaultTtl: ThreadTtl | null;
  /** Null when tracing is off. */
  spans: Spans | null;
  /** Versions of the graphs' code. */
  code: CodeRegistry;
  /** Ids of the configured graphs. */
  graphIds: Set<string>;
  /** The copy of LangGraph that graphs run with; null when it states no version. */
  library: { version: string | null };
  /** UI components; `dev` replaces them when a file changes. */
  ui: { bundles: UiBundles };
  /** Groups of routes that `http.disable_…` turns off. */
  disabled: ReadonlySet<Feature>;
  /** Selects the request headers that runs read in `configurable`. */
  configurableHeaders: HeaderPredicate | null;
}

/** What an operation depends on: the named members of `Services`. */
export type Needs<K extends keyof Services> = Pick<Services, K>;
