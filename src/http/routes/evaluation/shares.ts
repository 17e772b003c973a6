import {
  DatasetParams,
  DatasetShareQuery,
  EvaluationRunParams,
  PublicExampleListQuery,
  PublicParams,
  PublicRunParams,
  PublicRunQuery,
  PublicSelectQuery,
  PublicSessionListQuery,
  RunShare,
} from '../../../../schemas/compiled/validators.js';
import { SERVER_CALLER } from '../../../domain/caller.js';
import { fail } from '../../../base/errors.js';
import { canonicalUuid } from '../../../base/ids.js';
import type { Needs } from '../../../services/context.js';
import {
  currentShare,
  datasetSubject,
  findShare,
  share,
  traceSubject,
  unshare,
} from '../../../services/evaluation/shares.js';
import type { ShareKind, ShareRecord } from '../../../store/evaluation/shares.js';
import { defineRoute, jsonReply, type Reply } from '../../route.js';
import { runQuery } from './run-query.js';

/** Whoever has the token of a link may read it, from any page. */
const PUBLIC_READ = { action: 'public', crossSite: 'always', errors: 'evaluation' } as const;

const datasetShareReply = (datasetId: string, record: ShareRecord | null): Reply =>
  jsonReply(
    JSON.stringify(
      record === null
        ? null
        : { dataset_id: datasetId, share_token: record.token, share_projects: record.withExperiments },
    ),
  );
const runShareReply = (runId: string, record: ShareRecord | null): Reply =>
  jsonReply(JSON.stringify(record === null ? null : { run_id: runId, share_token: record.token }));

export const getDatasetShareRoute = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/share',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'Get the public link of a dataset; null without one',
  params: DatasetParams,
  schemas: { params: 'DatasetParams' },
  handle({ params: { dataset_id: id }, caller }, { evaluation }) {
    return datasetShareReply(id, currentShare(evaluation, datasetSubject(evaluation, caller, id)));
  },
});

export const shareDatasetRoute = defineRoute({
  method: 'put',
  path: '/datasets/:dataset_id/share',
  action: 'datasets:update',
  errors: 'evaluation',
  // The JavaScript client sends JSON as text/plain.
  bodyTypes: ['json', 'text'],
  summary: 'Create a public link to a dataset',
  params: DatasetParams,
  query: DatasetShareQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetShareQuery' },
  async handle({ params: { dataset_id: id }, query, caller }, { evaluation, scheduler }) {
    scheduler.checkIntake();
    const subject = datasetSubject(evaluation, caller, id);
    const withExperiments = query.share_projects ?? null;
    return datasetShareReply(id, await share(evaluation, subject, { token: null, withExperiments }));
  },
});

export const unshareDatasetRoute = defineRoute({
  method: 'delete',
  path: '/datasets/:dataset_id/share',
  action: 'datasets:update',
  errors: 'evaluation',
  summary: 'Revoke the public link of a dataset',
  params: DatasetParams,
  schemas: { params: 'DatasetParams' },
  async handle({ params: { dataset_id: id }, caller }, { evaluation, scheduler }) {
    scheduler.checkIntake();
    await unshare(evaluation, datasetSubject(evaluation, caller, id));
    return jsonReply('{}');
  },
});

export const getRunShareRoute = defineRoute({
  method: 'get',
  path: '/runs/:run_id/share',
  action: 'evaluation_runs:read',
  errors: 'evaluation',
  summary: 'Get the public link of a run and its trace; null without one',
  params: EvaluationRunParams,
  schemas: { params: 'EvaluationRunParams' },
  handle({ params: { run_id: id }, caller }, { evaluation }) {
    return runShareReply(id, currentShare(evaluation, traceSubject(evaluation, caller, id)));
  },
});

export const shareRunRoute = defineRoute({
  method: 'put',
  path: '/runs/:run_id/share',
  action: 'evaluation_runs:update',
  errors: 'evaluation',
  bodyTypes: ['json', 'text'],
  summary: 'Create a public link to a run and its trace',
  params: EvaluationRunParams,
  body: RunShare,
  schemas: { params: 'EvaluationRunParams', body: 'RunShare' },
  async handle({ params: { run_id: id }, body, caller }, { evaluation, scheduler }) {
    scheduler.checkIntake();
    const subject = traceSubject(evaluation, caller, id);
    const token = body.share_token == null ? null : canonicalUuid(body.share_token);
    return runShareReply(id, await share(evaluation, subject, { token, withExperiments: false }));
  },
});

