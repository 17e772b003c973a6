/** Parameters of the read `runs.match`. */
export interface RunMatch {
  id: string;
  /** In the filter language of runs: on the run, the root of its trace, and any step of it; null: all match. */
  filter: string | null;
  traceFilter: string | null;
  treeFilter: string | null;
  /** Fields of the run to return; null: all. */
  select: readonly string[] | null;
}
