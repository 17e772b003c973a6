import { Bell } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../components/button.js';
import { consoleHref } from '../../components/console-href.js';
import { lazyPart } from '../../components/lazy-component.js';
import { showToast } from '../../components/toast.js';
import type { AlertStart } from '../../shared/alert-draft.js';

const AlertDialog = lazyPart(async () => (await import('../../shared/alert-dialog.js')).AlertDialog);

/** Makes an alert of the project and the filters that the list shows. */
export function NewAlertButton({ start }: { start: AlertStart }) {
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button needs={['experiments:create', 'experiments:search']} onPress={() => setOpen(true)}>
        <Bell size={15} aria-hidden />
        New alert
      </Button>
      {isOpen ? (
        <AlertDialog
          alert={null}
          start={start}
          onClose={() => setOpen(false)}
          onSaved={({ id }) => {
            showToast('Alert created.');
            navigate(consoleHref(`/alerts/${id}`));
          }}
        />
      ) : null}
    </>
  );
}
