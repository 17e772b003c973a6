// Made by schemas/build.ts from schemas/**/*.json. Run `npm run schemas` after a change there.

/**
 * A JSON-RPC 2.0 request of the Agent2Agent protocol. What is wrong with it is told in JSON-RPC's own words, so no more is said here.
 */
export interface A2AMessage {
  [k: string]: unknown;
}

/**
 * Whose card it is.
 */
export interface CardQuery {
  /**
   * The id of an assistant or the name of a graph.
   */
  assistant_id: string;
}

/**
 * A JSON-RPC 2.0 message of the Model Context Protocol, or with its version 2025-03-26 a list of them. What is wrong with one is told in JSON-RPC's own words, so no more is said here.
 */
export interface McpMessage {
  [k: string]: unknown;
}

/**
 * Which assistants are counted.
 */
export interface AssistantCount {
  /**
   * Contained in the assistant's metadata.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  graph_id?: string | null;
  /**
   * Part of the name, in any case.
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
   * Configuration of its runs; a run's own is laid over it.
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
   * Static context of its runs; a run's own is merged over it.
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
 * What goes with an assistant.
 */
export interface AssistantDeleteQuery {
  /**
   * Also the threads whose metadata.assistant_id is this assistant, as far as the caller may delete them.
   */
  delete_threads?: boolean;
}

/**
 * The same in the query, for clients that send it there.
 */
export interface AssistantLatestQuery {
  version?: number;
}

/**
 * The version that an assistant goes back to.
 */
export interface AssistantLatest {
  version?: number | null;
  [k: string]: unknown;
}

/**
 * What changes of an assistant. Every patch makes a new version, an empty one too.
 */
export interface AssistantPatch {
  graph_id?: null | string;
  /**
   * Configuration of its runs; a run's own is laid over it.
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
   * Merged over the metadata that is there.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  name?: string | null;
  description?: string | null;
  [k: string]: unknown;
}

/**
 * Which assistants, and in what order.
 */
export interface AssistantSearch {
  /**
   * Contained in the assistant's metadata.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  graph_id?: string | null;
  /**
   * Part of the name, in any case.
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
   * Fields to answer with; all when not given.
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
 * Which versions of an assistant, newest first.
 */
export interface AssistantVersions {
  /**
   * Contained in the version's metadata.
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
   * Whether subgraphs are opened: all of them, or those down to this depth.
   */
  xray?: number | boolean;
}

/**
 * Which subgraphs to show.
 */
export interface SubgraphsQuery {
  /**
   * Subgraphs of subgraphs too, under parent|child.
   */
  recurse?: boolean;
}

/**
 * Path of an assistant: its id or the name of a graph.
 */
export interface AssistantParams {
  assistant_id: string;
}

/**
 * Path of a checkpoint of a thread.
 */
export interface CheckpointParams {
  thread_id: string;
  checkpoint_id: string;
}

/**
 * Where in the path.
 */
export interface ComparativeParams {
  comparative_experiment_id: string;
}

/**
 * Path of a cron.
 */
export interface CronParams {
  cron_id: string;
}

/**
 * Where in the path.
 */
export interface DatasetParams {
  dataset_id: string;
}

/**
 * Where in the path.
 */
export interface EvaluationRunParams {
  run_id: string;
}

/**
 * Where in the path.
 */
export interface ExampleParams {
  example_id: string;
}

/**
 * Where in the path.
 */
export interface FeedbackParams {
  feedback_id: string;
}

/**
 * Path of a run without its thread.
 */
export interface LoneRunParams {
  run_id: string;
}

/**
 * Path of a run on a thread.
 */
export interface RunParams {
  thread_id: string;
  run_id: string;
}

/**
 * Where in the path.
 */
export interface SessionParams {
  session_id: string;
}

/**
 * Path of a subgraph: an assistant and a namespace, such as parent|child.
 */
export interface SubgraphParams {
  assistant_id: string;
  namespace: string;
}

/**
 * Path of a thread.
 */
export interface ThreadParams {
  thread_id: string;
}

/**
 * Which crons to count.
 */
export interface CronCount {
  /**
   * Id of an assistant, or the name of a graph.
   */
  assistant_id?: string | null;
  thread_id?: null | string;
  enabled?: boolean | null;
  /**
   * Contained in the cron's metadata.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  [k: string]: unknown;
}

/**
 * A schedule, and what its runs are asked to do. Fields that are not listed are ignored.
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
   * ISO 8601; without an offset it is UTC. No slot after it fires.
   */
  end_time?: string | null;
  /**
   * Default true. A cron that is not does not fire.
   */
  enabled?: boolean | null;
  /**
   * Of the cron, and of every run it starts.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Of a cron without a thread: what becomes of the thread that each firing makes. Default delete.
   */
  on_run_completed?: 'delete' | 'keep' | null;
  /**
   * Input of the graph, any JSON. Null or absent on a thread with a checkpoint: go on from there.
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
   * Static context of the run; merged over the assistant's.
   */
  context?: {
    [k: string]: unknown;
  };
  webhook?: string | null;
  /**
   * "*" for every node, or a list of node names.
   */
  interrupt_before?: null | string | string[];
  /**
   * "*" for every node, or a list of node names.
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
   * Also stream what happens inside subgraphs; event names then carry the namespace.
   */
  stream_subgraphs?: boolean | null;
  /**
   * Keep the events so that readers can come back with Last-Event-ID.
   */
  stream_resumable?: boolean | null;
  /**
   * When checkpoints are stored. Default async.
   */
  durability?: 'sync' | 'async' | 'exit' | null;
  /**
   * Deprecated: false is durability exit.
   */
  checkpoint_during?: boolean | null;
  /**
   * What to do when the thread has a run already. Default enqueue.
   */
  multitask_strategy?: 'reject' | 'rollback' | 'interrupt' | 'enqueue' | null;
  /**
   * Addresses for feedback that the run gives out when it has succeeded, one for each of these keys.
   */
  feedback_keys?: null | string[];
  [k: string]: unknown;
}

/**
 * What is to change. Null takes a field away, where there can be none.
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
   * ISO 8601; without an offset it is UTC. No slot after it fires.
   */
  end_time?: string | null;
  /**
   * Default true. A cron that is not does not fire.
   */
  enabled?: boolean | null;
  /**
   * Of the cron, and of every run it starts.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Of a cron without a thread: what becomes of the thread that each firing makes. Default delete.
   */
  on_run_completed?: 'delete' | 'keep' | null;
  /**
   * Input of the graph, any JSON. Null or absent on a thread with a checkpoint: go on from there.
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
   * Static context of the run; merged over the assistant's.
   */
  context?: {
    [k: string]: unknown;
  };
  webhook?: string | null;
  /**
   * "*" for every node, or a list of node names.
   */
  interrupt_before?: null | string | string[];
  /**
   * "*" for every node, or a list of node names.
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
   * Also stream what happens inside subgraphs; event names then carry the namespace.
   */
  stream_subgraphs?: boolean | null;
  /**
   * Keep the events so that readers can come back with Last-Event-ID.
   */
  stream_resumable?: boolean | null;
  /**
   * When checkpoints are stored. Default async.
   */
  durability?: 'sync' | 'async' | 'exit' | null;
  /**
   * Deprecated: false is durability exit.
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
   * Addresses for feedback that the run gives out when it has succeeded, one for each of these keys.
   */
  feedback_keys?: null | string[];
  [k: string]: unknown;
}

/**
 * Which crons, and in what order.
 */
export interface CronSearch {
  /**
   * Id of an assistant, or the name of a graph.
   */
  assistant_id?: string | null;
  thread_id?: null | string;
  enabled?: boolean | null;
  /**
   * Contained in the cron's metadata.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  limit?: number | null;
  offset?: number | null;
  /**
   * Default created_at. What has no value comes first, or last when descending.
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
 * Experiments that are judged against each other.
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
 * Which pairwise comparisons of the dataset.
 */
export interface ComparativeListQuery {
  /**
   * @maxItems 1000
   */
  id?: string[];
  name?: string;
  name_contains?: string;
  /**
   * Rows to leave out first.
   */
  offset?: number;
  /**
   * 100 without it.
   */
  limit?: number;
}

/**
 * Experiments of one dataset, compared pair by pair with a baseline.
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
   * One of them; without it the dataset's baseline, else the first.
   */
  baseline_id?: string | null;
  /**
   * The score that `only` and `sort_by` go by; the first in the alphabet without it.
   */
  feedback_key?: string | null;
  /**
   * Examples of which at least one experiment did so against the baseline.
   */
  only?: 'improved' | 'regressed' | 'unchanged' | 'changed' | 'errors' | null;
  /**
   * difference: the largest regression first; latency: the largest slowdown first.
   */
  sort_by?: 'example' | 'difference' | 'latency' | null;
  sort_order?: 'asc' | 'desc' | null;
  /**
   * Examples whose inputs or outputs have all of these texts, in any case.
   */
  full_text_contains?: null | string[];
  /**
   * Of the intervals; 0.95 without it.
   */
  confidence?: number | null;
  cursor?: string | null;
  /**
   * Rows to leave out first; instead of a cursor.
   */
  offset?: number | null;
  /**
   * The page that this example is on, pages being counted by `limit`; the first page when no row is of it.
   */
  example_id?: string | null;
  /**
   * 50 without it.
   */
  limit?: number | null;
  /**
   * Inputs and outputs longer than this as JSON come as a text cut there: `inputs_preview`, `outputs_preview`. Whole without it.
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
 * A dataset that is filled example by example.
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
   * UUID; made when it is not given.
   */
  id?: string | null;
  created_at?: string | null;
  /**
   * `metadata` in it becomes the dataset's.
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
   * jsonl has everything and can be imported; csv is flat, for spreadsheets.
   */
  format?: 'jsonl' | 'csv';
  /**
   * A time or a tag; latest without it.
   */
  as_of?: string;
}

/**
 * A dataset as a file of one form.
 */
export interface DatasetFileQuery {
  /**
   * A time or a tag; latest without it.
   */
  as_of?: string;
}

/**
 * Which datasets, and in what order.
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
   * Rows to leave out first.
   */
  offset?: number;
  /**
   * 100 without it.
   */
  limit?: number;
}

/**
 * What is given is changed.
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
   * UUID; null for none.
   */
  baseline_experiment_id?: string | null;
}

