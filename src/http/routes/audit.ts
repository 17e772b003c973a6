import { AuditQuery } from '../../../schemas/compiled/validators.js';
import { LIMITS } from '../../base/limits.js';
import { READ_AUDIT } from '../../domain/actions.js';
import { auditJson } from '../../services/access/audit.js';
import { defineRoute, jsonReply } from '../route.js';

const time = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));

const listAuditRoute = defineRoute({
  method: 'get',
  path: '/server/audit',
  action: READ_AUDIT,
  summary: 'List what was changed by whom, and who signed in, newest first',
  query: AuditQuery,
  schemas: { query: 'AuditQuery' },
  handle({ query }, { audit }) {
    const filter = {
      action: query.action ?? null,
      actor: query.actor ?? null,
      record: query.record ?? null,
      sinceMs: time(query.since),
      untilMs: time(query.until),
      failed: query.failed ?? false,
    };
    const page = { after: query.after ?? null, limit: query.limit ?? LIMITS.auditPage };
    const { entries, next } = audit.log.page(filter, page);
    return jsonReply(JSON.stringify({ entries: entries.map(auditJson), next }), { 'cache-control': 'no-store' });
  },
});

export const auditRoutes = [listAuditRoute];
