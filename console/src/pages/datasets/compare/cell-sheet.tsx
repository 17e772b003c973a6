import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'react-aria-components';
import type { ComparedExperiment, ComparedRow } from '../../../api/evaluation.js';
import { Badge } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { Dialog } from '../../../components/dialog.js';
import { Diff } from '../../../components/diff.js';
import { Select } from '../../../components/field.js';
import { formatCount, formatNumber, statusName } from '../../../components/format.js';
import { JsonTree } from '../../../components/json-tree.js';
import { ErrorNote, Loading, Note } from '../../../components/note.js';
import { DescriptionList } from '../../../components/page.js';
import { Tabs } from '../../../components/tabs.js';
import { Time } from '../../../components/time.js';
import { FeedbackList } from '../../../shared/feedback-list.js';
import { ownProperty, formatSeconds, shortText } from '../../../shared/scores.js';
import { cellState, isHigherBetter } from './cell-state.js';
import { ScoreChange } from './cell.js';
import { useComparisonSource, type FullRun } from './source.js';
import type { CellTab } from './view.js';
import styles from './cell-sheet.module.css';

const TITLE_CHARS_MAX = 80;

interface CellSheetProps {
  row: ComparedRow;
  index: number;
  total: number;
  experiments: readonly ComparedExperiment[];
  /** Scores to show, in this order. */
  feedbackKeys: readonly string[];
  /** Button for the scores that are left out. */
  moreScores: ReactNode;
  experimentId: string;
  tab: CellTab;
  onTab: (tab: CellTab) => void;
  onExperiment: (id: string) => void;
  /** Null if there is no such row, or it is not loaded yet. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
  onClose: () => void;
}

/** Details of a cell: its run compared with the baseline and the reference outputs, with all feedback. */
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
    shortText(row.example.inputs, TITLE_CHARS_MAX) ||
    (row.example.inputs_preview ?? '').slice(0, TITLE_CHARS_MAX) ||
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
            Row {formatCount(index + 1)} of {formatCount(total)}
          </span>
        </div>
        <div className={styles['which']}>
          <Select
            label="Experiment"
            hideLabel
            options={experiments.map(({ id, name, versus_baseline: versus }) => ({
              id,
              name,
              ...(versus === null ? { detail: 'Baseline' } : {}),
            }))}
            value={experiment.id}
            onChange={props.onExperiment}
          />
        </div>
      </div>
      <div className={styles['scoresBox']}>
        <ScoreTable
          row={row}
          experiment={experiment}
          baseline={baseline}
          experiments={experiments}
          feedbackKeys={props.feedbackKeys}
        />
        {props.moreScores}
      </div>
      <RunTabs
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

function ScoreTable({
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
    value === null || value === undefined ? (label ?? '–') : formatNumber(value);
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
            {isBaseline ? 'Baseline' : 'Candidate'}
          </th>
          {isBaseline ? null : <th scope="col">Difference</th>}
        </tr>
      </thead>
      <tbody>
        {feedbackKeys.map((key) => {
          const face = cellState(row, experiment.id, key, {
            higherIsBetter: isHigherBetter(experiments, key),
            range: 0,
          });
          return (
            <tr key={key}>
              <th scope="row" dir="auto">
                {key}
              </th>
              {isBaseline ? null : <td className="numbers">{shown(ownProperty(row.scores[baseline.id], key))}</td>}
              <td className="numbers">{shown(face.score, face.label)}</td>
              {isBaseline ? null : (
                <td>
                  <ScoreChange face={face} />
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
  return latency === null || latency === undefined ? '–' : formatSeconds(latency);
}

function LatencyChange({ before, after }: { before: number | null | undefined; after: number | null | undefined }) {
  if (before === null || before === undefined || after === null || after === undefined) return null;
  const difference = Number((after - before).toPrecision(12));
  return (
    <ScoreChange
      format={formatSeconds}
      face={{
        score: after,
        label: null,
        difference,
        kind: difference === 0 ? 'same' : difference < 0 ? 'better' : 'worse',
        shade: 0,
      }}
    />
  );
}

function RunTabs({
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
  const source = useComparisonSource();
  const runs = (id: string) => ({
    queryKey: [...source.id, 'cell', row.example.id, id, (row.runs[id] ?? []).map((run) => run.id)],
    queryFn: ({ signal }: { signal: AbortSignal }) => source.runs(row, id, signal),
    staleTime: 60_000,
  });
  const candidate = useQuery(runs(experiment.id));
  const baselineRuns = useQuery(runs(baseline.id));
  const example = useQuery({
    queryKey: [...source.id, 'example', row.example.id],
    queryFn: ({ signal }) => source.example(row, signal),
    staleTime: 60_000,
  });
  const failed = [candidate, baselineRuns, example].find(({ error }) => error !== null);
  if (failed !== undefined) return <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />;
  if (candidate.data === undefined || baselineRuns.data === undefined || example.data === undefined)
    return <Loading what="Loading the runs" />;
  const isBaseline = experiment === baseline;
  const outputs = outputsOf(candidate.data);
  const tabs = [
    ...(isBaseline
      ? []
      : [
          {
            id: 'baseline',
            name: 'Diff to baseline',
            content: (
              <Diff
                left={outputsOf(baselineRuns.data)}
                right={outputs}
                leftName={`${baseline.name} (baseline)`}
                rightName={experiment.name}
              />
            ),
          },
        ]),
    {
      id: 'reference',
      name: 'Diff to reference',
      content:
        example.data.outputs === null ? (
          <Note>This example has no reference outputs.</Note>
        ) : (
          <Diff left={example.data.outputs} right={outputs} leftName="Reference outputs" rightName={experiment.name} />
        ),
    },
    {
      id: 'values',
      name: 'Values',
      content: <ValuesTab inputs={example.data.inputs} reference={example.data.outputs} runs={candidate.data} />,
    },
    {
      id: 'feedback',
      name: 'Feedback',
      count: candidate.data.reduce((sum, { feedback }) => sum + feedback.length, 0),
      content: (
        <FeedbackTab
          candidate={candidate.data}
          baselineRuns={isBaseline ? null : baselineRuns.data}
          experiment={experiment}
          baseline={baseline}
        />
      ),
    },
  ];
  return (
    <>
      {candidate.data.length === 0 ? <Note variant="warn">This experiment did not run this example.</Note> : null}
      {candidate.data
        .filter(({ error }) => error !== null)
        .map((run) => (
          <ErrorNote key={run.id} error={run.error!.slice(0, 4_000)} />
        ))}
      {/* Tabs shrink in a column, so that what follows them would cover them in a low window. */}
      <div>
        <Tabs
          label="Run details"
          tabs={tabs}
          value={tabs.some(({ id }) => id === tab) ? tab : tabs[0]!.id}
          onChange={(id) => onTab(id as CellTab)}
        />
      </div>
      {candidate.data.map((run) => (
        <RunFacts key={run.id} run={run} href={source.runHref?.(experiment.id, run.id) ?? null} />
      ))}
    </>
  );
}

/** Outputs of the runs of a cell: a single value, or a list for repetitions. */
function outputsOf(runs: readonly FullRun[]): unknown {
  const outputs = runs.map((run) => (run.error === null ? outputsOrPreview(run) : { error: run.error }));
  return outputs.length === 1 ? outputs[0] : outputs.length === 0 ? undefined : outputs;
}

/** Saved comparisons contain only the beginning of long values. */
function outputsOrPreview({
  outputs,
  outputs_preview: preview,
}: Pick<FullRun, 'outputs' | 'outputs_preview'>): unknown {
  return outputs ?? preview ?? null;
}

function ValuesTab({ inputs, reference, runs }: { inputs: unknown; reference: unknown; runs: readonly FullRun[] }) {
  return (
    <>
      <h3>Inputs</h3>
      <JsonTree label="Inputs" value={inputs} openTo={2} />
      <h3>Reference outputs</h3>
      <JsonTree label="Reference outputs" value={reference} openTo={2} />
      {runs.map((run, at) => (
        <div key={run.id} className="stack">
          <h3>Outputs{runs.length > 1 ? ` of run ${at + 1}` : ''}</h3>
          <JsonTree label={`Outputs ${at + 1}`} value={outputsOrPreview(run)} openTo={2} />
        </div>
      ))}
    </>
  );
}

function FeedbackTab({
  candidate,
  baselineRuns,
  experiment,
  baseline,
}: {
  candidate: readonly FullRun[];
  baselineRuns: readonly FullRun[] | null;
  experiment: ComparedExperiment;
  baseline: ComparedExperiment;
}) {
  return (
    <>
      <h3 dir="auto">{experiment.name}</h3>
      <FeedbackList feedback={candidate.flatMap(({ feedback }) => feedback)} />
      {baselineRuns === null ? null : (
        <>
          <h3 dir="auto">{baseline.name} (baseline)</h3>
          <FeedbackList feedback={baselineRuns.flatMap(({ feedback }) => feedback)} />
        </>
      )}
    </>
  );
}

function RunFacts({ run, href }: { run: FullRun; href: string | null }) {
  const metadata = run.extra?.['metadata'];
  return (
    <section className={styles['about']} aria-label="Run">
      <DescriptionList
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
            <Badge key="status" variant={run.error === null ? 'good' : 'bad'}>
              {statusName(run.status)}
            </Badge>,
          ],
          ['Started', <Time key="start" at={run.start_time} />],
          ['Ended', run.end_time === null ? 'Not ended' : <Time key="end" at={run.end_time} />],
          ...(run.total_tokens === null || run.total_tokens === 0
            ? []
            : [['Tokens', formatCount(run.total_tokens)] as const]),
        ]}
      />
      {metadata === undefined || metadata === null ? null : <JsonTree label="Run metadata" value={metadata} rows={8} />}
    </section>
  );
}