/**
 * From which version to which.
 */
export interface DatasetDiffQuery {
  from_version: string;
  to_version: string;
}

/**
 * Puts examples into a split, or takes them out.
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
 * As of when.
 */
export interface DatasetSplitsQuery {
  /**
   * A time or a tag; latest without it.
   */
  as_of?: string;
}

/**
 * Gives a version a name; the tag leaves the version that had it.
 */
export interface DatasetTagPut {
  /**
   * Time of a version, or a tag.
   */
  as_of: string;
  tag: string;
}

/**
 * An experiment that was run elsewhere. Keys that are not listed are ignored.
 */
export interface UploadExperiment {
  /**
   * Unique over all experiments and projects.
   */
  experiment_name: string;
  experiment_description?: string | null;
  /**
   * ISO 8601, with an offset or as UTC, kept to the microsecond.
   */
  experiment_start_time: string;
  /**
   * ISO 8601, with an offset or as UTC, kept to the microsecond. Not before the start.
   */
  experiment_end_time: string;
  /**
   * UUID. This or dataset_name is required.
   */
  dataset_id?: string | null;
  dataset_name?: string | null;
  /**
   * Used when the dataset is made.
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
   * UUID. Names the example in its dataset: the same row of a later upload is the same example.
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
   * Scores of the run: UploadedFeedback.
   */
  evaluation_scores?: unknown[] | null;
  /**
   * ISO 8601, with an offset or as UTC, kept to the microsecond. Inside the experiment's times.
   */
  start_time: string;
  /**
   * ISO 8601, with an offset or as UTC, kept to the microsecond. Inside the experiment's times, not before the start.
   */
  end_time: string;
  run_name?: string | null;
  error?: string | null;
  run_metadata?: {
    [k: string]: unknown;
  } | null;
}

