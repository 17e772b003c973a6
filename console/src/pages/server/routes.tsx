import { useQuery } from '@tanstack/react-query';
import { whoAmI, WHO_AM_I } from '../../api/sign-in.js';
import { Loading } from '../../components/note.js';
import { Page } from '../../components/page.js';
import { useQueryString } from '../../components/query-string.js';
import { Tabs } from '../../components/tabs.js';
import { Audit } from './audit.js';
import { Keys } from './keys.js';
import { Load } from './load.js';
import { Nodes } from './nodes.js';
import { Queue } from './queue.js';
import { Storage } from './storage.js';
import { ServerVersions } from './server-versions.js';
import { Sessions } from './sessions.js';
import { useInfo } from './use-info.js';

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

/** Operation of the server: load, queue, storage, API keys, and the nodes of a cluster. */
export default function Routes() {
  const [query, change] = useQueryString();
  const isCluster = useInfo()?.metadata.cluster === true;
  return (
    <Page title="Server" about={<ServerVersions />}>
      <Tabs
        label="Server views"
        value={query.get('tab') ?? 'load'}
        onChange={(tab) => change({ tab })}
        tabs={[
          { id: 'load', name: 'Load', content: <Load /> },
          { id: 'queue', name: 'Queue', content: <Queue /> },
          { id: 'storage', name: 'Storage', content: <Storage /> },
          { id: 'keys', name: 'API keys', content: <Access /> },
          { id: 'audit', name: 'Audit log', content: <Audit /> },
          // While it is not known, an address of this tab shows it.
          ...(isCluster || query.get('tab') === 'nodes' ? [{ id: 'nodes', name: 'Nodes', content: <Nodes /> }] : []),
        ]}
      />
    </Page>
  );
}
