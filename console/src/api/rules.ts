import { fetchJson } from './http.js';

/** Rules that act on stored runs (docs/rules.md). */

export type RuleTrigger = 'end' | 'feedback';

/** Fields that people change. */
export interface RuleChanges {
  display_name: string;
  /** Null: the projects of all assistants. */
  session_id: string | null;
  trigger: RuleTrigger;
  filter: string | null;
  tree_filter: string | null;
  /** From 0 to 1. */
  sampling_rate: number;
  runs_per_hour: number;
  add_to_dataset_id: string | null;
  add_to_dataset_prefer_correction: boolean;
  dataset_inputs_path: string | null;
  dataset_outputs_path: string | null;
  dataset_split: readonly string[] | null;
  add_to_annotation_queue_id: string | null;
  evaluators: readonly string[];
}

export interface Rule extends RuleChanges {
  id: string;
  is_enabled: boolean;
  /** It is in langgraph.json. */
  read_only: boolean;
  /** Where it comes from. */
  source: string;
  /** Of a rule of langgraph.json: only runs of these; null: of all. */
  assistants: readonly string[] | null;
  /** Names of what it uses; null if it is deleted, or hidden from this person. */
  session_name: string | null;
  add_to_dataset_name: string | null;
  add_to_annotation_queue_name: string | null;
  matched_count: number;
  acted_count: number;
  dropped_count: number;
  last_acted_at: string | null;
  last_error: string | null;
}

const BASE = 'api/v1/runs/rules';
const at = (id: string): string => `${BASE}/${encodeURIComponent(id)}`;

export const rules = {
  list: (signal?: AbortSignal) => fetchJson<Rule[]>(BASE, { signal }),
  create: (body: RuleChanges) => fetchJson<Rule>(BASE, { method: 'POST', body }),
  update: (id: string, body: Partial<RuleChanges> | { is_enabled: boolean }) =>
    fetchJson<Rule>(at(id), { method: 'PATCH', body }),
  delete: (id: string) => fetchJson(at(id), { method: 'DELETE' }),
};
