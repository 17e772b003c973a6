import { useWhoAmI } from '../../api/use-who-am-i.js';
import { useFindDenial, type Needs } from '../../components/needs.js';
import { EmptyState, Loading } from '../../components/note.js';
import { Page } from '../../components/page.js';
import { useQueryString } from '../../components/query-string.js';
import { Tabs, type TabItem } from '../../components/tabs.js';
import { Audit } from './audit.js';
import { Backups } from './backups.js';
import { Code } from './code.js';
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
  const { data: who } = useWhoAmI();
  if (who === undefined) return <Loading />;
  const isSignInOn = who.sign_in !== null;
  return (
    <>
      <Keys isSignInOn={isSignInOn} />
      {isSignInOn ? <Sessions ownId={who.caller?.kind === 'person' ? who.caller.session_id : null} /> : null}
    </>
  );
}

/**
 * Operation of the server: health, queue, storage, code versions, webhooks, backups, keys, audit log, nodes of a
 * cluster.
 */
export default function Routes() {
  const [query, change] = useQueryString();
  const isCluster = useInfo()?.metadata.cluster === true;
  const findDenial = useFindDenial();
  const tabs = [
    { id: 'overview', name: 'Overview', needs: 'metrics:read', content: <Overview /> },
    { id: 'queue', name: 'Queue', needs: 'server:read', content: <Queue /> },
    { id: 'storage', name: 'Storage', needs: 'server:read', content: <Storage /> },
    { id: 'code', name: 'Code', needs: 'server:read', content: <Code /> },
    { id: 'webhooks', name: 'Webhooks', needs: 'threads:search', content: <Webhooks /> },
    { id: 'backups', name: 'Backups', needs: 'server:read', content: <Backups /> },
    { id: 'keys', name: 'API keys', needs: 'server:keys', content: <Access /> },
    { id: 'audit', name: 'Audit log', needs: 'server:audit', content: <Audit /> },
    // While it is not known, an address of this tab shows it.
    ...(isCluster || query.get('tab') === 'nodes'
      ? [{ id: 'nodes', name: 'Nodes', needs: 'server:read' as const, content: <Nodes /> }]
      : []),
  ] satisfies (TabItem & { needs: Needs })[];
  const allowed = tabs.filter(({ needs }) => findDenial(needs) === null);
  const shown = allowed.find(({ id }) => id === query.get('tab')) ?? allowed[0];
  return (
    <Page title="Server" about={<ServerVersions />}>
      {shown === undefined ? (
        <EmptyState title="Not allowed">{findDenial('server:read')}.</EmptyState>
      ) : (
        <Tabs
          label="Server views"
          value={shown.id}
          // A filter of one tab means nothing to another.
          onChange={(tab) => change({ tab, status: null, details: null })}
          tabs={allowed}
        />
      )}
    </Page>
  );
}
