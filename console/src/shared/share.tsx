import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Globe, Share2 } from 'lucide-react';
import { useState } from 'react';
import { shares, shareUrl, type Share, type ShareKind } from '../api/shares.js';
import { useAsyncAction } from '../components/async-action.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { CopyButton } from '../components/copy.js';
import { ConfirmDialog, Dialog, DialogActions } from '../components/dialog.js';
import { Checkbox } from '../components/field.js';
import { ErrorNote, Loading, Note } from '../components/note.js';
import { showToast } from '../components/toast.js';
import styles from './share.module.css';

interface Subject {
  kind: ShareKind;
  id: string;
}

const DISCLOSURES: Readonly<Record<ShareKind, string>> = {
  dataset:
    'Everyone who has the link can read the name, the description and all examples of this dataset without a key, ' +
    'also examples that are added later.',
  run:
    'Everyone who has the link can read this run and all runs of its trace without a key: inputs, outputs, errors ' +
    'and times. Feedback and metadata stay private.',
};
const THIS_MACHINE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function useShare({ kind, id }: Subject) {
  return useQuery({ queryKey: ['shares', kind, id], queryFn: ({ signal }) => shares.get(kind, id, signal) });
}

/** Shown beside the name of something that has a public link. */
export function SharedBadge(subject: Subject) {
  const { data } = useShare(subject);
  return data === undefined || data === null ? null : (
    <Badge variant="warn">
      <Globe size={13} aria-hidden />
      Public link
    </Badge>
  );
}

/** A button that creates, shows and revokes the public link of a dataset or run. */
export function ShareButton({ kind, id, small = false }: Subject & { small?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        needs={kind === 'dataset' ? 'datasets:update' : 'experiments:update'}
        small={small}
        onPress={() => setOpen(true)}
      >
        <Share2 size={14} aria-hidden />
        Share
      </Button>
      {isOpen ? <ShareDialog kind={kind} id={id} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function ShareDialog({ kind, id, onClose }: Subject & { onClose: () => void }) {
  const share = useShare({ kind, id });
  const allowed = useQuery({
    queryKey: ['shares', 'allowed'],
    queryFn: ({ signal }) => shares.areAllowed(signal),
    staleTime: 0,
  });
  const failed = [share, allowed].find(({ error }) => error !== null);
  return (
    <Dialog title={`Share this ${kind}`} isOpen onClose={onClose}>
      {failed !== undefined ? (
        <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />
      ) : share.data === undefined || allowed.data === undefined ? (
        <Loading what="Loading the public link" />
      ) : (
        <>
          {allowed.data ? null : (
            <Note variant="warn">
              Public links are off on this server. To allow them, start it with <code>--public-shares</code>.
              {share.data === null ? '' : ' Until then, the link below does not work.'}
            </Note>
          )}
          {share.data !== null ? (
            <ExistingLink kind={kind} id={id} share={share.data} isAllowed={allowed.data} onClose={onClose} />
          ) : allowed.data ? (
            <NewLink kind={kind} id={id} onClose={onClose} />
          ) : (
            <DialogActions>
              <Button autoFocus onPress={onClose}>
                Close
              </Button>
            </DialogActions>
          )}
        </>
      )}
    </Dialog>
  );
}

function NewLink({ kind, id, onClose }: Subject & { onClose: () => void }) {
  const client = useQueryClient();
  const [withExperiments, setWithExperiments] = useState(false);
  const { error, isPending, execute } = useAsyncAction();
  const create = (): Promise<void> =>
    execute(async () => {
      const share = await (kind === 'run' ? shares.createForRun(id) : shares.putForDataset(id, withExperiments));
      client.setQueryData(['shares', kind, id], share);
    });
  return (
    <>
      <p>{DISCLOSURES[kind]}</p>
      {kind === 'run' ? null : <ExperimentsCheckbox value={withExperiments} onChange={setWithExperiments} />}
      {error === null ? null : <ErrorNote error={error} />}
      <DialogActions>
        {/* The focus starts here, so that an extra Enter makes nothing public. */}
        <Button autoFocus onPress={onClose}>
          Cancel
        </Button>
        <Button variant="primary" isPending={isPending} onPress={() => void create()}>
          Create public link
        </Button>
      </DialogActions>
    </>
  );
}

function ExperimentsCheckbox({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  return (
    <Checkbox value={value} onChange={onChange}>
      Also list its experiments, without runs and feedback
    </Checkbox>
  );
}

function ExistingLink({
  kind,
  id,
  share,
  isAllowed,
  onClose,
}: Subject & { share: Share; isAllowed: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const [isRevoking, setRevoking] = useState(false);
  const { error, execute } = useAsyncAction();
  const url = shareUrl(kind, share.share_token);
  const listExperiments = (withExperiments: boolean): Promise<void> =>
    execute(async () => {
      client.setQueryData(['shares', kind, id], await shares.putForDataset(id, withExperiments));
    });
  return (
    <>
      <p>{DISCLOSURES[kind]}</p>
      <div className={styles['link']}>
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
        <CopyButton named text={url} label="Copy link" autoFocus />
      </div>
      {THIS_MACHINE.test(new URL(url).hostname) ? (
        <p className="soft">This address works on this machine only. Others need the address of the server.</p>
      ) : null}
      {kind === 'dataset' && isAllowed ? (
        <ExperimentsCheckbox
          value={share.share_projects === true}
          onChange={(withExperiments) => void listExperiments(withExperiments)}
        />
      ) : null}
      {error === null ? null : <ErrorNote error={error} />}
      <DialogActions>
        <Button variant="danger" onPress={() => setRevoking(true)}>
          Stop sharing
        </Button>
        <Button onPress={onClose}>Close</Button>
      </DialogActions>
      <ConfirmDialog
        title="Stop sharing?"
        isOpen={isRevoking}
        onClose={() => setRevoking(false)}
        confirmLabel="Stop sharing"
        onConfirm={async () => {
          await shares.delete(kind, id);
          // The dialog stays open and offers a new link. It has the focus, also after this confirmation is gone.
          client.setQueryData(['shares', kind, id], null);
          showToast('The public link no longer works.');
        }}
      >
        The link stops working at once. Sharing again makes another link.
      </ConfirmDialog>
    </>
  );
}
