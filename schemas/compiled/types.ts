// Made by schemas/build.ts from schemas/**/*.json. Run `npm run schemas` after a change there.

/**
 * A JSON-RPC 2.0 request of the Agent2Agent protocol. Errors are JSON-RPC errors, so this schema does not validate the request.
 */
export interface A2AMessage {
  [k: string]: unknown;
}

/**
 * The assistant of the agent card.
 */
export interface CardQuery {
  /**
   * Id of an assistant, or the name of a graph.
   */
  assistant_id: string;
}

/**
 * A JSON-RPC 2.0 message of the Model Context Protocol, or a list of messages in its version 2025-03-26. Errors are JSON-RPC errors, so this schema does not validate the message.
 */
export interface McpMessage {
  [k: string]: unknown;
}

/**
 * A condition whose present value is computed.
 */
export interface AlertCondition {
  /**
   * Id of the project whose runs are looked at. Null or missing: the projects of all assistants.
   */
  project_id?: string | null;
  /**
   * Only runs that match, in the filter language of runs.
   */
  filter?: string | null;
  /**
   * Only runs of traces in which any step matches.
   */
  tree_filter?: string | null;
  /**
   * True (default): whole traces. False: the steps inside of traces.
   */
  is_root?: boolean;
  /**
   * Rates are from 0 to 1, latencies in seconds, costs in US dollars.
   */
  metric:
    | 'run_count'
    | 'error_count'
    | 'error_rate'
    | 'latency_p50'
    | 'latency_p95'
    | 'latency_p99'
    | 'first_token_p50'
    | 'first_token_p95'
    | 'first_token_p99'
    | 'total_tokens'
    | 'total_cost'
    | 'feedback_score';
  /**
   * The key whose scores are averaged, for the metric feedback_score only.
   */
  feedback_key?: string | null;
  /**
   * Runs that started within this time are looked at: a minute to seven days.
   */
  window_seconds: number;
  operator: 'above' | 'below';
  threshold: number;
  /**
   * With fewer runs in the window, the alert has no data. Default 0.
   */
  minimum_runs?: number;
}

/**
 * A condition on runs that the server checks about once a minute.
 */
export interface AlertCreate {
  name: string;
  /**
   * Id of the project whose runs are looked at. Null or missing: the projects of all assistants.
   */
  project_id?: string | null;
  /**
   * Only runs that match, in the filter language of runs.
   */
  filter?: string | null;
  /**
   * Only runs of traces in which any step matches.
   */
  tree_filter?: string | null;
  /**
   * True (default): whole traces. False: the steps inside of traces.
   */
  is_root?: boolean;
  /**
   * Rates are from 0 to 1, latencies in seconds, costs in US dollars.
   */
  metric:
    | 'run_count'
    | 'error_count'
    | 'error_rate'
    | 'latency_p50'
    | 'latency_p95'
    | 'latency_p99'
    | 'first_token_p50'
    | 'first_token_p95'
    | 'first_token_p99'
    | 'total_tokens'
    | 'total_cost'
    | 'feedback_score';
  /**
   * The key whose scores are averaged, for the metric feedback_score only.
   */
  feedback_key?: string | null;
  /**
   * Runs that started within this time are looked at: a minute to seven days.
   */
  window_seconds: number;
  operator: 'above' | 'below';
  threshold: number;
  /**
   * With fewer runs in the window, the alert has no data. Default 0.
   */
  minimum_runs?: number;
  /**
   * Is called when the state changes.
   */
  webhook?: {
    url: string;
    /**
     * Sent with each call. They are not returned. A change that keeps the URL and has no headers keeps them.
     */
    headers?: {
      [k: string]: string;
    };
  } | null;
  /**
   * The webhook is called again after this time while the alert is firing. Null (default): never.
   */
  repeat_seconds?: number | null;
  /**
   * Default true. A disabled alert is not checked.
   */
  is_enabled?: boolean;
  metadata?: {
    [k: string]: unknown;
  } | null;
}

/**
 * Alerts to return.
 */
export interface AlertListQuery {
  state?: 'ok' | 'firing' | 'no_data' | 'error';
  project_id?: string;
}

/**
 * Fields that are given are changed.
 */
export interface AlertPatch {
  name?: string;
  /**
   * Id of the project whose runs are looked at. Null or missing: the projects of all assistants.
   */
  project_id?: string | null;
  /**
   * Only runs that match, in the filter language of runs.
   */
  filter?: string | null;
  /**
   * Only runs of traces in which any step matches.
   */
  tree_filter?: string | null;
  /**
   * True (default): whole traces. False: the steps inside of traces.
   */
  is_root?: boolean;
  /**
   * Rates are from 0 to 1, latencies in seconds, costs in US dollars.
   */
  metric?:
    | 'run_count'
    | 'error_count'
    | 'error_rate'
    | 'latency_p50'
    | 'latency_p95'
    | 'latency_p99'
    | 'first_token_p50'
    | 'first_token_p95'
    | 'first_token_p99'
    | 'total_tokens'
    | 'total_cost'
    | 'feedback_score';
  /**
   * The key whose scores are averaged, for the metric feedback_score only.
   */
  feedback_key?: string | null;
  /**
   * Runs that started within this time are looked at: a minute to seven days.
   */
  window_seconds?: number;
  operator?: 'above' | 'below';
  threshold?: number;
  /**
   * With fewer runs in the window, the alert has no data. Default 0.
   */
  minimum_runs?: number;
  /**
   * Is called when the state changes.
   */
  webhook?: {
    url: string;
    /**
     * Sent with each call. They are not returned. A change that keeps the URL and has no headers keeps them.
     */
    headers?: {
      [k: string]: string;
    };
  } | null;
  /**
   * The webhook is called again after this time while the alert is firing. Null (default): never.
   */
  repeat_seconds?: number | null;
  /**
   * Default true. A disabled alert is not checked.
   */
  is_enabled?: boolean;
  metadata?: {
    [k: string]: unknown;
  } | null;
}

/**
 * Whether the check also calls the webhook.
 */
export interface AlertTest {
  /**
   * Default false.
   */
  send_webhook?: boolean;
}

/**
 * Assistants to count.
 */
export interface AssistantCount {
  /**
   * The assistant's metadata must contain this.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  graph_id?: string | null;
  /**
   * Part of the name, ignoring case.
   */
  name?: string | null;
  [k: string]: unknown;
}

/**
 * A new assistant: a graph with a configuration.
 */
export interface AssistantCreate {
  /**
   * A graph of langgraph.json.
   */
  graph_id: string;
  assistant_id?: null | string;
  /**
   * Configuration of its runs. The configuration of a run overrides it.
   */
  config?: {
    tags?: null | string[];
    recursion_limit?: number | null;
    configurable?: {
      [k: string]: unknown;
    } | null;
    metadata?: {
      [k: string]: unknown;
    } | null;
    [k: string]: unknown;
  } | null;
  /**
   * Static context of its runs. The context of a run is merged into it.
   */
  context?: {
    [k: string]: unknown;
  } | null;
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Default raise.
   */
  if_exists?: 'raise' | 'do_nothing' | null;
  /**
   * Default Untitled.
   */
  name?: string | null;
  description?: string | null;
  [k: string]: unknown;
}

/**
 * What to delete together with an assistant.
 */
export interface AssistantDeleteQuery {
  /**
   * Also delete threads whose metadata.assistant_id is this assistant, if the caller may delete them.
   */
  delete_threads?: boolean;
}

/**
 * The same in the query string, for clients that send it there.
 */
export interface AssistantLatestQuery {
  version?: number;
}

/**
 * The version to activate.
 */
export interface AssistantLatest {
  version?: number | null;
  [k: string]: unknown;
}

/**
 * Changes to an assistant. Every patch creates a new version, even an empty one.
 */