/**
 * One of as_of and tag.
 */
export interface DatasetVersionQuery {
  as_of?: string;
  tag?: string;
}

/**
 * Which versions.
 */
export interface DatasetVersionsQuery {
  search?: string;
  example?: string;
  /**
   * Rows to leave out first.
   */
  offset?: number;
  /**
   * 100 without it.
   */
  limit?: number;
}

/**
 * Examples of a dataset with their runs in experiments.
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
 * One run of a trace, whole or in part. Keys that are not listed are ignored.
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
 * Which runs of traces. Ids leave every other condition out.
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
   * At most 100 come at once.
   */
  limit?: number | null;
}

/**
 * Of which runs.
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
 * Which experiments against which, by one feedback key.
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
 * Which examples.
 */
export interface ExampleCountQuery {
  dataset?: string;
  /**
   * @maxItems 10000
   */
  id?: string[];
  /**
   * A time or a tag; latest without it.
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
 * Which examples.
 */
export interface ExampleDeleteQuery {
  /**
   * @maxItems 10000
   */
  example_ids: string[];
}

/**
 * Which examples, and whether their older versions go too.
 */
export interface ExampleHardDelete {
  /**
   * @maxItems 10000
   */
  example_ids: string[];
  hard_delete?: boolean | null;
}

/**
 * Which examples, and in what order.
 */
export interface ExampleListQuery {
  dataset?: string;
  /**
   * @maxItems 10000
   */
  id?: string[];
  /**
   * A time or a tag; latest without it.
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
   * Only what select names, and the id.
   */
  exclude_default_fields?: boolean;
  order?: 'recent' | 'random' | 'recently_created' | 'id';
  random_seed?: number;
  descending?: boolean;
  /**
   * Rows to leave out first.
   */
  offset?: number;
  /**
   * 100 without it.
   */
  limit?: number;
}

/**
 * Operations on the metadata of examples, done in order.
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
     * set, array_add or array_remove, in any case.
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
   * A time or a tag; latest without it.
   */
  as_of?: string;
  dataset?: string;
}

