import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'react-aria-components';
import type { ComparedExperiment, ComparedRow } from '../../../api/evaluation.js';
import { Badge } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { Dialog } from '../../../components/dialog.js';
import { Diff } from '../../../components/diff.js';
import { Select } from '../../../components/field.js';
import { count, figure } from '../../../components/format.js';
import { JsonTree } from '../../../components/json-tree.js';
import { ErrorNote, Loading, Note } from '../../../components/note.js';
import { Facts } from '../../../components/page.js';
import { Tabs } from '../../../components/tabs.js';
import { Time } from '../../../components/time.js';
import { FeedbackList } from '../../../shared/feedback-list.js';
import { own, seconds, short } from '../../../shared/scores.js';
import { faceOf, isHigherBetter } from './cell-face.js';
import { Change } from './cell.js';
import { useSource, type WholeRun } from './source.js';
import type { CellTab } from './view.js';
import styles from './cell-sheet.module.css';

const TITLE_CHARS = 80;

interface CellSheetProps {
  row: ComparedRow;
  index: number;
  total: number;
  experiments: readonly ComparedExperiment[];
  feedbackKeys: readonly string[];
  experimentId: string;
  tab: CellTab;
  onTab: (tab: CellTab) => void;
  onExperiment: (id: string) => void;
  /** Null where there is no such row, or not yet. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
  onClose: () => void;
}

/** A cell opened: its run beside the baseline's and beside what was expected, with everything that was said of both. */
export function CellSheet(props: CellSheetProps) {
  const { row, index, total, experiments, experimentId, onPrevious, onNext, onClose } = props;
  const baseline = experiments.find(({ versus_baseline: versus }) => versus === null)!;
  const experiment = experiments.find(({ id }) => id === experimentId) ?? baseline;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        (event.target as HTMLElement).closest('input, textarea, [contenteditable], [role=listbox]') !== null
      )
        return;
      const move = event.key === 'n' ? onNext : event.key === 'p' ? onPrevious : null;
      if (move === null) return;
      event.preventDefault();
      move();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onNext, onPrevious]);
  const title =
    short(row.example.inputs, TITLE_CHARS) ||
    (row.example.inputs_preview ?? '').slice(0, TITLE_CHARS) ||
    row.example.id;
  return (
    <Dialog title={title} isOpen size="sheet" onClose={onClose}>
      <div className={styles['bar']}>
        <div className="row">
          <Button small isDisabled={onPrevious === null} onPress={() => onPrevious?.()}>
            <ChevronUp size={14} aria-hidden />
            Previous <kbd>p</kbd>
          </Button>
          <Button small isDisabled={onNext === null} onPress={() => onNext?.()}>
            <ChevronDown size={14} aria-hidden />
            Next <kbd>n</kbd>
          </Button>
          <span role="status" className="soft">
            Row {count(index + 1)} of {count(total)}
          </span>
        </div>
        <div className={styles['which']}>
          <Select
            label="Experiment"
            quiet
            options={experiments.map(({ id, name, versus_baseline: versus }) => ({
              id,
              name,
              ...(versus === null ? { more: 'Baseline' } : {}),
            }))}
            value={experiment.id}
            onChange={props.onExperiment}
          />
        </div>
      </div>
      <Scores
        row={row}
        experiment={experiment}
        baseline={baseline}
        experiments={experiments}
        feedbackKeys={props.feedbackKeys}
      />
      <Opened
        key={`${row.example.id} ${experiment.id}`}
        row={row}
        experiment={experiment}
        baseline={baseline}
        tab={props.tab}
        onTab={props.onTab}
      />
    </Dialog>
  );
}

