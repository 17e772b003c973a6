import { Auth } from '@langchain/langgraph-sdk/auth';

/** Reads of threads say whose they are, and forget to ask for it. */
export const auth = new Auth()
  .authenticate(() => ({ identity: 'someone', permissions: [] }))
  .on('*', ({ value, user }) => {
    const shown = value as { metadata?: Record<string, unknown> };
    shown.metadata = { ...shown.metadata, owner: user.identity };
    return { owner: user.identity };
  })
  .on('threads:read', ({ value, user }) => {
    (value as { metadata?: Record<string, unknown> }).metadata = { owner: user.identity };
  });