/**
 * An example, whole or in part. Null leaves a field as it is.
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
  name?: string | null;
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
 * Which experiments.
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
   * jsonl has everything and can be imported; csv is flat, for spreadsheets.
   */
  format?: 'jsonl' | 'csv';
}

/**
 * Which experiments and projects, and in what order.
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
   * Contained in the metadata.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * false leaves all statistics but run_count out.
   */
  include_stats?: boolean;
  dataset_version?: string;
  sort_by?: 'name' | 'start_time' | 'last_run_start_time' | 'latency_p50' | 'latency_p99' | 'error_rate' | 'feedback';
  sort_by_desc?: boolean;
  sort_by_feedback_key?: string;
  sort_by_feedback_source?: 'session' | 'run';
  /**
   * Rows to leave out first.
   */
  offset?: number;
  /**
   * 100 without it.
   */
  limit?: number;
}

/**
 * Which metadata.
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
 * What is given and not null is changed.
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
   * false leaves all statistics but run_count out.
   */
  include_stats?: boolean;
}

/**
 * What to do when the name is taken.
 */
export interface SessionCreateQuery {
  /**
   * Answer with the one that has the name.
   */
  upsert?: boolean;
}

/**
 * How scores of a key are shown and compared.
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
 * Which configuration.
 */
export interface FeedbackConfigDeleteQuery {
  feedback_key: string;
}

/**
 * Which configurations.
 */
export interface FeedbackConfigListQuery {
  /**
   * @maxItems 1000
   */
  key?: string[];
  name_contains?: string;
  /**
   * Rows to leave out first.
   */
  offset?: number;
  /**
   * 100 without it.
   */
  limit?: number;
}

/**
 * What is given is changed.
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
   * Categories that are added to those that are there.
   */
  add_categories?:
    | null
    | {
        value: number;
        label?: string | null;
        [k: string]: unknown;
      }[];
  /**
   * Values of categories that are taken away.
   */
  remove_categories?: null | number[];
}

/**
 * A score or remark on a run or an experiment.
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
   * ISO 8601, with an offset or as UTC, kept to the microsecond.
   */
  created_at?: string | null;
  /**
   * ISO 8601, with an offset or as UTC, kept to the microsecond.
   */
  modified_at?: string | null;
  feedback_group_id?: string | null;
  comparative_experiment_id?: string | null;
  extra?: {
    [k: string]: unknown;
  } | null;
  /**
   * UUID; without it the feedback is the experiment's.
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
 * Feedback that is given by following an address.
 */
export interface FeedbackGivenQuery {
  score?: number | boolean;
  value?: string;
  comment?: string;
  correction?: string;
}

