import type { StateBudgetAction } from '../domain/state-budget.js';

/** `GET /server/storage`. */
export interface StorageJson {
  kinds: { kind: string; records: number; bytes: number }[];
  state: StateProfileJson;
}

/** Where the bytes of the states of threads are. Every list has its largest first. */
export interface StateProfileJson {
  at: string;
  /** Stored bytes with keys, also of deleted threads. */
  bytes: number;
  threads: number;
  /** Of deleted threads, which are removed in the background. */
  deleted_bytes: number;
  /** False if there are more threads or owners than are summed. Some are then not listed. */
  is_complete: boolean;
  largest_threads: {
    thread_id: string;
    /** `title` of the metadata. */
    title: string | null;
    graph_id: string | null;
    owner: string | null;
    bytes: number;
    updated_at: string;
    is_over_budget: boolean;
  }[];
  /** Null: threads without an owner. */
  owners: ({ owner: string | null; threads: number } & GrownBytes)[];
  graphs: ({ graph_id: string; threads: number } & GrownBytes)[];
  /** The largest threads, which `channels` and `namespaces` are about. */
  measured: { threads: number; bytes: number };
  /** `pending_bytes`: the part of the bytes that is in writes of tasks, such as those of an unfinished step. */
  channels: ({ channel: string; threads: number; pending_bytes: number } & GrownBytes)[];
  /** Subgraphs without the ids of their calls; the root is the empty name. */
  namespaces: ({ namespace: string; threads: number; checkpoints: number } & GrownBytes)[];
  /** Null while no earlier profile is old enough. */
  growth: { day: GrowthJson | null; week: GrowthJson | null };
  /** One entry a day, oldest first. */
  history: { at: string; bytes: number; threads: number }[];
  budget: {
    thread_bytes: number;
    on_exceed: StateBudgetAction;
    keep_last: number | null;
    threads_over: number;
  } | null;
}

export interface GrownBytes {
  bytes: number;
  /** Since the profiles of `growth`. Null: there is none, or it does not list this row. */
  grown: { day: number | null; week: number | null };
}

export interface GrowthJson {
  since: string;
  /** Of all threads. Negative if the state has become smaller. */
  bytes: number;
  /** `is_at_least`: the earlier profile does not list the thread, so that it may have grown by more. */
  threads: { thread_id: string; title: string | null; bytes: number; grown_bytes: number; is_at_least: boolean }[];
}