export const unshareRunRoute = defineRoute({
  method: 'delete',
  path: '/runs/:run_id/share',
  action: 'evaluation_runs:update',
  errors: 'evaluation',
  summary: 'Revoke the public link of a run and its trace',
  params: EvaluationRunParams,
  schemas: { params: 'EvaluationRunParams' },
  async handle({ params: { run_id: id }, caller }, { evaluation, scheduler }) {
    scheduler.checkIntake();
    await unshare(evaluation, traceSubject(evaluation, caller, id));
    return jsonReply('{}');
  },
});

export const shareRunV2Route = defineRoute({
  method: 'post',
  path: '/runs/:run_id/share',
  action: 'evaluation_runs:update',
  errors: 'problem',
  summary: 'Create a public link to a run and its trace',
  params: EvaluationRunParams,
  schemas: { params: 'EvaluationRunParams' },
  async handle({ params: { run_id: id }, caller }, { evaluation, scheduler }) {
    scheduler.checkIntake();
    const subject = traceSubject(evaluation, caller, id);
    const { token } = await share(evaluation, subject, { token: null, withExperiments: false });
    return jsonReply(JSON.stringify({ share_token: token }));
  },
});

export const unshareRunV2Route = defineRoute({
  method: 'delete',
  path: '/runs/:run_id/share',
  action: 'evaluation_runs:update',
  errors: 'problem',
  summary: 'Revoke the public link of a run and its trace',
  params: EvaluationRunParams,
  schemas: { params: 'EvaluationRunParams' },
  async handle({ params: { run_id: id }, caller }, { evaluation, scheduler }) {
    scheduler.checkIntake();
    await unshare(evaluation, traceSubject(evaluation, caller, id));
    return { status: 204, body: '' };
  },
});

/** Runs a query on what the link shares. The link is the permission, so the query itself is limited to its subject. */
function querySubject(
  services: Needs<'evaluation'>,
  kind: ShareKind,
  token: string,
  [name, params]: [name: string, params: object],
): Promise<Reply> {
  const found = findShare(services.evaluation, token);
  if (found.kind !== kind) throw fail('SHARE_NOT_FOUND', {});
  return runQuery(services, SERVER_CALLER, name, {
    ...params,
    share: {
      subject_id: found.subjectId,
      generation: found.generation,
      token: found.token,
      with_experiments: found.withExperiments,
    },
  });
}

export const getPublicDatasetRoute = defineRoute({
  method: 'get',
  path: '/public/:token/datasets',
  ...PUBLIC_READ,
  summary: 'Get a shared dataset',
  params: PublicParams,
  schemas: { params: 'PublicParams' },
  handle: ({ params: { token } }, services) => querySubject(services, 'dataset', token, ['public.dataset', {}]),
});

export const listPublicExamplesRoute = defineRoute({
  method: 'get',
  path: '/public/:token/examples',
  ...PUBLIC_READ,
  summary: 'List the examples of a shared dataset',
  params: PublicParams,
  query: PublicExampleListQuery,
  schemas: { params: 'PublicParams', query: 'PublicExampleListQuery' },
  handle: ({ params: { token }, query }, services) =>
    querySubject(services, 'dataset', token, ['public.examples', query]),
});

export const countPublicExamplesRoute = defineRoute({
  method: 'get',
  path: '/public/:token/examples/count',
  ...PUBLIC_READ,
  summary: 'Count the examples of a shared dataset',
  params: PublicParams,
  schemas: { params: 'PublicParams' },
  handle: ({ params: { token } }, services) => querySubject(services, 'dataset', token, ['public.count', {}]),
});