/**
 * Feedback that is given at an address; the run and the key are the address's.
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
   * Kept as metadata of the feedback's source.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
}

/**
 * Which feedback; newest first.
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
   * Rows to leave out first.
   */
  offset?: number;
  /**
   * 100 without it.
   */
  limit?: number;
}

/**
 * What is given is changed; null clears.
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
 * An address that takes feedback on a run without a key.
 */
export interface FeedbackTokenCreate {
  /**
   * UUID of a run of a trace, or of a graph.
   */
  run_id: string;
  feedback_key: string;
  /**
   * UUID of the feedback that is made. Without it one that follows from run and key.
   */
  id?: string | null;
  /**
   * Three hours when neither is given.
   */
  expires_in?: null | {
    days?: number | null;
    hours?: number | null;
    minutes?: number | null;
    [k: string]: unknown;
  };
  /**
   * ISO 8601; goes before expires_in.
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
 * Addresses of a run that have not expired, the last to expire first.
 */
export interface FeedbackTokenListQuery {
  run_id: string;
  /**
   * Rows to leave out first.
   */
  offset?: number;
  /**
   * 100 without it.
   */
  limit?: number;
}

/**
 * Where in the path.
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
 * A score that comes with an upload.
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
   * ISO 8601, with an offset or as UTC, kept to the microsecond.
   */
  created_at?: string | null;
  /**
   * ISO 8601, with an offset or as UTC, kept to the microsecond.
   */
  modified_at?: string | null;
  feedback_group_id?: string | null;
  comparative_experiment_id?: string | null;
  extra?: {
    [k: string]: unknown;
  } | null;
}

/**
 * Runs without a thread, each as for POST /runs. All are made, or none.
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
   * taken: the input of the run was taken over by another. Only with interrupt.
   */
  reason?: 'taken';
}

/**
 * What a run is asked to do. Fields that are not listed are ignored.
 */
