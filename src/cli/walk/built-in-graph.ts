import { dirname } from 'node:path';
import type { Project } from '../../config/config.js';
import { walkGraphFile } from '../../pool/graphs/bundle.js';
import { WALK_GRAPH } from './records.js';

/**
 * The project with the built-in echo graph in place of its own graphs, so that no model is called, and without backups,
 * which would be those of a temporary folder, and without a budget, which could refuse the walk.
 */
export function withBuiltInGraph(project: Project): Project {
  const file = walkGraphFile();
  // The built-in graph needs Threadmill's own copy of LangGraph, which is found from this root.
  return {
    ...project,
    root: dirname(file),
    backups: null,
    stateBudget: null,
    graphs: [{ graphId: WALK_GRAPH, file, exportName: 'graph', description: null }],
  };
}
