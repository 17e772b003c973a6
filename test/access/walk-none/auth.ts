import { Auth } from '@langchain/langgraph-sdk/auth';

/** Says who it is, and never asks what they may. */
export const auth = new Auth().authenticate(() => ({ identity: 'someone', permissions: [] }));