export interface RunCreate {
  /**
   * Id of an assistant, or the name of a graph.
   */
  assistant_id: string;
  /**
   * Input of the graph, any JSON. Null or absent on a thread with a checkpoint: go on from there.
   */
  input?: {
    [k: string]: unknown;
  };
  /**
   * Overrides input: answer interrupts, change state, jump.
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
   * Kept on the run and merged into the metadata of its checkpoints.
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
   * Static context of the run; merged over the assistant's.
   */
  context?: {
    [k: string]: unknown;
  };
  /**
   * URL that is called with the run when it has ended.
   */
  webhook?: string | null;
  /**
   * "*" for every node, or a list of node names.
   */
  interrupt_before?: null | string | string[];
  /**
   * "*" for every node, or a list of node names.
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
   * Also stream what happens inside subgraphs; event names then carry the namespace.
   */
  stream_subgraphs?: boolean | null;
  /**
   * Keep the events so that readers can come back with Last-Event-ID.
   */
  stream_resumable?: boolean | null;
  /**
   * What happens to the run when the client that streams or waits goes away. Default continue.
   */
  on_disconnect?: 'cancel' | 'continue' | null;
  /**
   * Addresses for feedback that the run gives out when it has succeeded, one for each of these keys.
   */
  feedback_keys?: null | string[];
  /**
   * What to do when the thread has a run already. Default enqueue.
   */
  multitask_strategy?: 'reject' | 'rollback' | 'interrupt' | 'enqueue' | null;
  /**
   * What to do when there is no such thread. Default reject.
   */
  if_not_exists?: 'create' | 'reject' | null;
  after_seconds?: number | null;
  /**
   * When checkpoints are stored. Default async.
   */
  durability?: 'sync' | 'async' | 'exit' | null;
  /**
   * Deprecated: false is durability exit.
   */
  checkpoint_during?: boolean | null;
  /**
   * Of a run without a thread: keep leaves its thread behind. Anything else removes it.
   */
  on_completion?: string | null;
  /**
   * Fail a resume that names an interrupt which is not waiting.
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
   * Only events of these namespaces and of what lies below them, without the subagents they start. Empty text is the root.
   *
   * @maxItems 100
   */
  namespace?: string[];
  /**
   * Taken and not used: the events are those that Last-Event-ID says.
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
  )[];
}

/**
 * What of a new run is streamed.
 */
export interface RunStreamQuery {
  /**
   * Only events of these namespaces and of what lies below them, without the subagents they start. Empty text is the root.
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
 * Which runs to cancel: by status, or by thread and ids.
 */
export interface RunsCancel {
  /**
   * Every run of this status that the caller sees.
   */
  status?: 'pending' | 'running' | 'all' | null;
  /**
   * The thread of the runs.
   */
  thread_id?: string | null;
  /**
   * All of them must be pending or running, or none is cancelled.
   */
  run_ids?: null | string[];
  [k: string]: unknown;
}

/**
 * An API key to be made.
 */
export interface KeyCreate {
  /**
   * What it is for; two valid keys have different names.
   */
  name: string;
  /**
   * What it may do; everything when not given. No key gives what it does not have itself.
   */
  scopes?: null | string[];
  /**
   * When it ends by itself; never when not given.
   */
  expires_at?: null | string;
}

/**
 * Path of an API key.
 */
export interface KeyParams {
  key: string;
}

/**
 * How the figures are written.
 */
export interface MetricsQuery {
  format?: 'prometheus' | 'json';
  /**
   * Figures of these names alone, with `format=json`.
   *
   * @maxItems 100
   */
  names?: string[];
}

/**
 * How far the server looks before it says that it is well.
 */
export interface OkQuery {
  /**
   * Also read the store.
   */
  check_db?: boolean;
}

/**
 * Components for a page, by the name they have in `ui` of langgraph.json.
 */
export interface UiParams {
  agent: string;
  file?: string;
}

/**
 * Which component is to be shown.
 */
export interface UiRequest {
  name: string;
}

/**
 * Which item.
 */
export interface ItemDelete {
  namespace?: string[] | null;
  key: string;
  [k: string]: unknown;
}

/**
 * Which item.
 */
export interface ItemParams {
  /**
   * One value with periods between labels, or a value for each label.
   */
  namespace?: string[];
  key: string;
  /**
   * Reading starts the time to live anew. Default store.ttl.refresh_on_read.
   */
  refresh_ttl?: boolean;
}

/**
 * An item of long-term memory.
 */
export interface ItemPut {
  /**
   * Labels from the outermost on; none is empty or has a period.
   */
  namespace?: string[] | null;
  key: string;
  value: {
    [k: string]: unknown;
  };
  /**
   * What a semantic search looks at: false for nothing, paths into the value, or null for what is configured.
   */
  index?: (false | null) | string[];
  /**
   * Minutes to live. Default store.ttl.default_ttl; null is for ever.
   */
  ttl?: number | null;
  [k: string]: unknown;
}

/**
 * Which items, newest update first.
 */
export interface ItemSearch {
  /**
   * In this namespace and below it. Default all.
   */
  namespace_prefix?: string[] | null;
  /**
   * What members of the value must be: a value, or operators $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin.
   */
  filter?: {
    [k: string]: unknown;
  } | null;
  /**
   * Words to search for by their meaning, where that is configured.
   */
  query?: string | null;
  limit?: number | null;
  offset?: number | null;
  /**
   * Reading starts the time to live anew. Default store.ttl.refresh_on_read.
   */
  refresh_ttl?: boolean | null;
  [k: string]: unknown;
}

/**
 * Which namespaces.
 */
export interface NamespaceList {
  /**
   * What they begin with; * stands for any one label.
   */
  prefix?: string[] | null;
  /**
   * What they end with; * stands for any one label.
   */
  suffix?: string[] | null;
  /**
   * Labels that are shown of each.
   */
  max_depth?: number | null;
  limit?: number | null;
  offset?: number | null;
  [k: string]: unknown;
}

/**
 * Which states, newest first.
 */
export interface HistoryListQuery {
  limit?: number;
  /**
   * A checkpoint id, or a checkpoint or config as JSON; only older states are shown.
   */
  before?: string;
  /**
   * JSON. Contained in the checkpoint's metadata.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * JSON. Its checkpoint_ns is the graph in the graph whose states are shown.
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
   * Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one of the values.
   *
   * @maxItems 1000
   */
  select?: string[];
}

/**
 * Which states, newest first.
 */
export interface HistoryQuery {
  /**
   * Default 10.
   */
  limit?: number | null;
  /**
   * A checkpoint id, a checkpoint or a config; only older states are shown.
   */
  before?:
    | null
    | string
    | {
        [k: string]: unknown;
      };
  /**
   * Contained in the checkpoint's metadata.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Its checkpoint_ns is the graph in the graph whose states are shown.
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
   * Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one of the values.
   */
  select?: null | string[];
  [k: string]: unknown;
}

/**
 * A command of the second event protocol. What its method wants is checked with it, and answered in an envelope.
 */
export interface ProtocolCommand {
  id: number;
  method: string;
  params?: {};
}

/**
 * Which events of a thread are streamed.
 */
export interface ProtocolSubscription {
  /**
   * @minItems 1
   * @maxItems 100
   */
  channels: string[];
  /**
   * Beginnings of namespaces; everything without it.
   *
   * @maxItems 100
   */
  namespaces?: string[][] | null;
  /**
   * How far below such a beginning.
   */
  depth?: number | null;
  /**
   * The last `seq` that the client has; without it all that is kept.
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
   * Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one of the values.
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
 * What to show of a state.
 */
export interface StateQuery {
  subgraphs?: boolean;
  /**
   * Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one of the values.
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
   * What the node would have written: an object, or a list of pairs. Null with as_node: the node is done.
   */
  values?: {
    [k: string]: unknown;
  };
  /**
   * The node that the update counts as. Left out: the one that wrote last.
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
   * As checkpoint.checkpoint_id.
   */
  checkpoint_id?: string | null;
  [k: string]: unknown;
}

/**
 * Which threads to count.
 */
export interface ThreadCount {
  /**
   * One of these.
   */
  ids?: null | string[];
  /**
   * Contained in the thread's metadata.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Contained in the thread's latest values.
   */
  values?: {
    [k: string]: unknown;
  } | null;
  status?: 'idle' | 'busy' | 'interrupted' | 'error' | null;
  /**
   * Paths that lead somewhere, such as metadata.owner or values.messages[0].
   */
  exists?: null | string[];
  /**
   * Occurs in a string of the thread's latest values or metadata, in any case; or its id begins with it. Space around it does not count.
   */
  text?: string | null;
  /**
   * Conditions of which at least one holds.
   */
  or?: null | Condition[];
  /**
   * A condition that does not hold.
   */
  not?: null | Condition;
  [k: string]: unknown;
}
/**
 * Which threads: all that is named holds.
 */
export interface Condition {
  /**
   * One of these.
   */
  ids?: null | string[];
  /**
   * Contained in the thread's metadata.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Contained in the thread's latest values.
   */
  values?: {
    [k: string]: unknown;
  } | null;
  status?: 'idle' | 'busy' | 'interrupted' | 'error' | null;
  /**
   * Paths that lead somewhere, such as metadata.owner or values.messages[0].
   */
  exists?: null | string[];
  /**
   * Occurs in a string of the thread's latest values or metadata, in any case; or its id begins with it. Space around it does not count.
   */
  text?: string | null;
  /**
   * Conditions of which at least one holds.
   */
  or?: null | Condition[];
  /**
   * A condition that does not hold.
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
   * A history to begin with; metadata.graph_id says whose.
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
   * How many minutes without activity the thread is kept.
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
   * Newest states that are kept; null: as many as the server's configuration says.
   */
  keep_last?: number | null;
  [k: string]: unknown;
}

/**
 * How a thread is taken in.
 */
export interface ThreadImportQuery {
  /**
   * Under another id than it had.
   */
  new_id?: boolean;
}

/**
 * Which threads, and in what order.
 */
export interface ThreadListQuery {
  /**
   * One of these.
   *
   * @maxItems 1000
   */
  ids?: string[];
  /**
   * JSON. Contained in the thread's metadata.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * JSON. Contained in the thread's latest values.
   */
  values?: {
    [k: string]: unknown;
  };
  status?: 'idle' | 'busy' | 'interrupted' | 'error';
  /**
   * Paths that lead somewhere, such as metadata.owner or values.messages[0].
   *
   * @maxItems 100
   */
  exists?: string[];
  /**
   * Occurs in a string of the thread's latest values or metadata, in any case; or its id begins with it. Space around it does not count.
   */
  text?: string;
  /**
   * JSON. Conditions of which at least one holds.
   *
   * @minItems 1
   * @maxItems 100
   */
  or?: Condition[];
  /**
   * JSON. A condition that does not hold.
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
   * JSON. Names of your choosing, and the paths to what is shown under them in extracted.
   */
  extract?: {
    [k: string]: string;
  };
  /**
   * Of extracted texts so many characters are shown; other parts that are longer are null.
   */
  extract_chars_max?: number;
  /**
   * * for the first page, then what x-pagination-cursor said.
   */
  cursor?: string;
}
/**
 * Which threads: all that is named holds.
 */
export interface Condition {
  /**
   * One of these.
   */
  ids?: null | string[];
  /**
   * Contained in the thread's metadata.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Contained in the thread's latest values.
   */
  values?: {
    [k: string]: unknown;
  } | null;
  status?: 'idle' | 'busy' | 'interrupted' | 'error' | null;
  /**
   * Paths that lead somewhere, such as metadata.owner or values.messages[0].
   */
  exists?: null | string[];
  /**
   * Occurs in a string of the thread's latest values or metadata, in any case; or its id begins with it. Space around it does not count.
   */
  text?: string | null;
  /**
   * Conditions of which at least one holds.
   */
  or?: null | Condition[];
  /**
   * A condition that does not hold.
   */
  not?: null | Condition;
}

/**
 * Metadata to merge into a thread's.
 */
export interface ThreadPatch {
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * How many minutes without activity the thread is kept.
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
   * Newest states that are kept; null: as many as the server's configuration says.
   */
  keep_last?: number | null;
  [k: string]: unknown;
}

/**
 * Threads to delete, or to thin out.
 */
export interface ThreadPrune {
  /**
   * @maxItems 1000
   */
  thread_ids: string[];
  /**
   * Default delete. keep_latest: all but the newest state goes.
   */
  strategy?: 'delete' | 'keep_latest' | null;
  [k: string]: unknown;
}

/**
 * What to show of a thread besides.
 */
export interface ThreadQuery {
  include?: 'ttl'[];
}

/**
 * Which threads, and in what order.
 */
export interface ThreadSearch {
  /**
   * One of these.
   */
  ids?: null | string[];
  /**
   * Contained in the thread's metadata.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Contained in the thread's latest values.
   */
  values?: {
    [k: string]: unknown;
  } | null;
  status?: 'idle' | 'busy' | 'interrupted' | 'error' | null;
  /**
   * Paths that lead somewhere, such as metadata.owner or values.messages[0].
   */
  exists?: null | string[];
  /**
   * Occurs in a string of the thread's latest values or metadata, in any case; or its id begins with it. Space around it does not count.
   */
  text?: string | null;
  /**
   * Conditions of which at least one holds.
   */
  or?: null | Condition[];
  /**
   * A condition that does not hold.
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
   * Names of your choosing, and the paths to what is shown under them in extracted.
   */
  extract?: null | {
    [k: string]: string;
  };
  /**
   * Of extracted texts so many characters are shown; other parts that are longer are null.
   */
  extract_chars_max?: number | null;
  /**
   * * for the first page, then what x-pagination-cursor said.
   */
  cursor?: string | null;
  [k: string]: unknown;
}
/**
 * Which threads: all that is named holds.
 */
export interface Condition {
  /**
   * One of these.
   */
  ids?: null | string[];
  /**
   * Contained in the thread's metadata.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Contained in the thread's latest values.
   */
  values?: {
    [k: string]: unknown;
  } | null;
  status?: 'idle' | 'busy' | 'interrupted' | 'error' | null;
  /**
   * Paths that lead somewhere, such as metadata.owner or values.messages[0].
   */
  exists?: null | string[];
  /**
   * Occurs in a string of the thread's latest values or metadata, in any case; or its id begins with it. Space around it does not count.
   */
  text?: string | null;
  /**
   * Conditions of which at least one holds.
   */
  or?: null | Condition[];
  /**
   * A condition that does not hold.
   */
  not?: null | Condition;
}

/**
 * What of a thread is streamed. Default run_modes.
 */
export interface ThreadStreamQuery {
  /**
   * run_modes: all events of all runs, and the end of each. lifecycle: start and end of each run. state_update: the state after each run or update.
   *
   * @maxItems 10
   */
  stream_mode?: ('run_modes' | 'lifecycle' | 'state_update')[];
  /**
   * Another name of stream_mode.
   *
   * @maxItems 10
   */
  stream_modes?: ('run_modes' | 'lifecycle' | 'state_update')[];
}
