import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ask } from '../../api/http.js';
import { Badge, type BadgeLook } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Confirm } from '../../components/dialog.js';
import { Empty, ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { say } from '../../components/toast.js';
import { NewKey } from './new-key.js';

export interface ApiKey {
  key_id: string;
  name: string;
  scopes: string[];
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  state: 'valid' | 'expired' | 'revoked';
}

const LOOKS: Readonly<Record<ApiKey['state'], BadgeLook>> = { valid: 'good', expired: 'warn', revoked: 'still' };

/** Keys for programs: what each may do, when it was last used, and its end. */
export function Keys() {
  const { data, error, refetch } = useQuery({
    queryKey: ['server', 'keys'],
    queryFn: ({ signal }) => ask<ApiKey[]>('server/keys', { signal }),
  });
  const [making, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      <Panel
        title="API keys"
        flush
        actions={
          <Button small look="primary" onPress={() => setMaking(true)}>
            <Plus size={14} aria-hidden />
            New key
          </Button>
        }
      >
        <Table
          label="API keys"
          items={data}
          idOf={({ key_id: id }) => id}
          empty={
            <Empty title="There is no key.">
              Everyone who reaches the server may do everything; from the first key on, nobody without one.
            </Empty>
          }
          columns={[
            { id: 'name', name: 'Name', cell: ({ name }) => name },
            { id: 'state', name: 'State', cell: ({ state }) => <Badge look={LOOKS[state]}>{state}</Badge> },
            {
              id: 'scopes',
              name: 'May do',
              cell: ({ scopes }) => (scopes.includes('*') ? 'everything' : scopes.join(', ')),
            },
            { id: 'used', name: 'Last used', cell: ({ last_used_at: at }) => <Time at={at} /> },
            { id: 'made', name: 'Made', wideOnly: true, cell: ({ created_at: at }) => <Time at={at} /> },
            { id: 'expires', name: 'Expires', wideOnly: true, cell: ({ expires_at: at }) => <Time at={at} /> },
            { id: 'id', name: 'Id', wideOnly: true, cell: ({ key_id: id }) => <code>{id}</code> },
            {
              id: 'revoke',
              name: '',
              cell: (key) =>
                key.state === 'revoked' ? null : (
                  <Button small look="quiet" onPress={() => setRevoked(key)} aria-label={`Revoke ${key.name}`}>
                    Revoke
                  </Button>
                ),
            },
          ]}
        />
      </Panel>
      {making ? (
        <NewKey
          first={data.length === 0}
          onClose={() => {
            setMaking(false);
            void refetch();
          }}
        />
      ) : null}
      <Confirm
        title={`Revoke ${revoked?.name ?? ''}`}
        isOpen={revoked !== null}
        verb="Revoke the key"
        onClose={() => setRevoked(null)}
        onConfirm={async () => {
          await ask(`server/keys/${encodeURIComponent(revoked!.key_id)}`, { method: 'DELETE' });
          say('The key is revoked.');
          await refetch();
        }}
      >
        From then on it is refused, and what is open for it breaks off. Runs that it started go on.
      </Confirm>
    </>
  );
}