function Scores({
  row,
  experiment,
  baseline,
  experiments,
  feedbackKeys,
}: {
  row: ComparedRow;
  experiment: ComparedExperiment;
  baseline: ComparedExperiment;
  experiments: readonly ComparedExperiment[];
  feedbackKeys: readonly string[];
}) {
  const isBaseline = experiment === baseline;
  const shown = (value: number | null | undefined, label: string | null = null): string =>
    value === null || value === undefined ? (label ?? '–') : figure(value);
  return (
    <table className={styles['scores']}>
      <thead>
        <tr>
          <th scope="col">Score</th>
          {isBaseline ? null : (
            <th scope="col" className="numbers">
              Baseline
            </th>
          )}
          <th scope="col" className="numbers">
            {isBaseline ? 'Baseline' : 'This one'}
          </th>
          {isBaseline ? null : <th scope="col">Difference</th>}
        </tr>
      </thead>
      <tbody>
        {feedbackKeys.map((key) => {
          const face = faceOf(row, experiment.id, key, { higherIsBetter: isHigherBetter(experiments, key), range: 0 });
          return (
            <tr key={key}>
              <th scope="row" dir="auto">
                {key}
              </th>
              {isBaseline ? null : <td className="numbers">{shown(own(row.scores[baseline.id], key))}</td>}
              <td className="numbers">{shown(face.score, face.label)}</td>
              {isBaseline ? null : (
                <td>
                  <Change face={face} />
                </td>
              )}
            </tr>
          );
        })}
        <tr>
          <th scope="row">Latency</th>
          {isBaseline ? null : <td className="numbers">{latencyOf(row, baseline.id)}</td>}
          <td className="numbers">{latencyOf(row, experiment.id)}</td>
          {isBaseline ? null : (
            <td>
              <LatencyChange before={row.latencies[baseline.id]} after={row.latencies[experiment.id]} />
            </td>
          )}
        </tr>
      </tbody>
    </table>
  );
}

function latencyOf(row: ComparedRow, experimentId: string): string {
  const latency = row.latencies[experimentId];
  return latency === null || latency === undefined ? '–' : seconds(latency);
}

function LatencyChange({ before, after }: { before: number | null | undefined; after: number | null | undefined }) {
  if (before === null || before === undefined || after === null || after === undefined) return null;
  const difference = Number((after - before).toPrecision(12));
  return (
    <Change
      format={seconds}
      face={{
        score: after,
        label: null,
        difference,
        kind: difference === 0 ? 'same' : difference < 0 ? 'better' : 'worse',
        step: 0,
      }}
    />
  );
}

function Opened({
  row,
  experiment,
  baseline,
  tab,
  onTab,
}: {
  row: ComparedRow;
  experiment: ComparedExperiment;
  baseline: ComparedExperiment;
  tab: CellTab;
  onTab: (tab: CellTab) => void;
}) {
  const source = useSource();
  const runs = (id: string) => ({
    queryKey: [...source.id, 'cell', row.example.id, id, (row.runs[id] ?? []).map((run) => run.id)],
    queryFn: ({ signal }: { signal: AbortSignal }) => source.runs(row, id, signal),
    staleTime: 60_000,
  });
  const mine = useQuery(runs(experiment.id));
  const theirs = useQuery(runs(baseline.id));
  const example = useQuery({
    queryKey: [...source.id, 'example', row.example.id],
    queryFn: ({ signal }) => source.example(row, signal),
    staleTime: 60_000,
  });
  const failed = [mine, theirs, example].find(({ error }) => error !== null);
  if (failed !== undefined) return <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />;
  if (mine.data === undefined || theirs.data === undefined || example.data === undefined)
    return <Loading what="Reading the runs" />;
  const isBaseline = experiment === baseline;
  const said = saidBy(mine.data);
  const tabs = [
    ...(isBaseline
      ? []
      : [
          {
            id: 'baseline',
            name: 'Against the baseline',
            content: (
              <Diff
                left={saidBy(theirs.data)}
                right={said}
                leftName={`${baseline.name} (baseline)`}
                rightName={experiment.name}
              />
            ),
          },
        ]),
    {
      id: 'reference',
      name: 'Against the reference',
      content:
        example.data.outputs === null ? (
          <Note>This example has no reference outputs.</Note>
        ) : (
          <Diff left={example.data.outputs} right={said} leftName="Reference outputs" rightName={experiment.name} />
        ),
    },
    {
      id: 'values',
      name: 'Values',
      content: <Values inputs={example.data.inputs} reference={example.data.outputs} runs={mine.data} />,
    },
    {
      id: 'feedback',
      name: 'Feedback',
      count: mine.data.reduce((sum, { feedback }) => sum + feedback.length, 0),
      content: (
        <Said mine={mine.data} theirs={isBaseline ? null : theirs.data} experiment={experiment} baseline={baseline} />
      ),
    },
  ];
  return (
    <>
      {mine.data.length === 0 ? <Note look="warn">This experiment has no run of this example.</Note> : null}
      {mine.data
        .filter(({ error }) => error !== null)
        .map((run) => (
          <ErrorNote key={run.id} error={run.error!.slice(0, 4_000)} />
        ))}
      <Tabs
        label="This run"
        tabs={tabs}
        value={tabs.some(({ id }) => id === tab) ? tab : tabs[0]!.id}
        onChange={(id) => onTab(id as CellTab)}
      />
      {mine.data.map((run) => (
        <About key={run.id} run={run} href={source.runHref?.(experiment.id, run.id) ?? null} />
      ))}
    </>
  );
}

