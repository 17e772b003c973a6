import { Auth, HTTPException } from '@langchain/langgraph-sdk/auth';

/** A minimal auth handler: the user comes from a header, and records belong to their owner. */
export const auth = new Auth()
  .authenticate((request) => {
    const identity = request.headers.get('x-user');
    if (identity === null) throw new HTTPException(401, { message: 'no user' });
    return { identity, permissions: [] };
  })
  .on('*', ({ value, user }) => {
    if ('metadata' in value) value.metadata = { ...value.metadata, owner: user.identity };
    return { owner: user.identity };
  });
