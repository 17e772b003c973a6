import { Auth, HTTPException } from '@langchain/langgraph-sdk/auth';

/** As little as a handler can do: a user by a header, records by their owner. */
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
