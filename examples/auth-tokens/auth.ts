import { createHash, timingSafeEqual } from 'node:crypto';
import { Auth, HTTPException } from '@langchain/langgraph-sdk/auth';

/** AUTH_TOKENS: `ada=<sha256 of her token>,bob=<…>`. The tokens themselves are not stored. */
const users = (process.env['AUTH_TOKENS'] ?? '')
  .split(',')
  .filter(Boolean)
  .map((entry) => {
    const [, identity, hash] = /^([\w.-]+)=([0-9a-f]{64})$/.exec(entry.trim()) ?? [];
    if (identity === undefined)
      throw new Error('AUTH_TOKENS must be name=sha256, with commas between; sha256 as 64 hex digits.');
    return { identity, hash: Buffer.from(hash!, 'hex') };
  });
if (users.length === 0) throw new Error('AUTH_TOKENS must be set: nobody could come in.');

/** Actions that write a record. They also set its owner. */
const WRITES = ['create', 'update', 'create_run', 'put'];

export const auth = new Auth()
  .authenticate((request) => {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
    const hash = createHash('sha256').update(token).digest();
    let identity: string | undefined;
    // Compares with all hashes, so that the time reveals nothing.
    for (const user of users) if (timingSafeEqual(hash, user.hash)) identity = user.identity;
    if (identity === undefined)
      throw new HTTPException(401, { message: "This token is nobody's.", headers: { 'www-authenticate': 'Bearer' } });
    // Returns only the name of a secret. The graph fetches the secret when it needs it.
    return { identity, permissions: [], mail_secret: `mail/${identity}` };
  })
  .on('*', ({ action, value, user }) => {
    const record = value as { metadata?: Record<string, unknown> };
    if (WRITES.includes(action)) record.metadata = { ...record.metadata, owner: user.identity };
    return { owner: user.identity };
  });
