import { Auth, HTTPException } from '@langchain/langgraph-sdk/auth';

interface Asked {
  namespace: string[];
  key?: string;
  value?: Record<string, unknown>;
  index?: unknown;
  filter?: Record<string, unknown> | null;
  limit?: number;
  metadata: Record<string, unknown>;
}

/** A token is a name and how the handler treats its user: `ada:scoped`. */
export const auth = new Auth()
  .authenticate((request) => {
    const [identity, manner] = (request.headers.get('authorization') ?? '').replace('Bearer ', '').split(':');
    if (!identity || !manner) throw new HTTPException(401);
    return { identity, permissions: [manner] };
  })
  .on('threads', () => true)
  .on('store', ({ value, user, permissions, event }): boolean | Record<string, string> => {
    const asked = value as unknown as Asked;
    switch (permissions[0]) {
      // As the official examples do: everyone has a namespace of their own.
      case 'scoped':
        asked.namespace = [user.identity, ...asked.namespace];
        return true;
      case 'checked':
        if (asked.namespace[0] !== user.identity)
          throw new HTTPException(403, { message: 'This namespace is not yours.' });
        return true;
      case 'filtered':
        return { team: 'blue' };
      // By what stands in it, in the place that counts: the key, or the namespace.
      case 'keyed':
        return { $or: [{ key: 'mine' }, { namespace: { $contains: 'mine' } }] } as unknown as Record<string, string>;
      case 'stamping':
        asked.metadata['owner'] = user.identity;
        return { owner: user.identity };
      case 'changing':
        if (asked.value) asked.value = { ...asked.value, by: user.identity };
        if (asked.key) asked.key = `${asked.key}!`;
        if (event === 'store:search') Object.assign(asked, { filter: { by: user.identity }, limit: 1 });
        return true;
      case 'breaking':
        asked.namespace = ['a.b'];
        return true;
      case 'nonsense':
        asked.namespace = 'ada' as unknown as string[];
        return true;
      case 'emptying':
        asked.namespace = [];
        return true;
      case 'refused':
        return false;
      // Says what it was shown.
      default:
        throw new HTTPException(418, { message: JSON.stringify({ event, ...asked }) });
    }
  });
