import { KeyCreate, KeyParams } from '../../../schemas/compiled/validators.js';
import { KEYS, SERVER } from '../../domain/actions.js';
import { keyJson, makeKey, revokeKey } from '../../services/access/api-keys.js';
import { queueState } from '../../services/runs/queue.js';
import { dataFile } from '../../store/files/data-file.js';
import { ALL_SCOPES } from '../../store/access/key-scopes.js';
import { download } from '../streams/download.js';
import { defineRoute, json } from '../route.js';

// For whoever runs the server, beside the figures of /metrics. Ours; other Agent Servers do not have them.

const queue = defineRoute({
  method: 'get',
  path: '/server/queue',
  action: SERVER,
  summary: 'Runs that have not ended, what they wait for, and the oldest of them',
  handle: async ({ exchange }, services) =>
    json(await services.turns.run(queueState(services), () => exchange.aborted)),
});

const storage = defineRoute({
  method: 'get',
  path: '/server/storage',
  action: SERVER,
  summary: 'How much is stored of what; goes through the whole file',
  handle: ({ caller, exchange }, { stores, evaluation }) =>
    download(
      exchange,
      evaluation,
      evaluation.pool.openExport('server.sizes', caller, { dataFile: dataFile(stores.store.folder) }),
    ),
});

const list = defineRoute({
  method: 'get',
  path: '/server/keys',
  action: KEYS,
  summary: 'API keys, those that expired or were revoked too',
  handle: (_context, { apiKeys, clock }) =>
    json(JSON.stringify(apiKeys.list().map((key) => keyJson(key, clock.nowMs())))),
});

const create = defineRoute({
  method: 'post',
  path: '/server/keys',
  action: KEYS,
  summary: 'Make an API key; its text is in this answer and nowhere else',
  body: KeyCreate,
  schemas: { body: 'KeyCreate' },
  handle({ body: { name, scopes, expires_at: expires }, caller }, { apiKeys, clock }) {
    const { key, text } = makeKey(apiKeys, caller, {
      name,
      scopes: scopes ?? ALL_SCOPES,
      expiresAtMs: expires == null ? null : Date.parse(expires),
    });
    return json(JSON.stringify({ ...keyJson(key, clock.nowMs()), key: text }), { 'cache-control': 'no-store' });
  },
});

const revoke = defineRoute({
  method: 'delete',
  path: '/server/keys/:key',
  action: KEYS,
  summary: 'Revoke an API key; what it is used for ends at once',
  params: KeyParams,
  schemas: { params: 'KeyParams' },
  handle: ({ params, caller }, { apiKeys, clock }) =>
    json(JSON.stringify(keyJson(revokeKey(apiKeys, caller, params.key), clock.nowMs()))),
});

export const serverRoutes = [queue, storage, list, create, revoke];
