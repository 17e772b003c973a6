import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchJson } from '../../api/http.js';
import type { BrowserSession } from '../../api/sign-in.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { ROLE_NAMES } from '../../shared/roles.js';

/** The people who signed in, with their browsers. */
export function Sessions({ ownId }: { ownId: string | null }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['server', 'sessions'],
    queryFn: ({ signal }) => fetchJson<BrowserSession[]>('server/sessions', { signal }),
  });
  const [ending, setEnding] = useState<BrowserSession | null>(null);
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      <Panel title="People who are signed in" flush>
        <Table
          label="People who are signed in"
          items={data}
          idOf={({ session_id: id }) => id}
          empty={
            <EmptyState title="Nobody is signed in">People appear here when they sign in to the console.</EmptyState>
          }
          columns={[
            { id: 'name', name: 'Name', cell: ({ name }) => <span dir="auto">{name}</span> },
            { id: 'role', name: 'Role', cell: ({ role }) => <Badge variant="neutral">{ROLE_NAMES[role]}</Badge> },
            { id: 'email', name: 'Email', wideOnly: true, cell: ({ email }) => <span dir="auto">{email ?? '–'}</span> },
            { id: 'since', name: 'Signed in', cell: ({ created_at: at }) => <Time at={at} /> },
            { id: 'until', name: 'Ends', wideOnly: true, cell: ({ expires_at: at }) => <Time at={at} /> },
            {
              id: 'end',
              name: '',
              cell: (session) =>
                session.session_id === ownId ? (
                  <span className="soft">This browser</span>
                ) : (
                  <Button
                    small
                    variant="quiet"
                    onPress={() => setEnding(session)}
                    aria-label={`Sign out ${session.name}`}
                  >
                    Sign out
                  </Button>
                ),
            },
          ]}
        />
      </Panel>
      <ConfirmDialog
        title={`Sign out ${ending?.name ?? ''}?`}
        isOpen={ending !== null}
        confirmLabel="Sign out"
        onClose={() => setEnding(null)}
        onConfirm={async () => {
          await fetchJson(`server/sessions/${ending!.session_id}`, { method: 'DELETE' });
          showToast('Signed out.');
          await refetch();
        }}
      >
        The server ends this session in one browser, with its open streams. The person can sign in again while the
        identity provider allows it.
      </ConfirmDialog>
    </>
  );
}
