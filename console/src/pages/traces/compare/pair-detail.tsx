import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { Link } from 'wouter';
import { evaluation, type Run } from '../../../api/evaluation.js';
import { Badge, Status } from '../../../components/badge.js';
import { Diff } from '../../../components/diff.js';
import { formatDuration } from '../../../components/format.js';
import { ErrorNote, Loading } from '../../../components/note.js';
import { Panel } from '../../../components/page.js';
import { RunValues } from '../../../shared/run-values.js';
import { costText, tokensText } from '../trace-data.js';
import { hasFailed, metadataOf, runStatus, typeName } from '../trace-tree.js';
import { verdictText } from './aligned-tree.js';
import type { ComparedPair } from './compare-steps.js';
import type { SideNames } from './side-names.js';
import { inOrderOf, withoutStack, withoutVolatile, type VolatileFacts } from './volatile-values.js';
import styles from './compare.module.css';

/** Both steps of a pair side by side, with the parts that differ. */
export function PairDetail({
  pair,
  names,
  facts,
  exact,
}: {
  pair: ComparedPair;
  names: SideNames;
  facts: VolatileFacts;
  exact: boolean;
}) {
  const [leftId, rightId] = [pair.left?.run.id ?? null, pair.right?.run.id ?? null];
  const found = useQuery({
    queryKey: ['traces', 'pair', leftId, rightId],
    queryFn: async ({ signal }) => {
      const read = async (id: string | null): Promise<Run | null> => (id === null ? null : evaluation.run(id, signal));
      const [left, right] = await Promise.all([read(leftId), read(rightId)]);
      return { left, right };
    },
  });
  const title = (pair.left ?? pair.right)!.run.name;
  return (
    <Panel
      title={title}
      actions={
        <>
          <Badge>{typeName((pair.left ?? pair.right)!.run)}</Badge>
          <span className="soft">
            {pair.differences.length === 0 ? 'Equal' : `Differs: ${verdictText(pair.differences, names)}`}
          </span>
        </>
      }
    >
      {found.data === undefined ? (
        found.error === null ? (
          <Loading what="Loading both steps" />
        ) : (
          <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
        )
      ) : (
        <>
          <Facts {...found.data} names={names} />
          <Values runs={found.data} pair={pair} names={names} facts={facts} exact={exact} />
        </>
      )}
    </Panel>
  );
}

interface Runs {
  left: Run | null;
  right: Run | null;
}

function Facts({ left, right, names }: Runs & { names: SideNames }) {
  const sides = [
    { name: names.left, run: left },
    { name: names.right, run: right },
  ];
  const facts: [string, (run: Run) => ReactNode | null][] = [
    ['Status', (run) => <Status status={runStatus(run)} />],
    ['Latency', (run) => (run.end_time === null ? 'Not ended' : formatDuration(latencyMs(run)))],
    ['Model', modelText],
    ['Tokens', tokensText],
    ['Cost', costText],
  ];
  const known = facts.filter(([, fact]) => sides.some(({ run }) => run !== null && fact(run) !== null));
  return (
    <table className={styles['facts']} aria-label="Both steps">
      <thead>
        <tr>
          <th scope="col">Step</th>
          {known.map(([name]) => (
            <th key={name} scope="col" className={classOf(name)}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sides.map(({ name, run }) => (
          <tr key={name}>
            <th scope="row">{run === null ? name : <Link href={`/${run.trace_id}?step=${run.id}`}>{name}</Link>}</th>
            {run === null ? (
              <td colSpan={known.length} className="soft">
                Has no such step
              </td>
            ) : (
              known.map(([fact, cell]) => (
                <td key={fact} dir="auto" className={classOf(fact)}>
                  {cell(run) ?? '–'}
                </td>
              ))
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Names of models can be long. The tree shows the status as well. */
function classOf(fact: string): string {
  return (fact === 'Status' ? styles['wideOnly'] : fact === 'Model' ? '' : styles['figure'])!;
}

function latencyMs({ start_time: start, end_time: end }: Run): number {
  return Math.max(0, Date.parse(end!) - Date.parse(start));
}

function modelText(run: Run): string | null {
  const { ls_provider: provider, ls_model_name: model } = metadataOf(run);
  return [provider, model].filter((part) => typeof part === 'string').join(' · ') || null;
}

function Values({
  runs: { left, right },
  pair: { differences },
  names,
  facts,
  exact,
}: {
  runs: Runs;
  pair: ComparedPair;
  names: SideNames;
  facts: VolatileFacts;
  exact: boolean;
}) {
  const error = (run: Run | null): string =>
    run === null || !hasFailed(run) ? '' : exact ? run.error! : withoutStack(run.error!);
  const one = left ?? right;
  if (one === null) return null;
  // What differs comes first.
  const kinds = (['inputs', 'outputs'] as const).toSorted(
    (kind, other) => Number(differences.includes(other)) - Number(differences.includes(kind)),
  );
  return (
    <>
      {error(left) === '' && error(right) === '' ? null : differences.includes('error') ? (
        <Section title="Error">
          <Diff left={error(left)} right={error(right)} leftName={names.left} rightName={names.right} />
        </Section>
      ) : (
        <Section title={left !== null && right !== null ? 'Error (equal)' : 'Error'}>
          <pre className={styles['errorText']} dir="auto">
            {error(one)}
          </pre>
        </Section>
      )}
      {kinds.map((kind) => {
        const title = kind === 'inputs' ? 'Inputs' : 'Outputs';
        return left !== null && right !== null && differences.includes(kind) ? (
          <ValueDiff
            key={kind}
            title={title}
            values={[left[kind], right[kind]]}
            names={names}
            facts={exact ? null : facts}
          />
        ) : (
          <RunValues
            key={kind}
            title={left !== null && right !== null ? `${title} (equal)` : title}
            label={title}
            value={one[kind]}
          />
        );
      })}
    </>
  );
}

function ValueDiff({
  title,
  values: [ofLeft, ofRight],
  names,
  facts,
}: {
  title: string;
  values: readonly [unknown, unknown];
  names: SideNames;
  /** Null: ids and times are shown. */
  facts: VolatileFacts | null;
}) {
  const [left, right] = useMemo(() => {
    const [one, other] = [ofLeft, ofRight].map((value) => (facts === null ? value : withoutVolatile(value, facts)));
    return [one, inOrderOf(one, other)];
  }, [ofLeft, ofRight, facts]);
  const what = title.toLowerCase();
  return (
    <Section title={title}>
      <Diff left={left} right={right} leftName={`${names.left} ${what}`} rightName={`${names.right} ${what}`} />
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
