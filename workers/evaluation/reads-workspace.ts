import { isoMicros } from '../../src/base/micros.js';
import { visibleDatasets } from '../../src/store/evaluation/datasets.js';
import { visibleExperiments } from '../../src/store/evaluation/experiments.js';
import { jsonObject, TENANT_ID } from './records-json.js';
import type { QueryHandler } from './read.js';

/** The whole server is one workspace, without a history of its own. */
const settings: QueryHandler<unknown> = () =>
  jsonObject({ id: TENANT_ID, display_name: 'Threadmill', created_at: isoMicros(0), tenant_handle: null });

const stats: QueryHandler<unknown> = (caches, caller) =>
  jsonObject({
    tenant_id: TENANT_ID,
    dataset_count: [...visibleDatasets(caches.reader, caller)].length,
    tracer_session_count: [...visibleExperiments(caches.reader, caller)].length,
    repo_count: 0,
    annotation_queue_count: 0,
    deployment_count: 0,
    dashboards_count: 0,
  });

export const workspaceReads = { 'workspace.settings': settings, 'workspace.stats': stats };