export const listPublicSessionsRoute = defineRoute({
  method: 'get',
  path: '/public/:token/datasets/sessions',
  ...PUBLIC_READ,
  summary: 'List the experiments of a dataset that is shared with them',
  params: PublicParams,
  query: PublicSessionListQuery,
  schemas: { params: 'PublicParams', query: 'PublicSessionListQuery' },
  handle: ({ params: { token }, query }, services) =>
    querySubject(services, 'dataset', token, ['public.sessions', query]),
});

export const getPublicRootRunRoute = defineRoute({
  method: 'get',
  path: '/public/:token/run',
  ...PUBLIC_READ,
  summary: 'Get the root run of a shared trace',
  params: PublicParams,
  schemas: { params: 'PublicParams' },
  handle: ({ params: { token } }, services) => querySubject(services, 'trace', token, ['public.run', {}]),
});

export const getPublicRunRoute = defineRoute({
  method: 'get',
  path: '/public/:token/run/:run_id',
  ...PUBLIC_READ,
  summary: 'Get a run of a shared trace',
  params: PublicRunParams,
  schemas: { params: 'PublicRunParams' },
  handle: ({ params: { token, run_id } }, services) =>
    querySubject(services, 'trace', token, ['public.run', { run_id }]),
});

export const queryPublicRunsRoute = defineRoute({
  method: 'post',
  path: '/public/:token/runs/query',
  ...PUBLIC_READ,
  summary: 'List the runs of a shared trace',
  params: PublicParams,
  body: PublicRunQuery,
  schemas: { params: 'PublicParams', body: 'PublicRunQuery' },
  handle: ({ params: { token }, body }, services) =>
    querySubject(services, 'trace', token, ['public.runs', { id: body.id, envelope: true }]),
});

/** `listSharedRuns` of the JavaScript client leaves out the question mark: `/public/{token}/runsshare_token=…`. */
export const listPublicRunsRoute = defineRoute({
  method: 'get',
  path: '/public/:token/:runs',
  ...PUBLIC_READ,
  summary: 'List the runs of a shared trace, as a bare list',
  params: PublicParams,
  schemas: { params: 'PublicParams' },
  handle({ params: { token, runs = '' }, exchange }, services) {
    if (!/^runs(?:share_token=|$)/.test(runs)) throw fail('ROUTE_NOT_FOUND', { method: 'GET', path: exchange.path });
    const ids = new URLSearchParams(runs === 'runs' ? exchange.query : runs.slice('runs'.length)).getAll('id');
    return querySubject(services, 'trace', token, ['public.runs', { id: ids, envelope: false }]);
  },
});

export const getPublicRunV2Route = defineRoute({
  method: 'get',
  path: '/public/:token/run/:run_id',
  action: 'public',
  crossSite: 'always',
  errors: 'problem',
  summary: 'Get a run of a shared trace',
  params: PublicRunParams,
  query: PublicSelectQuery,
  schemas: { params: 'PublicRunParams', query: 'PublicSelectQuery' },
  handle: ({ params: { token, run_id }, query: { selects } }, services) =>
    querySubject(services, 'trace', token, ['v2.public.run', { run_id, selects }]),
});

export const queryPublicRunsV2Route = defineRoute({
  method: 'post',
  path: '/public/:token/runs/query',
  action: 'public',
  crossSite: 'always',
  errors: 'problem',
  summary: 'List the runs of a shared trace',
  params: PublicParams,
  body: PublicSelectQuery,
  schemas: { params: 'PublicParams', body: 'PublicSelectQuery' },
  handle: ({ params: { token }, body: { selects } }, services) =>
    querySubject(services, 'trace', token, ['v2.public.runs', { selects }]),
});

export const shareRoutes = [
  getDatasetShareRoute,
  shareDatasetRoute,
  unshareDatasetRoute,
  getRunShareRoute,
  shareRunRoute,
  unshareRunRoute,
  getPublicDatasetRoute,
  listPublicExamplesRoute,
  countPublicExamplesRoute,
  listPublicSessionsRoute,
  getPublicRootRunRoute,
  getPublicRunRoute,
  queryPublicRunsRoute,
  listPublicRunsRoute,
];

export const shareV2Routes = [shareRunV2Route, unshareRunV2Route, getPublicRunV2Route, queryPublicRunsV2Route];
