import { Auth, HTTPException } from '@langchain/langgraph-sdk/auth';
import { errors, jwtVerify } from 'jose';

const secret = process.env['JWT_SECRET'] ?? '';
if (secret.length < 32) throw new Error('JWT_SECRET must be set to what signs the tokens, 32 characters at least.');
const key = new TextEncoder().encode(secret);

/** Actions that write a record. They also set its owner. */
const WRITES = ['create', 'update', 'create_run', 'put'];

export const auth = new Auth()
  .authenticate(async (request) => {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (token === undefined) throw unauthorized('Send a token: Authorization: Bearer <token>.');
    try {
      // The server chooses the algorithm, not the token. Tokens without an expiry are rejected.
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        audience: 'threadmill',
        requiredClaims: ['sub', 'exp'],
      });
      return {
        identity: payload.sub!,
        display_name: String(payload['name'] ?? payload.sub),
        permissions: String(payload['scope'] ?? '')
          .split(' ')
          .filter(Boolean),
      };
    } catch (error) {
      throw unauthorized(error instanceof errors.JWTExpired ? 'The token has expired.' : 'The token is not valid.');
    }
  })
  .on('*', ({ action, value, user }) => {
    const record = value as { metadata?: Record<string, unknown> };
    if (WRITES.includes(action)) record.metadata = { ...record.metadata, owner: user.identity };
    return { owner: user.identity };
  });

function unauthorized(message: string): HTTPException {
  return new HTTPException(401, { message, headers: { 'www-authenticate': 'Bearer' } });
}
