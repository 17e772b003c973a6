import { Auth } from '@langchain/langgraph-sdk/auth';

/** Lets nobody do anything. */
export const auth = new Auth().authenticate(() => ({ identity: 'someone', permissions: [] })).on('*', () => false);
