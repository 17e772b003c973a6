import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { fetchJson } from '../../api/http.js';
import { Badge, type BadgeVariant } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { NewKeyDialog } from './new-key-dialog.js';

export interface ApiKey {
  key_id: string;
  name: string;
  scopes: string[];
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  state: 'valid' | 'expired' | 'revoked';
}

const STATE_VARIANTS: Readonly<Record<ApiKey['state'], BadgeVariant>> = {
  valid: 'good',
  expired: 'warn',
  revoked: 'neutral',
};

const STATE_NAMES: Readonly<Record<ApiKey['state'], string>> = {
  valid: 'Valid',
  expired: 'Expired',
  revoked: 'Revoked',
};

/** API keys with their scopes, last use and expiry. `isSignInOn`: requests need a key or a session in any case. */
export function Keys({ isSignInOn }: { isSignInOn: boolean }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['server', 'keys'],
    queryFn: ({ signal }) => fetchJson<ApiKey[]>('server/keys', { signal }),
  });
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      <Panel
        title="API keys"
        flush
        actions={
          <Button small variant="primary" onPress={() => setCreating(true)}>
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
            <EmptyState title="No API keys">
              {isSignInOn
                ? 'People sign in. Programs need a key.'
                : 'Without keys, everyone who can reach the server has full access. Create a key to require authentication.'}
            </EmptyState>
          }
          columns={[
            { id: 'name', name: 'Name', cell: ({ name }) => name },
            {
              id: 'state',
              name: 'State',
              cell: ({ state }) => <Badge variant={STATE_VARIANTS[state]}>{STATE_NAMES[state]}</Badge>,
            },
            {
              id: 'scopes',
              name: 'Scopes',
              cell: ({ scopes }) => (scopes.includes('*') ? 'All' : scopes.join(', ')),
            },
            { id: 'used', name: 'Last used', cell: ({ last_used_at: at }) => <Time at={at} /> },
            { id: 'made', name: 'Created', wideOnly: true, cell: ({ created_at: at }) => <Time at={at} /> },
            {
              id: 'expires',
              name: 'Expires',
              wideOnly: true,
              cell: ({ expires_at: at }) => <Time at={at} mayBeAhead />,
            },
            { id: 'id', name: 'ID', wideOnly: true, cell: ({ key_id: id }) => <code>{id}</code> },
            {
              id: 'revoke',
              name: '',
              cell: (key) =>
                key.state === 'revoked' ? null : (
                  <Button small variant="quiet" onPress={() => setRevoked(key)} aria-label={`Revoke ${key.name}`}>
                    Revoke
                  </Button>
                ),
            },
          ]}
        />
      </Panel>
      {isCreating ? (
        <NewKeyDialog
          first={data.length === 0 && !isSignInOn}
          onClose={() => {
            setCreating(false);
            void refetch();
          }}
        />
      ) : null}
      <ConfirmDialog
        title={`Revoke ${revoked?.name ?? ''}?`}
        isOpen={revoked !== null}
        confirmLabel="Revoke"
        onClose={() => setRevoked(null)}
        onConfirm={async () => {
          await fetchJson(`server/keys/${encodeURIComponent(revoked!.key_id)}`, { method: 'DELETE' });
          showToast('Key revoked.');
          await refetch();
        }}
      >
        The server rejects the key from now on and closes its open streams. Runs that it started continue.
      </ConfirmDialog>
    </>
  );
}
