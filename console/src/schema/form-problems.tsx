import { ErrorNote, Note } from '../components/note.js';
import type { FormChecks } from './form-checks.js';

/** Says why generated forms were not sent. `what`: what the button does, for example "Save". */
export function FormProblems({ checks: { broken, problems }, what }: { checks: FormChecks; what: string }) {
  if (broken !== null) return <ErrorNote error={broken} />;
  if (problems === '') return null;
  return (
    <Note variant="warn">
      <span dir="auto">
        This does not match the schema: {problems}. Press {what} again to send it anyway; the server then decides.
      </span>
    </Note>
  );
}
