import {
  CodeDeploy,
  CodeVersionParams,
  ServerHistoryQuery,
  KeyCreate,
  KeyParams,
  NodeParams,
} from '../../../schemas/compiled/validators.js';
import { fail } from '../../base/errors.js';
import { isoTime } from '../../base/clock.js';
import {
  IMPORT_THREADS,
  MANAGE_KEYS,
  MANAGE_NODES,
  DEPLOY_CODE,
  READ_CODE,
  READ_METRICS,
  READ_SERVER,
} from '../../domain/actions.js';
import { keyJson, createKey, revokeKey } from '../../services/access/api-keys.js';
import { drainNode, nodesJson, undoDrain } from '../../services/cluster/nodes.js';
import { deployedJson } from '../../services/code/code-deployer.js';
import { loadedVersionJson, versionsJson } from '../../services/code/code-json.js';
import { historyJson } from '../../services/history/read-history.js';
import { queueState } from '../../services/runs/queue.js';
import { countMissingSample, loadSample } from '../../services/sample/load-sample.js';
import { lastBackup } from '../../store/last-backup.js';
import { dataFile } from '../../store/files/data-file.js';
import { ALL_SCOPES } from '../../store/access/key-scopes.js';
import { streamExport } from '../streams/download.js';
import { defineRoute, jsonReply } from '../route.js';

// Routes for operators, in addition to /metrics. These are Threadmill's own; the Agent Server does not have
// them.

const getQueueRoute = defineRoute({
  method: 'get',
  path: '/server/queue',
  action: READ_SERVER,
  summary: 'Show the unfinished runs, what they are waiting for, and the oldest ones',
  handle: async ({ exchange }, services) =>
    jsonReply(await services.timeSlicer.run(queueState(services), () => exchange.aborted)),
});

const getStorageRoute = defineRoute({
  method: 'get',
  path: '/server/storage',
  action: READ_SERVER,
  summary: 'Show the stored size per kind of record, and of the states per thread; reads the whole file',
  handle: ({ caller, exchange }, { stores, evaluation, clock, stateBudgets }) =>
    streamExport(
      exchange,
      evaluation,
      evaluation.pool.openExport('server.storage', caller, {
        dataFile: dataFile(stores.store.folder),
        nowMs: clock.nowMs(),
        budget: stateBudgets?.budget ?? null,
      }),
    ),
});

const getHistoryRoute = defineRoute({
  method: 'get',
  path: '/server/history',
  action: READ_METRICS,
  summary: 'Show the load of the server over time: runs, waits, requests, workers, memory and storage',
  query: ServerHistoryQuery,
  schemas: { query: 'ServerHistoryQuery' },
  handle: async ({ query, exchange }, services) =>
    jsonReply(
      await services.timeSlicer.run(
        historyJson(services, {
          start: query.start ?? null,
          end: query.end ?? null,
          stepSeconds: query.step_seconds ?? null,
        }),
        () => exchange.aborted,
      ),
    ),
});

const listCodeRoute = defineRoute({
  method: 'get',
  path: '/server/code',
  action: READ_SERVER,
  summary: 'List the versions of the code of each graph that are kept, the last used ones first',
  handle: (_context, services) => jsonReply(versionsJson(services)),
});

const getCodeRoute = defineRoute({
  method: 'get',
  path: '/server/code/:version',
  action: READ_CODE,
  summary: 'Get a version of the code of graphs, with everything that another machine needs to run it',
  params: CodeVersionParams,
  schemas: { params: 'CodeVersionParams' },
  handle: ({ params }, services) =>
    jsonReply(loadedVersionJson(services, params.version), { 'cache-control': 'no-store' }),
});

const deployCodeRoute = defineRoute({
  method: 'post',
  path: '/server/code',
  action: DEPLOY_CODE,
  summary: 'Load the code of the graphs again, or other code, for new runs. Runs that execute keep theirs',
  body: CodeDeploy,
  schemas: { body: 'CodeDeploy' },
  async handle({ body }, { deployer }) {
    if (deployer === null) throw fail('DEPLOY_REFUSED', { reason: 'in a cluster, replace the nodes one by one.' });
    return jsonReply(JSON.stringify(deployedJson(await deployer.deploy(body.config ?? null))));
  },
});

