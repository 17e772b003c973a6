import { createHash, randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';

interface Test {
  teardown(callback: () => unknown): void;
}

export const CLIENT_ID = 'threadmill';
export const CLIENT_SECRET = 'secret of the client at the provider';

/** How the ID tokens of a provider differ from right ones. */
export interface Forgery {
  claims?: JWTPayload;
  /** `none`: without a signature; `other`: signed with a key that the provider does not publish. */
  signature?: 'none' | 'other';
}

export interface IdentityProvider {
  issuer: string;
  /** Claims of the person who signs in next. */
  person: JWTPayload;
  /** Claims that only the UserInfo endpoint has. */
  userInfo: JWTPayload;
  forgery: Forgery;
  /** Error with which the next authorization ends. */
  refusal: string | null;
  /** Path whose requests are never answered. */
  silentPath: string | null;
  /** Queries of the authorizations so far. */
  authorizations: URLSearchParams[];
  close(): Promise<void>;
}

/** A small OpenID provider on loopback: whoever comes is `person`, without a page that asks. */
export async function identityProvider(t: Test, port = 0): Promise<IdentityProvider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const { privateKey: otherKey } = await generateKeyPair('RS256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'first', alg: 'RS256', use: 'sig' }] };
  const codes = new Map<string, URLSearchParams>();

  const idToken = (claims: JWTPayload): Promise<string> | string => {
    const { signature } = provider.forgery;
    if (signature === 'none') return new UnsecuredJWT(claims).encode();
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'first' })
      .sign(signature === 'other' ? otherKey : privateKey);
  };

  const exchangeCode = async (form: URLSearchParams, authorization: string): Promise<object | null> => {
    const asked = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const basic = Buffer.from(`${encodeURIComponent(CLIENT_ID)}:${encodeURIComponent(CLIENT_SECRET)}`).toString();
    const sent = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString();
    const isClient = decodeURIComponent(sent.replaceAll('+', ' ')) === decodeURIComponent(basic);
    if (asked === undefined || !isClient || asked.get('code_challenge') !== challenge) return null;
    if (asked.get('redirect_uri') !== form.get('redirect_uri')) return null;
    const now = Math.floor(Date.now() / 1_000);
    const claims: JWTPayload = {
      iss: provider.issuer,
      aud: CLIENT_ID,
      iat: now,
      exp: now + 60,
      nonce: asked.get('nonce') ?? '',
      ...provider.person,
      ...provider.forgery.claims,
    };
    return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token: await idToken(claims) };
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url!, provider.issuer);
    if (url.pathname === provider.silentPath) return;
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      switch (url.pathname) {
        case '/.well-known/openid-configuration':
          return sendJson(response, {
            issuer: provider.issuer,
            authorization_endpoint: `${provider.issuer}/authorize`,
            token_endpoint: `${provider.issuer}/token`,
            jwks_uri: `${provider.issuer}/jwks`,
            userinfo_endpoint: `${provider.issuer}/userinfo`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['RS256'],
          });
        case '/jwks':
          return sendJson(response, jwks);
        case '/userinfo':
          return sendJson(response, { sub: provider.person.sub, ...provider.userInfo });
        case '/token': {
          const form = new URLSearchParams(Buffer.concat(parts).toString());
          const tokens = await exchangeCode(form, request.headers.authorization ?? '');
          return sendJson(response, tokens ?? { error: 'invalid_grant' }, tokens === null ? 400 : 200);
        }
        default: {
          provider.authorizations.push(url.searchParams);
          const back = new URL(url.searchParams.get('redirect_uri')!);
          back.searchParams.set('state', url.searchParams.get('state')!);
          if (provider.refusal === null) {
            const code = randomUUID();
            codes.set(code, url.searchParams);
            back.searchParams.set('code', code);
          } else back.searchParams.set('error', provider.refusal);
          return response.writeHead(302, { location: back.href }).end();
        }
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const provider: IdentityProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    person: { sub: 'ada-1', name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true },
    userInfo: {},
    forgery: {},
    refusal: null,
    silentPath: null,
    authorizations: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  t.teardown(() => (server.listening ? provider.close() : undefined));
  return provider;
}

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
