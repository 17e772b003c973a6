import { Auth, HTTPException, isStudioUser } from '@langchain/langgraph-sdk/auth';

interface TestUser {
  identity: string;
  permissions: string[];
  role: string;
  provider: { token: string };
}

/** Put together here, so that a test which looks for it finds no source. */
const SECRET = ['planted', 'user', 'secret'].join('-');

function userOf(identity: string, role: string): [token: string, user: TestUser] {
  return [
    `token-of-${identity}`,
    { identity, role, permissions: [role], provider: { token: `${SECRET}-${identity}` } },
  ];
}

const USERS = Object.fromEntries([
  userOf('alice', 'member'),
  userOf('bob', 'member'),
  userOf('carol', 'admin'),
  userOf('reader', 'reader'),
]);

/** Blocks its thread without using the CPU, which the other tests need. */
const block = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);

/** What a handler does that goes wrong. */
const TROUBLE: Record<string, () => unknown> = {
  loop: block,
  slow: () => new Promise((resolve) => setTimeout(() => resolve(userOf('alice', 'member')[1]), 100)),
  hang: () => new Promise(() => undefined),
  throw: () => {
    throw new Error('the directory is down');
  },
  exit: () => process.exit(7),
  nobody: () => ({ role: 'member' }),
  nothing: () => undefined,
  late: () =>
    new Promise((resolve) =>
      setTimeout(() => {
        setTimeout(block);
        resolve('late');
      }, 50),
    ),
  studio: () => ({ identity: 'someone', kind: 'StudioUser' }),
  circle: () => {
    const user: Record<string, unknown> = { identity: 'circle' };
    user['self'] = user;
    return user;
  },
};

export const auth = new Auth()
  .authenticate((request) => {
    const token = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
    if (Object.hasOwn(TROUBLE, token)) return TROUBLE[token]!() as TestUser;
    const user = USERS[token];
    if (user === undefined)
      throw new HTTPException(401, {
        message: 'Who are you?',
        headers: { 'www-authenticate': 'Bearer realm="test"', 'x-reason': 'no-token' },
      });
    return user;
  })
  .on('*', ({ value, user }) => {
    if (isStudioUser(user) || (user as { role?: string }).role === 'admin') return true;
    const shown = value as { metadata?: Record<string, unknown> };
    shown.metadata ??= {};
    shown.metadata['owner'] = user.identity;
    return { owner: user.identity };
  })
  .on('threads:delete', ({ user }) =>
    (user as { role?: string }).role === 'reader' ? false : { owner: user.identity },
  )
  .on('threads:update', ({ value, user }) => {
    if ((user as { role?: string }).role === 'reader') return 'no' as unknown as boolean;
    value.metadata = { ...value.metadata, owner: user.identity };
    return { $or: [{ owner: user.identity }, { readers: { $contains: user.identity } }] } as unknown as {
      owner: string;
    };
  });

/** What is no Auth object. */
export const nothing = { authenticate: () => 'anyone' };
export const unfinished = new Auth();
