import { Page } from '../../components/page.js';
import { useQueryString } from '../../components/query-string.js';
import { Tabs } from '../../components/tabs.js';
import { Keys } from './keys.js';
import { Load } from './load.js';
import { Queue } from './queue.js';
import { Storage } from './storage.js';
import { ServerVersions } from './server-versions.js';

/** Operation of the server: load, queue, storage and API keys. */
export default function Routes() {
  const [query, change] = useQueryString();
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
          { id: 'keys', name: 'API keys', content: <Keys /> },
        ]}
      />
    </Page>
  );
}
