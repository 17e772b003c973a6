// Replaces the identity provider that creates tokens for your users: node token.mjs <identity> [scope]
import { SignJWT } from 'jose';

const [identity, scope = ''] = process.argv.slice(2);
if (identity === undefined) throw new Error('usage: node token.mjs <identity> [scope]');
const token = await new SignJWT({ name: identity[0].toUpperCase() + identity.slice(1), scope })
  .setProtectedHeader({ alg: 'HS256' })
  .setSubject(identity)
  .setAudience('threadmill')
  .setIssuedAt()
  .setExpirationTime('1h')
  .sign(new TextEncoder().encode(process.env['JWT_SECRET']));
console.log(token);