export interface AssistantPatch {
  graph_id?: null | string;
  /**
   * Configuration of its runs. The configuration of a run overrides it.
   */
  config?: {
    tags?: null | string[];
    recursion_limit?: number | null;
    configurable?: {
      [k: string]: unknown;
    } | null;
    metadata?: {
      [k: string]: unknown;
    } | null;
    [k: string]: unknown;
  } | null;
  context?: {
    [k: string]: unknown;
  } | null;
  /**
   * Merged into the existing metadata.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  name?: string | null;
  description?: string | null;
  [k: string]: unknown;
}

/**
 * Assistants to return, and their order.
 */
export interface AssistantSearch {
  /**
   * The assistant's metadata must contain this.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  graph_id?: string | null;
  /**
   * Part of the name, ignoring case.
   */
  name?: string | null;
  limit?: number | null;
  offset?: number | null;
  /**
   * Default created_at.
   */
  sort_by?: 'assistant_id' | 'created_at' | 'updated_at' | 'name' | 'graph_id' | null;
  /**
   * Default desc.
   */
  sort_order?: 'asc' | 'desc' | null;
  /**
   * Fields to return. Default all.
   */
  select?:
    | null
    | (
        | 'assistant_id'
        | 'graph_id'
        | 'name'
        | 'description'
        | 'config'
        | 'context'
        | 'created_at'
        | 'updated_at'
        | 'metadata'
        | 'version'
      )[];
  [k: string]: unknown;
}

/**
 * Versions of an assistant to return, newest first.
 */
export interface AssistantVersions {
  /**
   * The version's metadata must contain this.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  limit?: number | null;
  offset?: number | null;
  [k: string]: unknown;
}

/**
 * How to draw a graph.
 */
export interface GraphQuery {
  /**
   * Whether to expand subgraphs: all of them, or down to this depth.
   */
  xray?: number | boolean;
}

/**
 * Subgraphs to return.
 */
export interface SubgraphsQuery {
  /**
   * Includes nested subgraphs, under names such as parent|child.
   */
  recurse?: boolean;
}

/**
 * Path parameter.
 */
export interface AlertParams {
  alert_id: string;
}

/**
 * Path parameter of an assistant: its id or the name of a graph.
 */
export interface AssistantParams {
  assistant_id: string;
}

/**
 * Path parameter.
 */
export interface AttachmentParams {
  token: string;
}

/**
 * Path parameters of a checkpoint of a thread.
 */
export interface CheckpointParams {
  thread_id: string;
  checkpoint_id: string;
}

/**
 * Path parameter.
 */
export interface ComparativeParams {
  comparative_experiment_id: string;
}

/**
 * Path parameter.
 */
export interface ConversationParams {
  thread_id: string;
}

/**
 * Path parameter of a cron.
 */
export interface CronParams {
  cron_id: string;
}

/**
 * Path parameters.
 */
export interface DatasetExampleParams {
  dataset_id: string;
  example_id: string;
}

/**
 * Path parameter.
 */
export interface DatasetParams {
  dataset_id: string;
}

/**
 * Path parameter.
 */
export interface EvaluationRunParams {
  run_id: string;
}

/**
 * Path parameter.
 */
export interface ExampleParams {
  example_id: string;
}

/**
 * Path parameters of an experiment that the server runs.
 */
export interface ExperimentParams {
  experiment_id: string;
  [k: string]: unknown;
}

/**
 * Path parameter.
 */
export interface FeedbackParams {
  feedback_id: string;
}

/**
 * Path parameter of a run without its thread.
 */
export interface LoneRunParams {
  run_id: string;
}

/**
 * Path parameter.
 */
export interface PublicParams {
  token: string;
  runs?: string;
}

/**
 * Path parameters.
 */
export interface PublicRunParams {
  token: string;
  run_id: string;
}

/**
 * Path parameters.
 */
export interface QueueIndexParams {
  queue_id: string;
  index: string;
}

/**
 * Path parameter.
 */
export interface QueueItemIdParams {
  queue_item_id: string;
}

/**
 * Path parameter.
 */
export interface QueueItemParams {
  queue_run_id: string;
}

/**
 * Path parameters.
 */
export interface QueueItemPlaceParams {
  queue_id: string;
  item_id: string;
}

/**
 * Path parameter.
 */
export interface QueueParams {
  queue_id: string;
}

/**
 * Path parameters.
 */
export interface QueueRunParams {
  queue_id: string;
  queue_run_id: string;
}

/**
 * Path parameter.
 */
export interface RuleParams {
  rule_id: string;
}

/**
 * Path parameters of a run on a thread.
 */
export interface RunParams {
  thread_id: string;
  run_id: string;
}

/**
 * Path parameter.
 */
export interface SessionParams {
  session_id: string;
}

/**
 * Path parameters of a subgraph: an assistant and a namespace, such as parent|child.
 */
export interface SubgraphParams {
  assistant_id: string;
  namespace: string;
}

/**
 * Path parameter of a thread.
 */
export interface ThreadParams {
  thread_id: string;
}

/**
 * Path parameter.
 */
export interface TraceParams {
  trace_id: string;
}

/**
 * Crons to count.
 */
export interface CronCount {
  /**
   * Id of an assistant, or the name of a graph.
   */
  assistant_id?: string | null;
  thread_id?: null | string;
  enabled?: boolean | null;
  /**
   * The cron's metadata must contain this.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  [k: string]: unknown;
}

/**
 * A schedule and the parameters of its runs. Other fields are ignored.
 */
export interface CronCreate {
  /**
   * Id of an assistant, or the name of a graph.
   */
  assistant_id: string;
  /**
   * Five fields: minute, hour, day of the month, month, day of the week.
   */
  schedule: string;
  /**
   * IANA time zone of the schedule. Default UTC.
   */
  timezone?: string | null;
  /**
   * ISO 8601; UTC without an offset. The cron starts no runs after this time.
   */
  end_time?: string | null;
  /**
   * Default true. A disabled cron does not start runs.
   */
  enabled?: boolean | null;
  /**
   * Metadata of the cron and of each run that it starts.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * For a cron without a thread: what to do with the thread of each run when the run ends. Default delete.
   */
  on_run_completed?: 'delete' | 'keep' | null;
  /**
   * Input of the graph, any JSON. If it is null or missing, a thread with a checkpoint continues from there.
   */
  input?: {
    [k: string]: unknown;
  };
  config?: {
    tags?: null | string[];
    recursion_limit?: number | null;
    configurable?: {
      [k: string]: unknown;
    } | null;
    metadata?: {
      [k: string]: unknown;
    } | null;
    [k: string]: unknown;
  } | null;
  /**
   * Static context of the run, merged into the context of the assistant.
   */
  context?: {
    [k: string]: unknown;
  };
  webhook?: string | null;
  /**
   * "*" for all nodes, or a list of node names.
   */
  interrupt_before?: null | string | string[];
  /**
   * "*" for all nodes, or a list of node names.
   */
  interrupt_after?: null | string | string[];
  /**
   * One mode or a list. Default values.
   */
  stream_mode?:
    | null
    | (
        | 'values'
        | 'messages'
        | 'messages-tuple'
        | 'tasks'
        | 'checkpoints'
        | 'updates'
        | 'events'
        | 'debug'
        | 'custom'
        | 'tools'
      )
    | (
        | 'values'
        | 'messages'
        | 'messages-tuple'
        | 'tasks'
        | 'checkpoints'
        | 'updates'
        | 'events'
        | 'debug'
        | 'custom'
        | 'tools'
      )[];
  /**
   * Also stream events of subgraphs. Their event names include the namespace.
   */
  stream_subgraphs?: boolean | null;
  /**
   * Store the events, so that clients can reconnect with Last-Event-ID.
   */
  stream_resumable?: boolean | null;
  /**
   * When checkpoints are stored. Default async.
   */
  durability?: 'sync' | 'async' | 'exit' | null;
  /**
   * Deprecated. false is the same as durability exit.
   */
  checkpoint_during?: boolean | null;
  /**
   * What to do if the thread already has a run. Default enqueue.
   */
  multitask_strategy?: 'reject' | 'rollback' | 'interrupt' | 'enqueue' | null;
  /**
   * Feedback keys. When the run succeeds, it returns a feedback address for each key.
   */
  feedback_keys?: null | string[];
  [k: string]: unknown;
}

/**
 * Changes to a cron. Null removes an optional field.
 */
export interface CronPatch {
  /**
   * Five fields: minute, hour, day of the month, month, day of the week.
   */
  schedule?: string | null;
  /**
   * IANA time zone of the schedule. Default UTC.
   */
  timezone?: string | null;
  /**
   * ISO 8601; UTC without an offset. The cron starts no runs after this time.
   */
  end_time?: string | null;
  /**
   * Default true. A disabled cron does not start runs.
   */
  enabled?: boolean | null;
  /**
   * Metadata of the cron and of each run that it starts.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * For a cron without a thread: what to do with the thread of each run when the run ends. Default delete.
   */
  on_run_completed?: 'delete' | 'keep' | null;
  /**
   * Input of the graph, any JSON. If it is null or missing, a thread with a checkpoint continues from there.
   */
  input?: {
    [k: string]: unknown;
  };
  config?: {
    tags?: null | string[];
    recursion_limit?: number | null;
    configurable?: {
      [k: string]: unknown;
    } | null;
    metadata?: {
      [k: string]: unknown;
    } | null;
    [k: string]: unknown;
  } | null;
  /**
   * Static context of the run, merged into the context of the assistant.
   */
  context?: {
    [k: string]: unknown;
  };
  webhook?: string | null;
  /**
   * "*" for all nodes, or a list of node names.
   */
  interrupt_before?: null | string | string[];
  /**
   * "*" for all nodes, or a list of node names.
   */
  interrupt_after?: null | string | string[];
  /**
   * One mode or a list. Default values.
   */
  stream_mode?:
    | null
    | (
        | 'values'
        | 'messages'
        | 'messages-tuple'
        | 'tasks'
        | 'checkpoints'
        | 'updates'
        | 'events'
        | 'debug'
        | 'custom'
        | 'tools'
      )
    | (
        | 'values'
        | 'messages'
        | 'messages-tuple'
        | 'tasks'
        | 'checkpoints'
        | 'updates'
        | 'events'
        | 'debug'
        | 'custom'
        | 'tools'
      )[];
  /**
   * Also stream events of subgraphs. Their event names include the namespace.
   */
  stream_subgraphs?: boolean | null;
  /**
   * Store the events, so that clients can reconnect with Last-Event-ID.
   */
  stream_resumable?: boolean | null;
  /**
   * When checkpoints are stored. Default async.
   */
  durability?: 'sync' | 'async' | 'exit' | null;
  /**
   * Deprecated. false is the same as durability exit.
   */
  checkpoint_during?: boolean | null;
  /**
   * Cannot be changed.
   */
  assistant_id?: string | null;
  /**
   * Cannot be changed.
   */
  multitask_strategy?: string | null;
  /**
   * Feedback keys. When the run succeeds, it returns a feedback address for each key.
   */
  feedback_keys?: null | string[];
  [k: string]: unknown;
}

/**
 * Crons to return, and their order.
 */
export interface CronSearch {
  /**
   * Id of an assistant, or the name of a graph.
   */
  assistant_id?: string | null;
  thread_id?: null | string;
  enabled?: boolean | null;
  /**
   * The cron's metadata must contain this.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  limit?: number | null;
  offset?: number | null;
  /**
   * Default created_at. Records without a value come first, or last in descending order.
   */
  sort_by?:
    'cron_id' | 'assistant_id' | 'thread_id' | 'next_run_date' | 'end_time' | 'created_at' | 'updated_at' | null;
  /**
   * Default desc.
   */
  sort_order?: 'asc' | 'desc' | null;
  select?:
    | null
    | (
        | 'cron_id'
        | 'assistant_id'
        | 'thread_id'
        | 'on_run_completed'
        | 'end_time'
        | 'schedule'
        | 'timezone'
        | 'created_at'
        | 'updated_at'
        | 'user_id'
        | 'payload'
        | 'next_run_date'
        | 'metadata'
        | 'enabled'
        | 'last_run_id'
        | 'last_run_date'
        | 'last_error'
        | 'now'
      )[];
  [k: string]: unknown;
}

/**
 * A pairwise comparison of experiments.
 */
export interface ComparativeCreate {
  id?: string | null;
  /**
   * @minItems 1
   * @maxItems 1000
   */
  experiment_ids: string[];
  reference_dataset_id?: string | null;
  name?: string | null;
  description?: string | null;
  created_at?: string | null;
  modified_at?: string | null;
  extra?: {
    [k: string]: unknown;
  } | null;
}

/**
 * Pairwise comparisons of the dataset to return.
 */
export interface ComparativeListQuery {
  /**
   * @maxItems 1000
   */
  id?: string[];
  name?: string;
  name_contains?: string;
  /**
   * Number of rows to skip.
   */
  offset?: number;
  /**
   * Default 100.
   */
  limit?: number;
}

/**
 * A comparison of experiments of one dataset with a baseline, example by example.
 */
export interface ComparisonQuery {
  /**
   * Ids of experiments of this dataset.
   *
   * @minItems 1
   * @maxItems 50
   */
  experiment_ids: string[];
  /**
   * One of experiment_ids. Default the baseline of the dataset, else the first experiment.
   */
  baseline_id?: string | null;
  /**
   * The score to which `only` and `sort_by` apply. Default the first one in alphabetical order.
   */
  feedback_key?: string | null;
  /**
   * Only examples for which this is true of at least one experiment, compared with the baseline.
   */
  only?: 'improved' | 'regressed' | 'unchanged' | 'changed' | 'errors' | null;
  /**
   * difference: largest regression first. latency: largest slowdown first.
   */
  sort_by?: 'example' | 'difference' | 'latency' | null;
  sort_order?: 'asc' | 'desc' | null;
  /**
   * Examples whose inputs or outputs contain all of these texts, ignoring case.
   */
  full_text_contains?: null | string[];
  /**
   * Confidence of the verdicts and intervals. Default 0.95: at most 5 % of the verdicts on experiments that do not differ are wrong.
   */
  confidence?: number | null;
  /**
   * holm: the confidence applies to all verdicts of the response together, not to each one. Default none.
   */
  correction?: 'none' | 'holm' | null;
  cursor?: string | null;
  /**
   * Number of rows to skip, as an alternative to a cursor.
   */
  offset?: number | null;
  /**
   * Returns the page of `limit` rows that contains this example, or the first page if no row does.
   */
  example_id?: string | null;
  /**
   * Default 50.
   */
  limit?: number | null;
  /**
   * Longer inputs and outputs are returned as truncated JSON text, in `inputs_preview` and `outputs_preview`. Default unlimited.
   */
  value_chars_max?: number | null;
}

/**
 * Copies examples from one dataset to another.
 */
export interface DatasetClone {
  source_dataset_id: string;
  target_dataset_id: string;
  as_of?: string | null;
  split?: null | string | string[];
  examples?: null | string[];
}

/**
 * A dataset to which examples are added one by one.
 */
export interface DatasetCreate {
  name: string;
  description?: string | null;
  data_type?: 'kv' | 'llm' | 'chat' | null;
  inputs_schema_definition?: {
    [k: string]: unknown;
  } | null;
  outputs_schema_definition?: {
    [k: string]: unknown;
  } | null;
  externally_managed?: boolean | null;
  transformations?: unknown[] | null;
  /**
   * UUID. Generated by default.
   */
  id?: string | null;
  created_at?: string | null;
  /**
   * Its `metadata` becomes the metadata of the dataset.
   */
  extra?: {
    [k: string]: unknown;
  } | null;
  metadata?: {
    [k: string]: unknown;
  } | null;
}

/**
 * A dataset as a file.
 */
export interface DatasetExportQuery {
  /**
   * jsonl is complete and can be imported. csv is flat, for spreadsheets.
   */
  format?: 'jsonl' | 'csv';
  /**
   * A time or a tag. Default latest.
   */
  as_of?: string;
}

/**
 * A dataset as a file in one format.
 */
export interface DatasetFileQuery {
  /**
   * A time or a tag. Default latest.
   */
  as_of?: string;
}

/**
 * Datasets to return, and their order.
 */
export interface DatasetListV2Query {
  /**
   * @maxItems 1000
   */
  id?: string[];
  name?: string;
  name_contains?: string;
  /**
   * @maxItems 1000
   */
  data_type?: string[];
  metadata?: {
    [k: string]: unknown;
  };
  sort_by?: 'name' | 'created_at' | 'last_session_start_time' | 'example_count' | 'session_count' | 'modified_at';
  sort_order?: 'asc' | 'desc';
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Default 100.
   */
  page_size?: number;
}

/**
 * Datasets to return, and their order.
 */
export interface DatasetListQuery {
  /**
   * @maxItems 1000
   */
  id?: string[];
  name?: string;
  name_contains?: string;
  /**
   * @maxItems 1000
   */
  data_type?: string[];
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * @maxItems 1000
   */
  exclude?: string[];
  sort_by?: 'name' | 'created_at' | 'last_session_start_time' | 'example_count' | 'session_count' | 'modified_at';
  sort_by_desc?: boolean;
  /**
   * Number of rows to skip.
   */
  offset?: number;
  /**
   * Default 100.
   */
  limit?: number;
}

/**
 * Fields that are set are changed.
 */
export interface DatasetPatch {
  name?: string | null;
  description?: string | null;
  inputs_schema_definition?: {
    [k: string]: unknown;
  } | null;
  outputs_schema_definition?: {
    [k: string]: unknown;
  } | null;
  transformations?: unknown[] | null;
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * UUID, or null for none.
   */
  baseline_experiment_id?: string | null;
}

/**
 * What the link shows.
 */
export interface DatasetShareQuery {
  /**
   * The experiments of the dataset too. Default false.
   */
  share_projects?: boolean;
}

/**
 * The first and the last version of the difference.
 */
export interface DatasetDiffQuery {
  from_version: string;
  to_version: string;
}

/**
 * Examples of a dataset with their runs in experiments.
 */
export interface ExperimentRunsQuery {
  /**
   * @minItems 1
   * @maxItems 50
   */
  experiment_ids: string[];
  /**
   * @maxItems 1000
   */
  example_ids?: string[] | null;
  /**
   * Fields of the runs in upper case, such as `INPUTS`. Default: only the id.
   *
   * @maxItems 200
   */
  selects?: string[] | null;
  /**
   * Filters of the runs, by the id of the experiment.
   */
  filters?: {
    /**
     * @maxItems 100
     */
    [k: string]: string[];
  } | null;
  sort?: {
    by?: string | null;
    order?: string | null;
  } | null;
  comparative_experiment_id?: string | null;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | null;
  /**
   * Default 100.
   */
  page_size?: number | null;
}

/**
 * Adds examples to a split, or removes them.
 */
export interface DatasetSplitsPut {
  split_name: string;
  /**
   * @maxItems 10000
   */
  examples: string[];
  remove?: boolean | null;
}

/**
 * Time or version of the data.
 */
export interface DatasetSplitsQuery {
  /**
   * A time or a tag. Default latest.
   */
  as_of?: string;
}

/**
 * Tags a version. The tag is removed from any other version.
 */
export interface DatasetTagPut {
  /**
   * Time of a version, or a tag.
   */
  as_of: string;
  tag: string;
}

/**
 * An experiment that was run elsewhere. Other fields are ignored.
 */
export interface UploadExperiment {
  /**
   * Unique among all experiments and projects.
   */
  experiment_name: string;
  experiment_description?: string | null;
  /**
   * ISO 8601 with an offset, else UTC. Stored to the microsecond.
   */
  experiment_start_time: string;
  /**
   * ISO 8601 with an offset, else UTC. Stored to the microsecond. Not before the start.
   */
  experiment_end_time: string;
  /**
   * UUID. This or dataset_name is required.
   */
  dataset_id?: string | null;
  dataset_name?: string | null;
  /**
   * Used if the dataset is created.
   */
  dataset_description?: string | null;
  experiment_metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Scores of the experiment as a whole: UploadedFeedback.
   */
  summary_experiment_scores?: unknown[] | null;
  /**
   * Rows: UploadedRow.
   */
  results: unknown[];
}

/**
 * One example of the dataset and one run of the experiment.
 */
export interface UploadedRow {
  /**
   * UUID of the example in its dataset. The same row_id in a later upload is the same example.
   */
  row_id: string;
  inputs: {
    [k: string]: unknown;
  };
  expected_outputs?: {
    [k: string]: unknown;
  } | null;
  actual_outputs?: {
    [k: string]: unknown;
  } | null;
  /**
   * Attachments of the run by name: {mime_type, data}, with base64 data, as an export writes them.
   */
  attachments?: {
    [k: string]: unknown;
  } | null;
  /**
   * Scores of the run: UploadedFeedback.
   */
  evaluation_scores?: unknown[] | null;
  /**
   * ISO 8601 with an offset, else UTC. Stored to the microsecond. Within the times of the experiment.
   */
  start_time: string;
  /**
   * ISO 8601 with an offset, else UTC. Stored to the microsecond. Within the times of the experiment, not before the start.
   */
  end_time: string;
  run_name?: string | null;
  error?: string | null;
  run_metadata?: {
    [k: string]: unknown;
  } | null;
}

/**
 * Exactly one of as_of and tag.
 */
export interface DatasetVersionQuery {
  as_of?: string;
  tag?: string;
}

/**
 * Versions to return.
 */
export interface DatasetVersionsQuery {
  search?: string;
  example?: string;
  /**
   * Number of rows to skip.
   */
  offset?: number;
  /**
   * Default 100.
   */
  limit?: number;
}

/**
 * Statistics of conversations.
 */
export interface ConversationAggregate {
  project_id: string;
  /**
   * @minItems 1
   * @maxItems 200
   */
  select: string[];
  filter?: string | null;
  trace_filter?: string | null;
  tree_filter?: string | null;
  thread_filter?: string | null;
  min_start_time?: string | null;
  max_start_time?: string | null;
}

/**
 * Conversations of a project.
 */
export interface ConversationQuery {
  project_id: string;
  filter?: string | null;
  trace_filter?: string | null;
  min_start_time?: string | null;
  max_start_time?: string | null;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | null;
  /**
   * Default 100.
   */
  page_size?: number | null;
  tree_filter?: string | null;
  thread_filter?: string | null;
  ai_search?: string | null;
}

/**
 * Statistics of a conversation.
 */
export interface ConversationStatsQuery {
  session_id: string;
  /**
   * @maxItems 1000
   */
  selects: string[];
  filter?: string;
}

/**
 * Traces of a conversation.
 */
export interface ConversationTraceListQuery {
  project_id: string;
  filter?: string;
  trace_filter?: string;
  /**
   * @maxItems 1000
   */
  selects?: string[];
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Default 100.
   */
  page_size?: number;
  tree_filter?: string;
}

/**
 * Examples of a dataset, with their runs in experiments.
 */
export interface ExampleRunsQuery {
  /**
   * @minItems 1
   * @maxItems 100
   */
  session_ids: string[];
  offset?: number | null;
  limit?: number | null;
  preview?: boolean | null;
  comparative_experiment_id?: string | null;
  sort_params?: null | {
    sort_by: string;
    sort_order?: 'ASC' | 'DESC' | 'asc' | 'desc' | null;
    [k: string]: unknown;
  };
  filters?: null | {
    [k: string]: null | string[];
  };
  example_ids?: null | string[];
}

/**
 * Runs to return. Default: all of the trace.
 */
export interface PublicRunQuery {
  /**
   * @maxItems 1000
   */
  id?: string[] | null;
}

/**
 * Fields to return.
 */
export interface PublicSelectQuery {
  /**
   * @maxItems 200
   */
  selects?: string[];
  start_time?: string;
}

/**
 * The runs of a project as JSON lines.
 */
export interface RunExportQuery {
  /**
   * Only runs that match, in the filter language.
   */
  filter?: string;
  /**
   * Only runs of traces whose root matches.
   */
  trace_filter?: string;
  /**
   * Only runs of traces that have a matching run.
   */
  tree_filter?: string;
  /**
   * Only runs that started then or later. ISO 8601.
   */
  start_time?: string;
  /**
   * Only runs that started then or before. ISO 8601.
   */
  end_time?: string;
}

/**
 * Project of the run, and the fields to return.
 */
export interface RunGetV2Query {
  project_id: string;
  /**
   * @maxItems 1000
   */
  selects?: string[];
  start_time?: string;
}

/**
 * Conversations of a project.
 */
export interface RunGroupQuery {
  session_id: string;
  group_by: 'conversation';
  filter?: string | null;
  start_time?: string | null;
  end_time?: string | null;
  offset?: number | null;
  /**
   * Default 10.
   */
  limit?: number | null;
}

/**
 * Where imported runs are stored.
 */
export interface RunImportQuery {
  /**
   * Name of the project, in the place of the names in the lines.
   */
  project?: string;
}

/**
 * One run of a trace, complete or in part. Other fields are ignored.
 */
export interface RunIngest {
  id?: string | null;
  name?: string | null;
  run_type?: string | null;
  /**
   * ISO 8601, or milliseconds since 1970.
   */
  start_time?: string | number | null;
  end_time?: string | number | null;
  trace_id?: string | null;
  parent_run_id?: string | null;
  dotted_order?: string | null;
  session_id?: string | null;
  session_name?: string | null;
  reference_example_id?: string | null;
  error?: string | null;
  tags?: null | string[];
  inputs?: {
    [k: string]: unknown;
  } | null;
  outputs?: {
    [k: string]: unknown;
  } | null;
  extra?: {
    [k: string]: unknown;
  } | null;
  events?: unknown[] | null;
  serialized?: {
    [k: string]: unknown;
  } | null;
}

/**
 * Runs of projects, or of all experiments of a dataset.
 */
export interface RunQueryV2 {
  /**
   * @maxItems 1000
   */
  project_ids?: string[] | null;
  reference_dataset_id?: string | null;
  /**
   * @maxItems 10000
   */
  ids?: string[] | null;
  trace_id?: string | null;
  is_root?: boolean | null;
  has_error?: boolean | null;
  run_type?: string | null;
  /**
   * @maxItems 10000
   */
  reference_examples?: string[] | null;
  filter?: string | null;
  trace_filter?: string | null;
  tree_filter?: string | null;
  min_start_time?: string | null;
  max_start_time?: string | null;
  /**
   * Fields of the runs in upper case, such as `INPUTS`. Default: only the id.
   *
   * @maxItems 200
   */
  selects?: string[] | null;
  sort_order?: string | null;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | null;
  /**
   * Default 100.
   */
  page_size?: number | null;
  ai_search?: string | null;
  min_feedback_modified_at?: string | null;
  max_feedback_modified_at?: string | null;
}

/**
 * Runs of traces to return. If ids are given, other conditions are ignored.
 */
export interface RunQuery {
  id?: null | string[] | string;
  trace?: string | null;
  parent_run?: string | null;
  run_type?: string | null;
  session?: null | string[] | string;
  reference_example?: null | string[] | string;
  execution_order?: number | null;
  start_time?: string | number | null;
  end_time?: string | number | null;
  error?: boolean | null;
  query?: string | null;
  filter?: string | null;
  trace_filter?: string | null;
  tree_filter?: string | null;
  is_root?: boolean | null;
  select?: null | string[];
  order?: 'asc' | 'desc' | null;
  cursor?: string | null;
  /**
   * At most 100 per response.
   */
  limit?: number | null;
}

/**
 * Which runs are counted over time, and how.
 */
export interface RunSeriesQuery {
  /**
   * Ids of projects.
   *
   * @minItems 1
   * @maxItems 100
   */
  session: string[];
  start_time: string;
  /**
   * Exclusive. Null: now.
   */
  end_time?: string | null;
  /**
   * Length of an interval. Null: one that makes at most 60 of them.
   */
  interval_seconds?: number | null;
  /**
   * Null: all runs.
   */
  is_root?: boolean | null;
  filter?: string | null;
  trace_filter?: string | null;
  tree_filter?: string | null;
  /**
   * A text in the name, inputs, outputs or error.
   */
  query?: string | null;
  /**
   * A field of runs, or metadata.<key>. The most frequent values have series of their own.
   */
  group_by?: string | null;
  max_groups?: number;
}

/**
 * A share of a run.
 */
export interface RunShare {
  /**
   * UUID in the link. Default: a random one.
   */
  share_token?: string | null;
}

/**
 * Ids of the runs.
 */
export interface RunStatsQuery {
  id?: null | string[] | string;
  trace?: string | null;
  parent_run?: string | null;
  run_type?: string | null;
  session?: null | string[] | string;
  reference_example?: null | string[] | string;
  execution_order?: number | null;
  start_time?: string | number | null;
  end_time?: string | number | null;
  error?: boolean | null;
  query?: string | null;
  filter?: string | null;
  trace_filter?: string | null;
  tree_filter?: string | null;
  is_root?: boolean | null;
  select?: null | string[];
}

/**
 * Project and trace of the run.
 */
export interface RunUrlQuery {
  project_id: string;
  trace_id?: string;
  start_time?: string;
}

/**
 * Experiments to compare with a baseline, by one feedback key.
 */
export interface RunsDeltaQuery {
  baseline_session_id: string;
  /**
   * @maxItems 100
   */
  comparison_session_ids: string[];
  feedback_key: string;
  filters?: null | {
    [k: string]: unknown;
  };
  offset?: number | null;
  limit?: number | null;
}

/**
 * Traces of a project.
 */
export interface TraceQuery {
  project_id: string;
  /**
   * @maxItems 10000
   */
  trace_ids?: string[] | null;
  trace_filter?: string | null;
  tree_filter?: string | null;
  min_start_time?: string | null;
  max_start_time?: string | null;
  /**
   * Fields of the root runs in upper case, such as `INPUTS`. Default: only the id.
   *
   * @maxItems 200
   */
  selects?: string[] | null;
  ai_search?: string | null;
  min_feedback_modified_at?: string | null;
  max_feedback_modified_at?: string | null;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | null;
  /**
   * Default 100.
   */
  page_size?: number | null;
}

/**
 * Runs of a trace.
 */
export interface TraceRunListQuery {
  project_id: string;
  filter?: string;
  /**
   * @maxItems 1000
   */
  selects?: string[];
  min_start_time?: string;
  max_start_time?: string;
}

/**
 * Selection of examples.
 */
export interface ExampleCountQuery {
  dataset?: string;
  /**
   * @maxItems 10000
   */
  id?: string[];
  /**
   * A time or a tag. Default latest.
   */
  as_of?: string;
  /**
   * @maxItems 1000
   */
  splits?: string[];
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * @maxItems 1000
   */
  full_text_contains?: string[];
  filter?: string;
}

/**
 * Selection of examples.
 */
export interface ExampleDeleteQuery {
  /**
   * @maxItems 10000
   */
  example_ids: string[];
}

/**
 * Examples to delete, and whether to delete their older versions too.
 */
export interface ExampleHardDelete {
  /**
   * @maxItems 10000
   */
  example_ids: string[];
  hard_delete?: boolean | null;
}

/**
 * Examples to return, and their order.
 */
export interface ExampleListQuery {
  dataset?: string;
  /**
   * @maxItems 10000
   */
  id?: string[];
  /**
   * A time or a tag. Default latest.
   */
  as_of?: string;
  /**
   * @maxItems 1000
   */
  splits?: string[];
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * @maxItems 1000
   */
  full_text_contains?: string[];
  filter?: string;
  /**
   * @maxItems 1000
   */
  select?: string[];
  /**
   * Only the fields in select, and the id.
   */
  exclude_default_fields?: boolean;
  order?: 'recent' | 'random' | 'recently_created' | 'id';
  random_seed?: number;
  descending?: boolean;
  /**
   * Number of rows to skip.
   */
  offset?: number;
  /**
   * Default 100.
   */
  limit?: number;
}

/**
 * Operations on the metadata of examples, applied in order.
 */
export interface ExampleMetadataPatch {
  /**
   * @maxItems 10000
   */
  example_ids: string[];
  /**
   * @maxItems 50
   */
  operations: {
    key: string;
    /**
     * set, array_add or array_remove, ignoring case.
     */
    operation: string;
    value?: unknown;
    values?: unknown[] | null;
    [k: string]: unknown;
  }[];
}

/**
 * One example.
 */
export interface ExampleQuery {
  /**
   * A time or a tag. Default latest.
   */
  as_of?: string;
  dataset?: string;
}

/**
 * An example, complete or in part. Null leaves a field unchanged.
 */
export interface ExampleWrite {
  id?: string | null;
  dataset_id?: string | null;
  inputs?: {
    [k: string]: unknown;
  } | null;
  outputs?: {
    [k: string]: unknown;
  } | null;
  metadata?: {
    [k: string]: unknown;
  } | null;
  split?: null | string | string[];
  source_run_id?: string | null;
  created_at?: string | number | null;
  use_source_run_io?: boolean | null;
  /**
   * Names of the attachments of the source run to copy.
   */
  use_source_run_attachments?: string[] | null;
  /**
   * By name: {mime_type, data}, with base64 data, as an export writes them.
   */
  attachments?: {
    [k: string]: unknown;
  } | null;
  /**
   * In a change: the attachments to keep, under their names or under new ones. Without it, all are kept.
   */
  attachments_operations?: {
    retain?: string[] | null;
    rename?: {
      [k: string]: string;
    } | null;
  } | null;
  name?: string | null;
}

/**
 * Runs of traces to add to a dataset: named ones, those of threads, or those that a filter finds.
 */
export interface ExamplesFromRuns {
  /**
   * Ids of runs or of their steps, or objects with an id and edited inputs or outputs.
   *
   * @minItems 1
   * @maxItems 1000
   */
  runs?:
    | (
        | string
        | {
            id: string;
            /**
             * Instead of the inputs of the run. Null: those of the run.
             */
            inputs?: {
              [k: string]: unknown;
            } | null;
            /**
             * Instead of the outputs of the run. Null: no expected outputs. Left out: those of the run.
             */
            outputs?: {
              [k: string]: unknown;
            } | null;
          }
      )[]
    | null;
  /**
   * Ids of threads: all their runs.
   *
   * @minItems 1
   * @maxItems 100
   */
  threads?: string[] | null;
  /**
   * Ids of the projects to search. Default: the projects of all assistants.
   *
   * @minItems 1
   * @maxItems 100
   */
  session?: string[] | null;
  /**
   * Only runs that match, in the filter language of runs.
   */
  filter?: string | null;
  /**
   * False: steps instead of whole runs. Default true.
   */
  is_root?: boolean | null;
  /**
   * The newest of the runs that are found. Default 100.
   */
  limit?: number | null;
  /**
   * The part of the inputs to take, such as messages.-1.content. Default: all.
   */
  inputs_path?: string | null;
  /**
   * The part of the outputs to take. Default: all.
   */
  outputs_path?: string | null;
  split?: null | string | string[];
  /**
   * Metadata of each example, beside where it comes from.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Also add runs that were added to this dataset before. Default false.
   */
  allow_duplicates?: boolean | null;
}

/**
 * Examples to return.
 */
export interface PublicExampleListQuery {
  /**
   * @maxItems 1000
   */
  id?: string[];
  offset?: number;
  /**
   * Default 100.
   */
  limit?: number;
}

/**
 * An experiment for the server to run.
 */
export interface ExperimentStart {
  /**
   * Name or id of the dataset.
   */
  dataset: string;
  /**
   * Id of an assistant, or the name of a graph.
   */
  assistant_id: string;
  /**
   * Name of the experiment. Default: the name of the assistant and a few characters.
   */
  name?: string | null;
  description?: string | null;
  /**
   * Metadata of the experiment, such as the commit of the code.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Names of evaluators of langgraph.json and of built-in ones.
   *
   * @maxItems 100
   */
  evaluators?: (
    | string
    | {
        name: string;
        /**
         * Name of the score. Default: as the evaluator names it.
         */
        key?: string | null;
        /**
         * Place in the outputs that a built-in evaluator looks at, such as messages.-1.content. Default: all of them.
         */
        path?: string | null;
        /**
         * Place in the reference outputs. Default: all of them.
         */
        reference_path?: string | null;
        /**
         * Of contains: the text to find. Default: the reference.
         */
        text?: string | null;
        /**
         * Of regex_match: a regular expression of JavaScript.
         */
        pattern?: string | null;
        /**
         * Of numeric_match: largest difference that counts as equal. Default 0.
         */
        tolerance?: number | null;
        /**
         * Of json_schema: the JSON Schema (draft 2020-12) that the outputs must match.
         */
        schema?: {} | null;
        /**
         * Of latency, in seconds, and of cost, in US dollars: the most that is good.
         */
        max?: number | null;
        ignore_case?: boolean | null;
      }
  )[];
  /**
   * Only examples of these splits. Default: all.
   *
   * @maxItems 1000
   */
  splits?: string[] | null;
  /**
   * How often each example runs. Default 1.
   */
  repetitions?: number | null;
  /**
   * Runs at the same time. Default 4.
   */
  max_concurrency?: number | null;
  /**
   * Configuration of each run.
   */
  config?: {
    [k: string]: unknown;
  } | null;
  /**
   * Context of each run.
   */
  context?: {
    [k: string]: unknown;
  } | null;
}

/**
 * Page of experiments.
 */
export interface PublicSessionListQuery {
  offset?: number;
  /**
   * Default 100.
   */
  limit?: number;
}

/**
 * An experiment on a dataset, or a project of traces.
 */
export interface SessionCreate {
  name?: string | null;
  description?: string | null;
  extra?: {
    [k: string]: unknown;
  } | null;
  id?: string | null;
  start_time?: string | null;
  end_time?: string | null;
  default_dataset_id?: string | null;
  reference_dataset_id?: string | null;
  trace_tier?: 'longlived' | 'shortlived' | null;
  num_examples?: number | null;
  num_repetitions?: number | null;
  evaluator_keys?: null | string[];
}

/**
 * Selection of experiments.
 */
export interface SessionDeleteQuery {
  /**
   * @maxItems 1000
   */
  session_ids: string[];
}

/**
 * An experiment as a file.
 */
export interface SessionExportQuery {
  /**
   * jsonl is complete and can be imported. csv is flat, for spreadsheets.
   */
  format?: 'jsonl' | 'csv';
}

/**
 * Experiments and projects to return, and their order.
 */
export interface SessionListV2Query {
  /**
   * @maxItems 1000
   */
  id?: string[];
  name?: string;
  name_contains?: string;
  /**
   * @maxItems 1000
   */
  reference_dataset_id?: string[];
  metadata?: {
    [k: string]: unknown;
  };
  dataset_version?: string;
  /**
   * @maxItems 1000
   */
  type?: string[];
  include_stats?: boolean;
  sort_by?: 'NAME' | 'START_TIME' | 'LAST_RUN_START_TIME' | 'ERROR_RATE' | 'LATENCY_P50' | 'LATENCY_P99' | 'FEEDBACK';
  sort_by_feedback_key?: string;
  sort_by_feedback_source?: 'RUN' | 'SESSION';
  sort_order?: 'asc' | 'desc';
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Default 100.
   */
  page_size?: number;
}

/**
 * Experiments and projects to return, and their order.
 */
export interface SessionListQuery {
  name?: string;
  name_contains?: string;
  /**
   * @maxItems 1000
   */
  id?: string[];
  /**
   * @maxItems 1000
   */
  reference_dataset?: string[];
  reference_free?: boolean;
  /**
   * The metadata must contain this.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * false omits all statistics except run_count.
   */
  include_stats?: boolean;
  dataset_version?: string;
  sort_by?: 'name' | 'start_time' | 'last_run_start_time' | 'latency_p50' | 'latency_p99' | 'error_rate' | 'feedback';
  sort_by_desc?: boolean;
  sort_by_feedback_key?: string;
  sort_by_feedback_source?: 'session' | 'run';
  /**
   * Number of rows to skip.
   */
  offset?: number;
  /**
   * Default 100.
   */
  limit?: number;
}

/**
 * Metadata to return.
 */
export interface SessionMetadataQuery {
  /**
   * @maxItems 1000
   */
  metadata_keys?: string[];
  k?: number;
  root_runs_only?: boolean;
  start_time?: string;
}

/**
 * Fields that are set and not null are changed.
 */
export interface SessionPatch {
  name?: string | null;
  description?: string | null;
  extra?: {
    [k: string]: unknown;
  } | null;
  end_time?: string | null;
  default_dataset_id?: string | null;
  trace_tier?: 'longlived' | 'shortlived' | null;
  num_examples?: number | null;
  num_repetitions?: number | null;
  evaluator_keys?: null | string[];
}

/**
 * One experiment.
 */
export interface SessionQuery {
  /**
   * false omits all statistics except run_count.
   */
  include_stats?: boolean;
}

/**
 * Address of an experiment.
 */
export interface SessionResolveQuery {
  kind: string;
  id?: string;
  environment?: string;
}

/**
 * What to do if the name is taken.
 */
export interface SessionCreateQuery {
  /**
   * Return the existing record with this name.
   */
  upsert?: boolean;
}

/**
 * How scores of a feedback key are displayed and compared.
 */
export interface FeedbackConfigCreate {
  feedback_key: string;
  feedback_config: null | {
    type?: 'continuous' | 'categorical' | 'freeform' | null;
    min?: number | null;
    max?: number | null;
    categories?:
      | null
      | {
          value: number;
          label?: string | null;
          [k: string]: unknown;
        }[];
    [k: string]: unknown;
  };
  is_lower_score_better?: boolean | null;
}

/**
 * Key of a configuration.
 */
export interface FeedbackConfigDeleteQuery {
  feedback_key: string;
}

/**
 * Configurations to return.
 */
export interface FeedbackConfigListQuery {
  /**
   * @maxItems 1000
   */
  key?: string[];
  name_contains?: string;
  /**
   * Number of rows to skip.
   */
  offset?: number;
  /**
   * Default 100.
   */
  limit?: number;
}

/**
 * Fields that are set are changed.
 */
export interface FeedbackConfigPatch {
  feedback_key: string;
  feedback_config?: null | {
    type?: 'continuous' | 'categorical' | 'freeform' | null;
    min?: number | null;
    max?: number | null;
    categories?:
      | null
      | {
          value: number;
          label?: string | null;
          [k: string]: unknown;
        }[];
    [k: string]: unknown;
  };
  is_lower_score_better?: boolean | null;
  /**
   * Categories to add to the existing ones.
   */
  add_categories?:
    | null
    | {
        value: number;
        label?: string | null;
        [k: string]: unknown;
      }[];
  /**
   * Values of categories to remove.
   */
  remove_categories?: null | number[];
}

/**
 * A score or comment on a run or an experiment.
 */
export interface FeedbackCreate {
  key: string;
  score?: number | boolean | null;
  value?:
    | number
    | boolean
    | string
    | {
        [k: string]: unknown;
      }
    | null;
  comment?: string | null;
  correction?:
    | {
        [k: string]: unknown;
      }
    | string
    | null;
  feedback_source?: null | {
    type: string;
    metadata?: {
      [k: string]: unknown;
    } | null;
    [k: string]: unknown;
  };
  feedback_config?: null | {
    type?: 'continuous' | 'categorical' | 'freeform' | null;
    min?: number | null;
    max?: number | null;
    categories?:
      | null
      | {
          value: number;
          label?: string | null;
          [k: string]: unknown;
        }[];
    [k: string]: unknown;
  };
  /**
   * UUID.
   */
  id?: string | null;
  /**
   * ISO 8601 with an offset, else UTC. Stored to the microsecond.
   */
  created_at?: string | null;
  /**
   * ISO 8601 with an offset, else UTC. Stored to the microsecond.
   */
  modified_at?: string | null;
  feedback_group_id?: string | null;
  comparative_experiment_id?: string | null;
  extra?: {
    [k: string]: unknown;
  } | null;
  /**
   * UUID. Without it the feedback belongs to the experiment.
   */
  run_id?: string | null;
  session_id?: string | null;
  trace_id?: string | null;
  project_id?: string | null;
  feedbackConfig?: null | {
    type?: 'continuous' | 'categorical' | 'freeform' | null;
    min?: number | null;
    max?: number | null;
    categories?:
      | null
      | {
          value: number;
          label?: string | null;
          [k: string]: unknown;
        }[];
    [k: string]: unknown;
  };
  error?: boolean | null;
  extend_trace_retention?: boolean | null;
  feedback_config_id?: string | null;
}

/**
 * Feedback given by opening a feedback address.
 */
export interface FeedbackGivenQuery {
  score?: number | boolean;
  value?: string;
  comment?: string;
  correction?: string;
}

/**
 * Feedback given at a feedback address, which determines run and key.
 */
export interface FeedbackGiven {
  score?: number | boolean | null;
  value?:
    | number
    | boolean
    | string
    | {
        [k: string]: unknown;
      }
    | null;
  comment?: string | null;
  correction?:
    | {
        [k: string]: unknown;
      }
    | string
    | null;
  /**
   * Stored as metadata of the feedback source.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
}

/**
 * Feedback to return, newest first.
 */
export interface FeedbackListQuery {
  /**
   * @maxItems 10000
   */
  run?: string[];
  /**
   * @maxItems 1000
   */
  session?: string[];
  /**
   * @maxItems 1000
   */
  key?: string[];
  /**
   * @maxItems 1000
   */
  source?: string[];
  level?: 'run' | 'session';
  has_comment?: boolean;
  has_score?: boolean;
  min_created_at?: string;
  max_created_at?: string;
  comparative_experiment_id?: string;
  /**
   * Number of rows to skip.
   */
  offset?: number;
  /**
   * Default 100.
   */
  limit?: number;
}

/**
 * Fields that are set are changed. Null clears a field.
 */
export interface FeedbackPatch {
  score?: number | boolean | null;
  value?:
    | number
    | boolean
    | string
    | {
        [k: string]: unknown;
      }
    | null;
  comment?: string | null;
  correction?:
    | {
        [k: string]: unknown;
      }
    | string
    | null;
  feedback_config?: null | {
    type?: 'continuous' | 'categorical' | 'freeform' | null;
    min?: number | null;
    max?: number | null;
    categories?:
      | null
      | {
          value: number;
          label?: string | null;
          [k: string]: unknown;
        }[];
    [k: string]: unknown;
  };
  feedbackConfig?: null | {
    type?: 'continuous' | 'categorical' | 'freeform' | null;
    min?: number | null;
    max?: number | null;
    categories?:
      | null
      | {
          value: number;
          label?: string | null;
          [k: string]: unknown;
        }[];
    [k: string]: unknown;
  };
}

/**
 * An address that accepts feedback on a run without an API key.
 */
export interface FeedbackTokenCreate {
  /**
   * UUID of a run of a trace, or of a graph.
   */
  run_id: string;
  feedback_key: string;
  /**
   * UUID of the new feedback. Default derived from run and key.
   */
  id?: string | null;
  /**
   * Default three hours, if expires_at is not set either.
   */
  expires_in?: null | {
    days?: number | null;
    hours?: number | null;
    minutes?: number | null;
    [k: string]: unknown;
  };
  /**
   * ISO 8601. Takes precedence over expires_in.
   */
  expires_at?: string | null;
  feedback_config?: null | {
    type?: 'continuous' | 'categorical' | 'freeform' | null;
    min?: number | null;
    max?: number | null;
    categories?:
      | null
      | {
          value: number;
          label?: string | null;
          [k: string]: unknown;
        }[];
    [k: string]: unknown;
  };
  [k: string]: unknown;
}

/**
 * Feedback addresses of a run that have not expired, the latest expiry first.
 */
export interface FeedbackTokenListQuery {
  run_id: string;
  /**
   * Number of rows to skip.
   */
  offset?: number;
  /**
   * Default 100.
   */
  limit?: number;
}

/**
 * Path parameter.
 */
export interface FeedbackTokenParams {
  token: string;
}

/**
 * One address, or several.
 *
 * @minItems 1
 * @maxItems 100
 */
export type FeedbackTokensCreate =
  | {}
  | {
      [k: string]: unknown;
    }[];

/**
 * A score in an upload.
 */
export interface UploadedFeedback {
  key: string;
  score?: number | boolean | null;
  value?:
    | number
    | boolean
    | string
    | {
        [k: string]: unknown;
      }
    | null;
  comment?: string | null;
  correction?:
    | {
        [k: string]: unknown;
      }
    | string
    | null;
  feedback_source?: null | {
    type: string;
    metadata?: {
      [k: string]: unknown;
    } | null;
    [k: string]: unknown;
  };
  feedback_config?: null | {
    type?: 'continuous' | 'categorical' | 'freeform' | null;
    min?: number | null;
    max?: number | null;
    categories?:
      | null
      | {
          value: number;
          label?: string | null;
          [k: string]: unknown;
        }[];
    [k: string]: unknown;
  };
  /**
   * UUID.
   */
  id?: string | null;
  /**
   * ISO 8601 with an offset, else UTC. Stored to the microsecond.
   */
  created_at?: string | null;
  /**
   * ISO 8601 with an offset, else UTC. Stored to the microsecond.
   */
  modified_at?: string | null;
  feedback_group_id?: string | null;
  comparative_experiment_id?: string | null;
  extra?: {
    [k: string]: unknown;
  } | null;
}

/**
 * An annotation queue.
 */
export interface AnnotationQueueCreate {
  name: string;
  id?: string | null;
  created_at?: string | null;
  description?: string | null;
  rubric_instructions?: string | null;
  /**
   * @maxItems 100
   */
  rubric_items?:
    | {
        feedback_key: string;
        description?: string | null;
        is_required?: boolean | null;
        [k: string]: unknown;
      }[]
    | null;
  metadata?: {
    [k: string]: unknown;
  } | null;
  default_dataset?: string | null;
  /**
   * Default 1.
   */
  num_reviewers_per_item?: number | null;
  enable_reservations?: boolean | null;
  /**
   * Default 60.
   */
  reservation_minutes?: number | null;
  reviewer_access_mode?: string | null;
}

/**
 * Review of an item by the caller.
 */
export interface QueueItemStatus {
  status?: 'viewed' | 'completed' | null;
  override_added_at?: string | null;
}

/**
 * Items to add to a queue.
 */
export interface QueueItemsAdd {
  /**
   * @maxItems 1000
   */
  items: {
    item_type?: string | null;
    run_id?: string | null;
    thread_id?: string | null;
    [k: string]: unknown;
  }[];
}

/**
 * Items to count.
 */
export interface QueueItemsCountQuery {
  status: 'all' | 'needs_my_review' | 'needs_others_review' | 'archived';
  start_time?: string;
  end_time?: string;
  min_start_time?: string;
  max_start_time?: string;
}

/**
 * Items to remove from a queue.
 */
export interface QueueItemsDelete {
  /**
   * @maxItems 1000
   */
  item_ids: string[];
}

/**
 * Section of a queue for the caller.
 */
export interface QueueItemsQuery {
  status: 'needs_my_review' | 'needs_others_review' | 'archived';
  item_type?: 'RUN' | 'THREAD';
  direction?: 'forward' | 'backward';
  min_start_time?: string;
  max_start_time?: string;
  /**
   * `next_cursor` of the previous page, or `cursor` of a placement.
   */
  cursor?: string;
  /**
   * Default 100.
   */
  page_size?: number;
}

/**
 * Queues to return.
 */
export interface AnnotationQueueListQuery {
  /**
   * @maxItems 1000
   */
  ids?: string[];
  name?: string;
  name_contains?: string;
  offset?: number;
  /**
   * Default 100.
   */
  limit?: number;
  queue_type?: string;
  dataset_id?: string;
  assigned_to_me?: boolean;
  /**
   * @maxItems 100
   */
  tag_value_id?: string[];
  /**
   * Default `created_at`.
   */
  sort_by?: 'name' | 'created_at' | 'updated_at';
  /**
   * Default true.
   */
  sort_by_desc?: boolean;
}

/**
 * Fields that are set are changed.
 */
export interface AnnotationQueuePatch {
  name?: string | null;
  description?: string | null;
  rubric_instructions?: string | null;
  /**
   * @maxItems 100
   */
  rubric_items?:
    | {
        feedback_key: string;
        description?: string | null;
        is_required?: boolean | null;
        [k: string]: unknown;
      }[]
    | null;
  metadata?: {
    [k: string]: unknown;
  } | null;
  default_dataset?: string | null;
  /**
   * Default 1.
   */
  num_reviewers_per_item?: number | null;
  enable_reservations?: boolean | null;
  /**
   * Default 60.
   */
  reservation_minutes?: number | null;
  reviewer_access_mode?: string | null;
}

/**
 * Experiments whose root runs are added to a queue.
 */
export interface QueuePopulate {
  queue_id: string;
  /**
   * @minItems 1
   * @maxItems 100
   */
  session_ids: string[];
}

/**
 * Ids of runs, or objects with `run_id`.
 *
 * @maxItems 1000
 */
export type QueueRunAdd = (
  | string
  | {
      run_id: string;
      [k: string]: unknown;
    }
)[];

/**
 * Runs to remove from the queue.
 */
export interface QueueRunDelete {
  /**
   * @maxItems 1000
   */
  run_ids?: string[] | null;
  delete_all?: boolean | null;
  /**
   * @maxItems 1000
   */
  exclude_run_ids?: string[] | null;
}

/**
 * Runs to return.
 */
export interface QueueRunListQuery {
  status?: 'needs_my_review' | 'needs_others_review' | 'completed';
  archived?: boolean;
  offset?: number;
  /**
   * Default 100.
   */
  limit?: number;
}

/**
 * Place and review of a run in the queue.
 */
export interface QueueRunPatch {
  added_at?: string | null;
  last_reviewed_time?: string | null;
}

/**
 * Review of a run in the queue.
 */
export interface QueueRunStatus {
  status?: 'needs_review' | 'viewed' | 'completed' | 'archived' | null;
  override_added_at?: string | null;
}

/**
 * Runs to count.
 */
export interface QueueSizeQuery {
  status?: 'needs_my_review' | 'needs_others_review' | 'completed';
  start_time?: string;
  end_time?: string;
}

/**
 * A rule that acts on runs of traces.
 */
export interface RuleCreate {
  /**
   * Name of the rule.
   */
  display_name: string;
  /**
   * Default true.
   */
  is_enabled?: boolean | null;
  /**
   * Id of the project whose runs the rule looks at. Null: the projects of all assistants.
   */
  session_id?: string | null;
  /**
   * When the rule looks at a run: when it has ended, or when it has ended and has feedback. Default end.
   */
  trigger?: 'end' | 'feedback';
  /**
   * Only runs that match, in the filter language of runs.
   */
  filter?: string | null;
  /**
   * Only runs whose root matches.
   */
  trace_filter?: string | null;
  /**
   * Only runs of traces in which any step matches.
   */
  tree_filter?: string | null;
  /**
   * Share of the runs, from 0 to 1. Default 1.
   */
  sampling_rate?: number | null;
  /**
   * Most runs on which the rule acts in an hour. Default 1000.
   */
  runs_per_hour?: number | null;
  /**
   * Id of the dataset that gets the runs.
   */
  add_to_dataset_id?: string | null;
  /**
   * The newest correction of a feedback replaces the outputs. Default false.
   */
  add_to_dataset_prefer_correction?: boolean | null;
  /**
   * The part of the inputs to take, such as messages.-1.content. Default: all.
   */
  dataset_inputs_path?: string | null;
  /**
   * The part of the outputs to take. Default: all.
   */
  dataset_outputs_path?: string | null;
  dataset_split?: null | string | string[];
  /**
   * Id of the annotation queue that gets the runs.
   */
  add_to_annotation_queue_id?: string | null;
  /**
   * Names of evaluators of langgraph.json that score the runs.
   *
   * @maxItems 100
   */
  evaluators?: string[] | null;
  /**
   * For access handlers.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
}

/**
 * Rules to return.
 */
export interface RuleListQuery {
  session_id?: string;
  dataset_id?: string;
  name_contains?: string;
}

/**
 * The fields of a rule to change.
 */
export interface RulePatch {
  /**
   * Name of the rule.
   */
  display_name?: string;
  /**
   * Default true.
   */
  is_enabled?: boolean | null;
  /**
   * Id of the project whose runs the rule looks at. Null: the projects of all assistants.
   */
  session_id?: string | null;
  /**
   * When the rule looks at a run: when it has ended, or when it has ended and has feedback. Default end.
   */
  trigger?: 'end' | 'feedback';
  /**
   * Only runs that match, in the filter language of runs.
   */
  filter?: string | null;
  /**
   * Only runs whose root matches.
   */
  trace_filter?: string | null;
  /**
   * Only runs of traces in which any step matches.
   */
  tree_filter?: string | null;
  /**
   * Share of the runs, from 0 to 1. Default 1.
   */
  sampling_rate?: number | null;
  /**
   * Most runs on which the rule acts in an hour. Default 1000.
   */
  runs_per_hour?: number | null;
  /**
   * Id of the dataset that gets the runs.
   */
  add_to_dataset_id?: string | null;
  /**
   * The newest correction of a feedback replaces the outputs. Default false.
   */
  add_to_dataset_prefer_correction?: boolean | null;
  /**
   * The part of the inputs to take, such as messages.-1.content. Default: all.
   */
  dataset_inputs_path?: string | null;
  /**
   * The part of the outputs to take. Default: all.
   */
  dataset_outputs_path?: string | null;
  dataset_split?: null | string | string[];
  /**
   * Id of the annotation queue that gets the runs.
   */
  add_to_annotation_queue_id?: string | null;
  /**
   * Names of evaluators of langgraph.json that score the runs.
   *
   * @maxItems 100
   */
  evaluators?: string[] | null;
  /**
   * For access handlers.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
}

/**
 * Which deliveries of webhooks are listed.
 */
export interface DeliveryQuery {
  /**
   * Default all.
   */
  status?: 'pending' | 'delivered' | 'failed';
  /**
   * What called the webhooks.
   */
  source?: 'runs' | 'alerts';
  limit?: number;
}

/**
 * Runs without a thread, each like a body of POST /runs. Either all or none are created.
 *
 * @minItems 1
 * @maxItems 500
 */
export type RunBatch = {
  [k: string]: unknown;
}[];

/**
 * How to cancel a run.
 */
export interface RunCancelQuery {
  wait?: boolean;
  action?: 'interrupt' | 'rollback';
  /**
   * taken: another run has taken over the input of this run. Only with interrupt.
   */
  reason?: 'taken';
}

/**
 * Parameters of a new run. Other fields are ignored.
 */
export interface RunCreate {
  /**
   * Id of an assistant, or the name of a graph.
   */
  assistant_id: string;
  /**
   * Input of the graph, any JSON. If it is null or missing, a thread with a checkpoint continues from there.
   */
  input?: {
    [k: string]: unknown;
  };
  /**
   * Replaces input: answers interrupts, updates the state, or goes to a node.
   */
  command?: {
    update?:
      | null
      | {
          [k: string]: unknown;
        }
      | unknown[][];
    /**
     * The answer, or a map of interrupt ids to answers.
     */
    resume?: {
      [k: string]: unknown;
    };
    goto?: null | string | Send | (string | Send)[];
    [k: string]: unknown;
  } | null;
  /**
   * Start from this checkpoint.
   */
  checkpoint?: {
    thread_id?: string | null;
    checkpoint_id?: string | null;
    checkpoint_ns?: string | null;
    checkpoint_map?: {
      [k: string]: unknown;
    } | null;
    [k: string]: unknown;
  } | null;
  checkpoint_id?: string | null;
  /**
   * Stored on the run and merged into the metadata of its checkpoints.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  config?: {
    tags?: null | string[];
    recursion_limit?: number | null;
    configurable?: {
      [k: string]: unknown;
    } | null;
    metadata?: {
      [k: string]: unknown;
    } | null;
    [k: string]: unknown;
  } | null;
  /**
   * Static context of the run, merged into the context of the assistant.
   */
  context?: {
    [k: string]: unknown;
  };
  /**
   * URL to call with the run when it has ended, or a path of the project's own HTTP app.
   */
  webhook?: string | null;
  /**
   * "*" for all nodes, or a list of node names.
   */
  interrupt_before?: null | string | string[];
  /**
   * "*" for all nodes, or a list of node names.
   */
  interrupt_after?: null | string | string[];
  /**
   * One mode or a list. Default values.
   */
  stream_mode?:
    | null
    | (
        | 'values'
        | 'messages'
        | 'messages-tuple'
        | 'tasks'
        | 'checkpoints'
        | 'updates'
        | 'events'
        | 'debug'
        | 'custom'
        | 'tools'
      )
    | (
        | 'values'
        | 'messages'
        | 'messages-tuple'
        | 'tasks'
        | 'checkpoints'
        | 'updates'
        | 'events'
        | 'debug'
        | 'custom'
        | 'tools'
      )[];
  /**
   * Also stream events of subgraphs. Their event names include the namespace.
   */
  stream_subgraphs?: boolean | null;
  /**
   * Store the events, so that clients can reconnect with Last-Event-ID.
   */
  stream_resumable?: boolean | null;
  /**
   * What happens to the run when the streaming or waiting client disconnects. Default continue.
   */
  on_disconnect?: 'cancel' | 'continue' | null;
  /**
   * Feedback keys. When the run succeeds, it returns a feedback address for each key.
   */
  feedback_keys?: null | string[];
  /**
   * What to do if the thread already has a run. Default enqueue.
   */
  multitask_strategy?: 'reject' | 'rollback' | 'interrupt' | 'enqueue' | null;
  /**
   * What to do if the thread does not exist. Default reject.
   */
  if_not_exists?: 'create' | 'reject' | null;
  after_seconds?: number | null;
  /**
   * When checkpoints are stored. Default async.
   */
  durability?: 'sync' | 'async' | 'exit' | null;
  /**
   * Deprecated. false is the same as durability exit.
   */
  checkpoint_during?: boolean | null;
  /**
   * For a run without a thread: keep keeps its thread. Any other value deletes it.
   */
  on_completion?: string | null;
  /**
   * Fail if the resume command names an interrupt that is not pending.
   */
  strict_resume?: boolean | null;
  [k: string]: unknown;
}
export interface Send {
  node: string;
  input?: unknown;
  [k: string]: unknown;
}

/**
 * How to join a run.
 */
export interface RunJoinQuery {
  stream_mode?: (
    | 'values'
    | 'messages'
    | 'messages-tuple'
    | 'tasks'
    | 'checkpoints'
    | 'updates'
    | 'events'
    | 'debug'
    | 'custom'
    | 'tools'
  )[];
  cancel_on_disconnect?: boolean;
  /**
   * Only events of these namespaces and of namespaces below them, without the subagents that they start. An empty text is the root.
   *
   * @maxItems 100
   */
  namespace?: string[];
  /**
   * Accepted and ignored. Last-Event-ID determines the events.
   */
  checkpoint_id?: string;
}

/**
 * Runs of a thread, newest first.
 */
export interface RunListQuery {
  limit?: number;
  offset?: number;
  status?: 'pending' | 'running' | 'error' | 'success' | 'timeout' | 'interrupted';
  select?: (
    | 'run_id'
    | 'thread_id'
    | 'assistant_id'
    | 'created_at'
    | 'updated_at'
    | 'status'
    | 'metadata'
    | 'kwargs'
    | 'multitask_strategy'
    | 'langsmith_session_name'
    | 'cancel_reason'
    | 'code_version'
  )[];
}

/**
 * Events of a new run to stream.
 */
export interface RunStreamQuery {
  /**
   * Only events of these namespaces and of namespaces below them, without the subagents that they start. An empty text is the root.
   *
   * @maxItems 100
   */
  namespace?: string[];
}

/**
 * How to cancel runs.
 */
export interface RunsCancelQuery {
  action?: 'interrupt' | 'rollback';
}

/**
 * Runs to cancel: by status, or by thread and ids.
 */
export interface RunsCancel {
  /**
   * All runs with this status that the caller may see.
   */
  status?: 'pending' | 'running' | 'all' | null;
  /**
   * The thread of the runs.
   */
  thread_id?: string | null;
  /**
   * All of these runs must be pending or running. Otherwise none is cancelled.
   */
  run_ids?: null | string[];
  [k: string]: unknown;
}

/**
 * Query of the audit log.
 */
export interface AuditQuery {
  /**
   * Action such as threads:delete or sign-in, or a kind such as assistants.
   */
  action?: string;
  /**
   * Name or id of the person or the key.
   */
  actor?: string;
  /**
   * Part of the id of the record.
   */
  record?: string;
  since?: string;
  until?: string;
  /**
   * Only requests that were refused or failed.
   */
  failed?: boolean;
  /**
   * The value of next of the page before.
   */
  after?: string;
  /**
   * Default 100.
   */
  limit?: number;
}

/**
 * Path parameter of the session of a person.
 */
export interface BrowserSessionParams {
  session: string;
}

/**
 * Which code to load.
 */
export interface CodeDeploy {
  /**
   * Absolute path of a langgraph.json on the server's machine. Null: the one that the server runs with.
   */
  config?: string | null;
}

/**
 * Path parameter of a code version: its hash, or the first characters of it.
 */
export interface CodeVersionParams {
  version: string;
}

/**
 * A new API key.
 */
export interface KeyCreate {
  /**
   * Name of the key, unique among valid keys.
   */
  name: string;
  /**
   * Scopes of the key. Default all. They must not exceed the scopes of the key that makes the request.
   */
  scopes?: null | string[];
  /**
   * Time at which the key expires. Default never.
   */
  expires_at?: null | string;
}

/**
 * Path parameter of an API key.
 */
export interface KeyParams {
  key: string;
}

/**
 * Format of the metrics.
 */
export interface MetricsQuery {
  format?: 'prometheus' | 'json';
  /**
   * In a cluster: the node that receives the request answers with its own metrics, also if it is not the owner.
   */
  node?: 'self';
  /**
   * Only metrics with these names, with `format=json`.
   *
   * @maxItems 100
   */
  names?: string[];
}

/**
 * Path parameter of a node of a cluster.
 */
export interface NodeParams {
  node: string;
}

/**
 * How thoroughly the server checks its health.
 */
export interface OkQuery {
  /**
   * Also checks that the store can be read.
   */
  check_db?: boolean;
}

/**
 * A time of the history of the server.
 */
export interface ServerHistoryQuery {
  /**
   * Default an hour before the end.
   */
  start?: string;
  /**
   * Exclusive. Default now.
   */
  end?: string;
  /**
   * Length of a step. It is rounded up to the length of the stored samples: a minute, ten minutes after a day, an hour after a week. Default: one that makes at most 200 points.
   */
  step_seconds?: number;
}

/**
 * Query of a sign-in.
 */
export interface SignInQuery {
  /**
   * Path in the console to return to, such as /threads. Everything else leads to its first page.
   */
  to?: string;
}

/**
 * UI components for a page, by their name in `ui` of langgraph.json.
 */
export interface UiParams {
  agent: string;
  file?: string;
}

/**
 * The component to load.
 */
export interface UiRequest {
  name: string;
}

/**
 * Namespace and key of an item.
 */
export interface ItemDelete {
  namespace?: string[] | null;
  key: string;
  [k: string]: unknown;
}

/**
 * Namespace and key of an item.
 */
export interface ItemParams {
  /**
   * One value with periods between the labels, or one value per label.
   */
  namespace?: string[];
  key: string;
  /**
   * Reading the item restarts its expiry. Default store.ttl.refresh_on_read.
   */
  refresh_ttl?: boolean;
}

/**
 * An item of long-term memory.
 */
export interface ItemPut {
  /**
   * Labels, the outermost first. No label is empty or contains a period.
   */
  namespace?: string[] | null;
  key: string;
  value: {
    [k: string]: unknown;
  };
  /**
   * What vector search indexes: false for nothing, paths into the value, or null for the configured default.
   */
  index?: (false | null) | string[];
  /**
   * Minutes until the item expires. Default store.ttl.default_ttl. Null means never.
   */
  ttl?: number | null;
  [k: string]: unknown;
}

/**
 * Items to return, latest update first.
 */
export interface ItemSearch {
  /**
   * Items in this namespace and below it. Default all.
   */
  namespace_prefix?: string[] | null;
  /**
   * Conditions on members of the value: a value, or the operators $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin.
   */
  filter?: {
    [k: string]: unknown;
  } | null;
  /**
   * Text for a vector search, if it is configured.
   */
  query?: string | null;
  limit?: number | null;
  offset?: number | null;
  /**
   * Reading the item restarts its expiry. Default store.ttl.refresh_on_read.
   */
  refresh_ttl?: boolean | null;
  [k: string]: unknown;
}

/**
 * Namespaces to return.
 */
export interface NamespaceList {
  /**
   * Prefix of the namespaces. * matches any one label.
   */
  prefix?: string[] | null;
  /**
   * Suffix of the namespaces. * matches any one label.
   */
  suffix?: string[] | null;
  /**
   * Maximum number of labels per namespace.
   */
  max_depth?: number | null;
  limit?: number | null;
  offset?: number | null;
  [k: string]: unknown;
}

/**
 * States to return, newest first.
 */
export interface HistoryListQuery {
  limit?: number;
  /**
   * A checkpoint id, or a checkpoint or config as JSON. Only older states are returned.
   */
  before?: string;
  /**
   * JSON. The checkpoint's metadata must contain this.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * JSON. Its checkpoint_ns selects the subgraph whose states are returned.
   */
  checkpoint?: {
    thread_id?: string | null;
    checkpoint_id?: string | null;
    checkpoint_ns?: string | null;
    checkpoint_map?: {
      [k: string]: unknown;
    } | null;
    [k: string]: unknown;
  };
  /**
   * Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one value.
   *
   * @maxItems 1000
   */
  select?: string[];
}

/**
 * States to return, newest first.
 */
export interface HistoryQuery {
  /**
   * Default 10.
   */
  limit?: number | null;
  /**
   * A checkpoint id, a checkpoint or a config. Only older states are returned.
   */
  before?:
    | null
    | string
    | {
        [k: string]: unknown;
      };
  /**
   * The checkpoint's metadata must contain this.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Its checkpoint_ns selects the subgraph whose states are returned.
   */
  checkpoint?: {
    thread_id?: string | null;
    checkpoint_id?: string | null;
    checkpoint_ns?: string | null;
    checkpoint_map?: {
      [k: string]: unknown;
    } | null;
    [k: string]: unknown;
  } | null;
  /**
   * Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one value.
   */
  select?: null | string[];
  [k: string]: unknown;
}

/**
 * A command of event protocol version 2. The parameters of its method are validated with the command, and errors are returned in an envelope.
 */
export interface ProtocolCommand {
  id: number;
  method: string;
  params?: {};
}

/**
 * Events of a thread to stream.
 */
export interface ProtocolSubscription {
  /**
   * @minItems 1
   * @maxItems 100
   */
  channels: string[];
  /**
   * Prefixes of namespaces. Default all events.
   *
   * @maxItems 100
   */
  namespaces?: string[][] | null;
  /**
   * Maximum depth below the prefix.
   */
  depth?: number | null;
  /**
   * The last `seq` that the client has received. Default all stored events.
   */
  since?: number | null;
}

/**
 * The state at a checkpoint.
 */
export interface StateAtCheckpoint {
  checkpoint: {
    thread_id?: string | null;
    checkpoint_id?: string | null;
    checkpoint_ns?: string | null;
    checkpoint_map?: {
      [k: string]: unknown;
    } | null;
    [k: string]: unknown;
  };
  subgraphs?: boolean | null;
  /**
   * Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one value.
   */
  select?: null | string[];
  [k: string]: unknown;
}

/**
 * Metadata to merge into a thread.
 */
export interface StatePatch {
  metadata?: {
    [k: string]: unknown;
  } | null;
  [k: string]: unknown;
}

/**
 * Parts of a state to return.
 */
export interface StateQuery {
  subgraphs?: boolean;
  /**
   * Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one value.
   *
   * @maxItems 1000
   */
  select?: string[];
}

/**
 * A change of a thread's state.
 */
export interface StateUpdate {
  /**
   * What the node would have written: an object, or a list of pairs. Null with as_node marks the node as done.
   */
  values?: {
    [k: string]: unknown;
  };
  /**
   * The node to which the update is attributed. Default the node that wrote last.
   */
  as_node?: string | null;
  checkpoint?: {
    thread_id?: string | null;
    checkpoint_id?: string | null;
    checkpoint_ns?: string | null;
    checkpoint_map?: {
      [k: string]: unknown;
    } | null;
    [k: string]: unknown;
  } | null;
  /**
   * The same as checkpoint.checkpoint_id.
   */
  checkpoint_id?: string | null;
  [k: string]: unknown;
}

/**
 * Threads to count.
 */
export interface ThreadCount {
  /**
   * Any of these ids.
   */
  ids?: null | string[];
  /**
   * The thread's metadata must contain this.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * The thread's latest values must contain this.
   */
  values?: {
    [k: string]: unknown;
  } | null;
  status?: 'idle' | 'busy' | 'interrupted' | 'error' | null;
  /**
   * Paths that must exist, such as metadata.owner or values.messages[0].
   */
  exists?: null | string[];
  /**
   * Text that occurs in the thread's latest values or metadata, or with which its id begins. Ignores case and surrounding whitespace.
   */
  text?: string | null;
  /**
   * Conditions of which at least one must be true.
   */
  or?: null | Condition[];
  /**
   * A condition that must not be true.
   */
  not?: null | Condition;
  [k: string]: unknown;
}
/**
 * A condition on threads. All of its members must be true.
 */
export interface Condition {
  /**
   * Any of these ids.
   */
  ids?: null | string[];
  /**
   * The thread's metadata must contain this.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * The thread's latest values must contain this.
   */
  values?: {
    [k: string]: unknown;
  } | null;
  status?: 'idle' | 'busy' | 'interrupted' | 'error' | null;
  /**
   * Paths that must exist, such as metadata.owner or values.messages[0].
   */
  exists?: null | string[];
  /**
   * Text that occurs in the thread's latest values or metadata, or with which its id begins. Ignores case and surrounding whitespace.
   */
  text?: string | null;
  /**
   * Conditions of which at least one must be true.
   */
  or?: null | Condition[];
  /**
   * A condition that must not be true.
   */
  not?: null | Condition;
}

/**
 * A new thread.
 */
export interface ThreadCreate {
  thread_id?: null | string;
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Default raise.
   */
  if_exists?: 'raise' | 'do_nothing' | null;
  /**
   * The initial history of the thread. metadata.graph_id names the graph.
   */
  supersteps?:
    | {
        /**
         * @minItems 1
         */
        updates: {
          values?: unknown;
          command?: {
            [k: string]: unknown;
          } | null;
          as_node?: string | null;
          [k: string]: unknown;
        }[];
        [k: string]: unknown;
      }[]
    | null;
  /**
   * Minutes without activity after which the thread is deleted or pruned.
   */
  ttl?:
    | null
    | number
    | {
        strategy?: 'delete' | 'keep_latest' | null;
        ttl: number;
        [k: string]: unknown;
      };
  /**
   * Number of newest states to keep. Null uses the server's configuration.
   */
  keep_last?: number | null;
  [k: string]: unknown;
}

/**
 * How to import a thread.
 */
export interface ThreadImportQuery {
  /**
   * Give the thread a new id.
   */
  new_id?: boolean;
}

/**
 * Threads to return, and their order.
 */
export interface ThreadListQuery {
  /**
   * Any of these ids.
   *
   * @maxItems 1000
   */
  ids?: string[];
  /**
   * JSON. The thread's metadata must contain this.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * JSON. The thread's latest values must contain this.
   */
  values?: {
    [k: string]: unknown;
  };
  status?: 'idle' | 'busy' | 'interrupted' | 'error';
  /**
   * Paths that must exist, such as metadata.owner or values.messages[0].
   *
   * @maxItems 100
   */
  exists?: string[];
  /**
   * Text that occurs in the thread's latest values or metadata, or with which its id begins. Ignores case and surrounding whitespace.
   */
  text?: string;
  /**
   * JSON. Conditions of which at least one must be true.
   *
   * @minItems 1
   * @maxItems 100
   */
  or?: Condition[];
  /**
   * JSON. A condition that must not be true.
   */
  not?: Condition;
  limit?: number;
  offset?: number;
  sort_by?: 'thread_id' | 'status' | 'created_at' | 'updated_at' | 'state_updated_at';
  sort_order?: 'asc' | 'desc';
  select?: (
    | 'thread_id'
    | 'created_at'
    | 'updated_at'
    | 'state_updated_at'
    | 'metadata'
    | 'config'
    | 'status'
    | 'values'
    | 'interrupts'
  )[];
  /**
   * JSON. Maps names of your choice to paths. Their values are returned under these names in extracted.
   */
  extract?: {
    [k: string]: string;
  };
  /**
   * Extracted texts are cut after this many characters. Longer parts that are not text are null.
   */
  extract_chars_max?: number;
  /**
   * * for the first page, then the value of the x-pagination-cursor header.
   */
  cursor?: string;
}
/**
 * A condition on threads. All of its members must be true.
 */
export interface Condition {
  /**
   * Any of these ids.
   */
  ids?: null | string[];
  /**
   * The thread's metadata must contain this.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * The thread's latest values must contain this.
   */
  values?: {
    [k: string]: unknown;
  } | null;
  status?: 'idle' | 'busy' | 'interrupted' | 'error' | null;
  /**
   * Paths that must exist, such as metadata.owner or values.messages[0].
   */
  exists?: null | string[];
  /**
   * Text that occurs in the thread's latest values or metadata, or with which its id begins. Ignores case and surrounding whitespace.
   */
  text?: string | null;
  /**
   * Conditions of which at least one must be true.
   */
  or?: null | Condition[];
  /**
   * A condition that must not be true.
   */
  not?: null | Condition;
}

/**
 * Metadata to merge into the thread's metadata.
 */
export interface ThreadPatch {
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Minutes without activity after which the thread is deleted or pruned.
   */
  ttl?:
    | null
    | number
    | {
        strategy?: 'delete' | 'keep_latest' | null;
        ttl: number;
        [k: string]: unknown;
      };
  /**
   * Number of newest states to keep. Null uses the server's configuration.
   */
  keep_last?: number | null;
  [k: string]: unknown;
}

/**
 * Threads to delete or prune.
 */
export interface ThreadPrune {
  /**
   * @maxItems 1000
   */
  thread_ids: string[];
  /**
   * Default delete. keep_latest: delete all states except the newest one.
   */
  strategy?: 'delete' | 'keep_latest' | null;
  [k: string]: unknown;
}

/**
 * Additional fields of a thread to return.
 */
export interface ThreadQuery {
  include?: 'ttl'[];
}

/**
 * Threads to return, and their order.
 */
export interface ThreadSearch {
  /**
   * Any of these ids.
   */
  ids?: null | string[];
  /**
   * The thread's metadata must contain this.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * The thread's latest values must contain this.
   */
  values?: {
    [k: string]: unknown;
  } | null;
  status?: 'idle' | 'busy' | 'interrupted' | 'error' | null;
  /**
   * Paths that must exist, such as metadata.owner or values.messages[0].
   */
  exists?: null | string[];
  /**
   * Text that occurs in the thread's latest values or metadata, or with which its id begins. Ignores case and surrounding whitespace.
   */
  text?: string | null;
  /**
   * Conditions of which at least one must be true.
   */
  or?: null | Condition[];
  /**
   * A condition that must not be true.
   */
  not?: null | Condition;
  /**
   * Default 10.
   */
  limit?: number | null;
  offset?: number | null;
  /**
   * Default updated_at.
   */
  sort_by?: 'thread_id' | 'status' | 'created_at' | 'updated_at' | 'state_updated_at' | null;
  /**
   * Default desc.
   */
  sort_order?: 'asc' | 'desc' | null;
  select?:
    | null
    | (
        | 'thread_id'
        | 'created_at'
        | 'updated_at'
        | 'state_updated_at'
        | 'metadata'
        | 'config'
        | 'status'
        | 'values'
        | 'interrupts'
      )[];
  /**
   * Maps names of your choice to paths. Their values are returned under these names in extracted.
   */
  extract?: null | {
    [k: string]: string;
  };
  /**
   * Extracted texts are cut after this many characters. Longer parts that are not text are null.
   */
  extract_chars_max?: number | null;
  /**
   * * for the first page, then the value of the x-pagination-cursor header.
   */
  cursor?: string | null;
  [k: string]: unknown;
}
/**
 * A condition on threads. All of its members must be true.
 */
export interface Condition {
  /**
   * Any of these ids.
   */
  ids?: null | string[];
  /**
   * The thread's metadata must contain this.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * The thread's latest values must contain this.
   */
  values?: {
    [k: string]: unknown;
  } | null;
  status?: 'idle' | 'busy' | 'interrupted' | 'error' | null;
  /**
   * Paths that must exist, such as metadata.owner or values.messages[0].
   */
  exists?: null | string[];
  /**
   * Text that occurs in the thread's latest values or metadata, or with which its id begins. Ignores case and surrounding whitespace.
   */
  text?: string | null;
  /**
   * Conditions of which at least one must be true.
   */
  or?: null | Condition[];
  /**
   * A condition that must not be true.
   */
  not?: null | Condition;
}

/**
 * Which events of a thread are streamed. Default run_modes.
 */
export interface ThreadStreamQuery {
  /**
   * run_modes: all events of all runs, and the end of each run. lifecycle: start and end of each run. state_update: the state after each run or update.
   *
   * @maxItems 10
   */
  stream_mode?: ('run_modes' | 'lifecycle' | 'state_update')[];
  /**
   * Alias of stream_mode.
   *
   * @maxItems 10
   */
  stream_modes?: ('run_modes' | 'lifecycle' | 'state_update')[];
}