/** What the runs of a cell said: of one run its outputs, of repetitions a list. */
function saidBy(runs: readonly WholeRun[]): unknown {
  const outputs = runs.map((run) => (run.error === null ? wholeOr(run) : { error: run.error }));
  return outputs.length === 1 ? outputs[0] : outputs.length === 0 ? undefined : outputs;
}

/** Of a saved comparison long values are there as their beginning. */
function wholeOr({ outputs, outputs_preview: preview }: Pick<WholeRun, 'outputs' | 'outputs_preview'>): unknown {
  return outputs ?? preview ?? null;
}

function Values({ inputs, reference, runs }: { inputs: unknown; reference: unknown; runs: readonly WholeRun[] }) {
  return (
    <>
      <h3>Inputs</h3>
      <JsonTree label="Inputs" value={inputs} openTo={2} />
      <h3>Reference outputs</h3>
      <JsonTree label="Reference outputs" value={reference} openTo={2} />
      {runs.map((run, at) => (
        <div key={run.id} className="stack">
          <h3>Outputs{runs.length > 1 ? ` of run ${at + 1}` : ''}</h3>
          <JsonTree label={`Outputs ${at + 1}`} value={wholeOr(run)} openTo={2} />
        </div>
      ))}
    </>
  );
}

function Said({
  mine,
  theirs,
  experiment,
  baseline,
}: {
  mine: readonly WholeRun[];
  theirs: readonly WholeRun[] | null;
  experiment: ComparedExperiment;
  baseline: ComparedExperiment;
}) {
  return (
    <>
      <h3 dir="auto">{experiment.name}</h3>
      <FeedbackList feedback={mine.flatMap(({ feedback }) => feedback)} />
      {theirs === null ? null : (
        <>
          <h3 dir="auto">{baseline.name} (baseline)</h3>
          <FeedbackList feedback={theirs.flatMap(({ feedback }) => feedback)} />
        </>
      )}
    </>
  );
}

function About({ run, href }: { run: WholeRun; href: string | null }) {
  const metadata = run.extra?.['metadata'];
  return (
    <section className={styles['about']} aria-label="About this run">
      <Facts
        facts={[
          [
            'Run',
            href === null ? (
              run.name
            ) : (
              <Link key="run" href={href}>
                {run.name}
              </Link>
            ),
          ],
          [
            'Status',
            <Badge key="status" look={run.error === null ? 'good' : 'bad'}>
              {run.status}
            </Badge>,
          ],
          ['Started', <Time key="start" at={run.start_time} />],
          ['Ended', run.end_time === null ? 'not ended' : <Time key="end" at={run.end_time} />],
          ...(run.total_tokens === null || run.total_tokens === 0
            ? []
            : [['Tokens', count(run.total_tokens)] as const]),
        ]}
      />
      {metadata === undefined || metadata === null ? null : (
        <JsonTree label="Metadata of the run" value={metadata} rows={8} />
      )}
    </section>
  );
}