const getBackupRoute = defineRoute({
  method: 'get',
  path: '/server/backup',
  action: READ_SERVER,
  summary: 'Show the last backup, and the schedule with the files that it has written',
  async handle(_context, { stores, scheduledBackups }) {
    const last = lastBackup(stores.store);
    return jsonReply(
      JSON.stringify({
        last: last === null ? null : { made_at: isoTime(last.madeAtMs), bytes: last.bytes },
        schedule: (await scheduledBackups?.toJson()) ?? null,
      }),
    );
  },
});

const countSampleRoute = defineRoute({
  method: 'get',
  path: '/server/sample',
  action: READ_SERVER,
  summary: 'Count the threads and experiments that POST /server/sample would create',
  handle: (_context, services) => jsonReply(JSON.stringify(countMissingSample(services))),
});

const loadSampleRoute = defineRoute({
  method: 'post',
  path: '/server/sample',
  // Like an import: it adds records for everybody.
  action: IMPORT_THREADS,
  summary: 'Create sample threads and experiments that do not exist yet, and count them',
  handle: async ({ caller }, services) => jsonReply(JSON.stringify(await loadSample(services, caller))),
});

const listKeysRoute = defineRoute({
  method: 'get',
  path: '/server/keys',
  action: MANAGE_KEYS,
  summary: 'List the API keys, including expired and revoked ones',
  handle: (_context, { apiKeys, clock }) =>
    jsonReply(JSON.stringify(apiKeys.list().map((key) => keyJson(key, clock.nowMs())))),
});

const createKeyRoute = defineRoute({
  method: 'post',
  path: '/server/keys',
  action: MANAGE_KEYS,
  summary: 'Create an API key; only this response contains its text',
  body: KeyCreate,
  schemas: { body: 'KeyCreate' },
  async handle({ body: { name, scopes, expires_at: expires }, caller }, { apiKeys, clock }) {
    const { key, text } = await createKey(apiKeys, caller, {
      name,
      scopes: scopes ?? ALL_SCOPES,
      expiresAtMs: expires == null ? null : Date.parse(expires),
    });
    return jsonReply(JSON.stringify({ ...keyJson(key, clock.nowMs()), key: text }), { 'cache-control': 'no-store' });
  },
});

const revokeKeyRoute = defineRoute({
  method: 'delete',
  path: '/server/keys/:key',
  action: MANAGE_KEYS,
  summary: 'Revoke an API key, and end its requests at once',
  params: KeyParams,
  schemas: { params: 'KeyParams' },
  handle: async ({ params, caller }, { apiKeys, clock }) =>
    jsonReply(JSON.stringify(keyJson(await revokeKey(apiKeys, caller, params.key), clock.nowMs()))),
});

const listNodesRoute = defineRoute({
  method: 'get',
  path: '/server/nodes',
  action: READ_SERVER,
  summary: 'List the nodes of the cluster, with their roles, copies and runs; none without a cluster',
  handle: async ({ caller }, services) => jsonReply(await nodesJson(services, caller)),
});

const drainNodeRoute = defineRoute({
  method: 'post',
  path: '/server/nodes/:node/drain',
  action: MANAGE_NODES,
  summary: 'Take a node of the cluster out of service; its runs go on until they end',
  params: NodeParams,
  schemas: { params: 'NodeParams' },
  handle: async ({ params }, services) => jsonReply(await drainNode(services, params.node)),
});

const undoDrainRoute = defineRoute({
  method: 'delete',
  path: '/server/nodes/:node/drain',
  action: MANAGE_NODES,
  summary: 'Put a drained node of the cluster back into service',
  params: NodeParams,
  schemas: { params: 'NodeParams' },
  handle: async ({ params }, services) => jsonReply(await undoDrain(services, params.node)),
});

export const serverRoutes = [
  getQueueRoute,
  getStorageRoute,
  getHistoryRoute,
  listCodeRoute,
  getCodeRoute,
  deployCodeRoute,
  getBackupRoute,
  countSampleRoute,
  loadSampleRoute,
  listKeysRoute,
  createKeyRoute,
  revokeKeyRoute,
  listNodesRoute,
  drainNodeRoute,
  undoDrainRoute,
];
