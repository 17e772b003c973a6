import { useQuery } from '@tanstack/react-query';
import { whoAmI, WHO_AM_I } from '../../api/sign-in.js';
import { Loading } from '../../components/note.js';
import { Page } from '../../components/page.js';
import { useQueryString } from '../../components/query-string.js';
import { Tabs } from '../../components/tabs.js';
import { Audit } from './audit.js';
import { Backups } from './backups.js';
import { Keys } from './keys.js';
import { Nodes } from './nodes.js';
import { Overview } from './overview.js';
import { Queue } from './queue.js';
import { Storage } from './storage.js';
import { ServerVersions } from './server-versions.js';
import { Sessions } from './sessions.js';
import { useInfo } from '../../shared/use-info.js';
import { Webhooks } from './webhooks.js';

/** Keys, and the people who signed in, if anybody can. */
function Access() {
  const { data: who } = useQuery({ queryKey: WHO_AM_I, queryFn: ({ signal }) => whoAmI(signal), staleTime: Infinity });
  if (who === undefined) return <Loading />;
  const isSignInOn = who.sign_in !== null;
  return (
    <>
      <Keys isSignInOn={isSignInOn} />
      {isSignInOn ? <Sessions ownId={who.caller?.kind === 'person' ? who.caller.session_id : null} /> : null}
    </>
  );
}

/** Operation of the server: health, queue, storage, webhooks, backups, keys, audit log, nodes of a cluster. */
export default function Routes() {
  const [query, change] = useQueryString();
  const isCluster = useInfo()?.metadata.cluster === true;
  return (
    <Page title="Server" about={<ServerVersions />}>
      <Tabs
        label="Server views"
        value={query.get('tab') ?? 'overview'}
        // A filter of one tab means nothing to another.
        onChange={(tab) => change({ tab, status: null, details: null })}
        tabs={[
          { id: 'overview', name: 'Overview', content: <Overview /> },
          { id: 'queue', name: 'Queue', content: <Queue /> },
          { id: 'storage', name: 'Storage', content: <Storage /> },
          { id: 'webhooks', name: 'Webhooks', content: <Webhooks /> },
          { id: 'backups', name: 'Backups', content: <Backups /> },
          { id: 'keys', name: 'API keys', content: <Access /> },
          { id: 'audit', name: 'Audit log', content: <Audit /> },
          // While it is not known, an address of this tab shows it.
          ...(isCluster || query.get('tab') === 'nodes' ? [{ id: 'nodes', name: 'Nodes', content: <Nodes /> }] : []),
        ]}
      />
    </Page>
  );
}
