import { Workflow } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../components/button.js';
import { consoleHref } from '../../components/console-href.js';
import { lazyPart } from '../../components/lazy-component.js';
import { CREATE_RULE } from '../../components/needs.js';
import { showToast } from '../../components/toast.js';
import type { RuleStart } from '../../shared/rule-draft.js';

const RuleDialog = lazyPart(async () => (await import('../../shared/rule-dialog.js')).RuleDialog);

/** Makes a rule for the project and the filters that the list shows. */
export function NewRuleButton({ start }: { start: RuleStart }) {
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button needs={CREATE_RULE} onPress={() => setOpen(true)}>
        <Workflow size={15} aria-hidden />
        New rule
      </Button>
      {isOpen ? (
        <RuleDialog
          rule={null}
          start={start}
          onClose={() => setOpen(false)}
          onSaved={() => {
            showToast('Rule created.');
            navigate(consoleHref('/rules'));
          }}
        />
      ) : null}
    </>
  );
}
