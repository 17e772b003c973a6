import { Auth } from '@langchain/langgraph-sdk/auth';

/** Lists are filtered; whoever knows an id gets all the same. Evaluation results are nobody's to use. */
export const auth = new Auth()
  .authenticate(() => ({ identity: 'someone', permissions: [] }))
  .on('*', ({ value, user }) => {
    const shown = value as { metadata?: Record<string, unknown> };
    shown.metadata = { ...shown.metadata, owner: user.identity };
    return true;
  })
  .on('*:search' as 'threads:search', ({ user }) => ({ owner: user.identity }))
  .on('datasets' as 'threads', () => false)
  .on('experiments' as 'threads', () => false);
