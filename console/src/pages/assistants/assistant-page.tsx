import type { Assistant } from '@langchain/langgraph-sdk';
import { MessagesSquare, Pencil, Play } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { client } from '../../api/client.js';
import { Badge } from '../../components/badge.js';
import { Button, ButtonLink } from '../../components/button.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { Checkbox } from '../../components/field.js';
import { consoleHref } from '../../components/console-href.js';
import { deleteAction, Menu } from '../../components/menu.js';
import { RUN } from '../../components/needs.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { Page } from '../../components/page.js';
import { useQueryString } from '../../components/query-string.js';
import { Tabs } from '../../components/tabs.js';
import { showToast } from '../../components/toast.js';
import { CopyAs } from '../../shared/copy-as.js';
import { sameAssistantRequest } from './assistant-requests.js';
import { reloadAssistants, isDefaultAssistant, useAssistant } from './data.js';
import { AssistantDialog } from './assistant-dialog.js';
import { GraphTab } from './graph-tab.js';
import { OverviewTab } from './overview-tab.js';
import { SchemasTab } from './schemas-tab.js';
import { VersionsTab } from './versions-tab.js';

const CRUMBS = [{ name: 'Assistants', to: consoleHref('/assistants') }];

/** One assistant, by its id or the name of its graph. */
export function AssistantPage({ id }: { id: string }) {
  const { data, error, refetch } = useAssistant(id);
  if (data !== undefined) return <AssistantDetails assistant={data} />;
  return (
    <Page title="Assistant" crumbs={CRUMBS}>
      {error === null ? <Loading /> : <ErrorNote error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

function AssistantDetails({ assistant }: { assistant: Assistant }) {
  const [query, change] = useQueryString();
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = (): void => setDialog(null);
  const id = assistant.assistant_id;
  return (
    <Page
      title={assistant.name || 'Untitled'}
      crumbs={CRUMBS}
      about={assistant.description ? <span dir="auto">{assistant.description}</span> : undefined}
      badge={
        <>
          <Badge>v{assistant.version}</Badge>
          {isDefaultAssistant(assistant) ? <Badge variant="info">Default</Badge> : null}
        </>
      }
      actions={
        <>
          <CopyAs request={sameAssistantRequest(assistant)} />
          <ButtonLink to={consoleHref('/threads', { metadata: JSON.stringify({ assistant_id: id }) })}>
            <MessagesSquare size={15} aria-hidden />
            Threads
          </ButtonLink>
          <ButtonLink needs={RUN} to={consoleHref('/run', { assistant: id })}>
            <Play size={15} aria-hidden />
            Run
          </ButtonLink>
          <Button needs="assistants:update" variant="primary" onPress={() => setDialog('edit')}>
            <Pencil size={15} aria-hidden />
            Edit
          </Button>
          {isDefaultAssistant(assistant) ? null : (
            <Menu label="More" actions={[deleteAction('assistants:delete', () => setDialog('delete'))]} />
          )}
        </>
      }
    >
      <Tabs
        label="Assistant views"
        value={query.get('tab') ?? 'overview'}
        onChange={(tab) => change({ tab: tab === 'overview' ? null : tab })}
        tabs={[
          { id: 'overview', name: 'Overview', content: <OverviewTab assistant={assistant} /> },
          { id: 'versions', name: 'Versions', content: <VersionsTab assistant={assistant} /> },
          { id: 'graph', name: 'Graph', content: <GraphTab id={id} version={assistant.version} /> },
          { id: 'schemas', name: 'Schemas', content: <SchemasTab id={id} /> },
        ]}
      />
      {dialog === 'edit' ? <AssistantDialog assistant={assistant} onClose={close} onDone={() => undefined} /> : null}
      <DeleteDialog assistant={assistant} isOpen={dialog === 'delete'} onClose={close} />
    </Page>
  );
}

function DeleteDialog({ assistant, isOpen, onClose }: { assistant: Assistant; isOpen: boolean; onClose: () => void }) {
  const [deleteThreads, setDeleteThreads] = useState(false);
  const [, navigate] = useLocation();
  return (
    <ConfirmDialog
      title={`Delete ${assistant.name}?`}
      isOpen={isOpen}
      onClose={onClose}
      confirmLabel="Delete"
      onConfirm={async () => {
        await client.assistants.delete(assistant.assistant_id, { deleteThreads });
        showToast('Assistant deleted.');
        navigate(CRUMBS[0]!.to);
        await reloadAssistants();
      }}
    >
      <div className="stack">
        <p>Its versions and runs are deleted too. Active runs are cancelled. This cannot be undone.</p>
        <Checkbox value={deleteThreads} onChange={setDeleteThreads}>
          Also delete threads whose last run used this assistant
        </Checkbox>
      </div>
    </ConfirmDialog>
  );
}
