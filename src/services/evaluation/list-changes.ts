import { placedId } from '../../base/ids.js';
import { appendItems, planBlocks, replaceItem, type Place } from '../../store/blocks.js';
import { findEvaluationRun, packEvaluationRun, putEvaluationRunPlace, unpackEvaluationRun, type EvaluationRun } from '../../store/evaluation-runs.js';
import { findFeedback, packFeedback, putFeedbackPlace, unpackFeedback, type Feedback } from '../../store/feedback.js';
import { itemAt } from '../../store/blocks.js';
import { keys } from '../../store/keys.js';
import { Plan } from '../../store/latest.js';
import { headOf, noteChange, ORPHAN_LIST, type ListHead } from '../../store/lists.js';
import { pack } from '../../wire/codec.js';
import type { Evaluation } from './context.js';

/** Feedback to be added; without an id it gets one that names its place. */
export type NewFeedback = Omit<Feedback, 'feedbackId'> & { feedbackId: string | null };

interface OpenList {
  head: ListHead;
  runs: EvaluationRun[];
  feedback: NewFeedback[];
  changedRuns: Set<number>;
  changedFeedback: Set<number>;
}

/**
 * Changes of runs and feedback that become one commit. What it is told is seen by what it is asked next, so a run may come
 * and be changed in one body. Nothing is awaited between the first question and `commit`.
 */
export class ListChanges {
  readonly plan: Plan;
  readonly #evaluation: Evaluation;
  readonly #lists = new Map<number, OpenList>();
  readonly #newRuns = new Map<string, { list: number; run: EvaluationRun }>();
  readonly #newFeedback = new Map<string, { list: number; feedback: NewFeedback }>();
  /** Orphans that this commit adds or takes away; told to the evaluation when it is on disk. */
  readonly #orphans: (() => void)[] = [];

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
    this.plan = new Plan(evaluation.latest);
  }

  run(runId: string): { list: number; run: EvaluationRun } | undefined {
    const added = this.#newRuns.get(runId);
    if (added !== undefined) return added;
    const found = findEvaluationRun(this.plan, runId);
    return found === undefined ? undefined : { list: found.place.list, run: found.run };
  }

  feedback(feedbackId: string): { list: number; feedback: Feedback } | undefined {
    const added = this.#newFeedback.get(feedbackId);
    if (added !== undefined) return { list: added.list, feedback: { ...added.feedback, feedbackId } };
    const found = findFeedback(this.plan, feedbackId);
    return found === undefined ? undefined : { list: found.place.list, feedback: found.feedback };
  }

  /** Adds the run, or puts it in the place of the one that has its id; in another list it moves there with its feedback's orphans. */
  putRun(list: number, run: EvaluationRun): void {
    const added = this.#newRuns.get(run.runId);
    if (added !== undefined && added.list === list) {
      Object.assign(added.run, run);
      return;
    }
    const stored = added === undefined ? findEvaluationRun(this.plan, run.runId)?.place : undefined;
    if (stored !== undefined && stored.list === list) {
      replaceItem(this.plan, this.plan, 'R', stored, packEvaluationRun(run));
      this.#open(list).changedRuns.add(stored.first);
      return;
    }
    const moved = stored?.list ?? added?.list;
    if (stored !== undefined) this.#removeRunAt(stored);
    if (added !== undefined) this.#open(added.list).runs.splice(this.#open(added.list).runs.indexOf(added.run), 1);
    this.#open(list).runs.push(run);
    this.#newRuns.set(run.runId, { list, run });
    if (run.parentRunId === null || this.plan.get(keys.trace(run.traceId)) === undefined) this.plan.put(keys.trace(run.traceId), pack(list));
    this.#adopt(run, list);
    if (moved !== undefined) this.#take(run, moved, list);
  }

  /** Adds it, or puts it in the place of the one that has its id. */
  putFeedback(list: number, feedback: NewFeedback): void {
    const { feedbackId } = feedback;
    if (feedbackId !== null) {
      const added = this.#newFeedback.get(feedbackId);
      if (added !== undefined && added.list === list) {
        Object.assign(added.feedback, feedback);
        return;
      }
      const stored = findFeedback(this.plan, feedbackId)?.place;
      if (stored !== undefined && stored.list === list) {
        replaceItem(this.plan, this.plan, 'F', stored, packFeedback({ ...feedback, feedbackId }));
        this.#open(list).changedFeedback.add(stored.first);
        return;
      }
      if (stored !== undefined) this.#removeFeedbackAt(stored);
      this.#newFeedback.set(feedbackId, { list, feedback });
      if (feedback.runId !== null) this.plan.put(keys.runFeedback(feedback.runId, feedbackId), new Uint8Array(0));
    }
    this.#open(list).feedback.push(feedback);
    if (list === ORPHAN_LIST && feedback.runId !== null && feedbackId !== null) this.#addOrphan(feedback.runId, feedbackId);
  }

  removeFeedback(feedbackId: string): void {
    const stored = findFeedback(this.plan, feedbackId);
    if (stored === undefined) return;
    this.#removeFeedbackAt(stored.place);
    this.plan.remove(keys.feedback(feedbackId));
    if (stored.feedback.runId !== null) this.plan.remove(keys.runFeedback(stored.feedback.runId, feedbackId));
    if (stored.place.list === ORPHAN_LIST && stored.feedback.runId !== null) this.#dropOrphan(stored.feedback.runId, feedbackId);
  }

  /** Resolves when all of it is on disk; statistics follow. Returns ids of feedback that got one, in order. */
  async commit(): Promise<string[]> {
    const made: string[] = [];
    const changed: [list: number, seq: number][] = [];
    for (const [list, open] of this.#lists) {
      made.push(...this.#appendAll(list, open));
      changed.push([list, noteChange(this.plan, list, open.head, { all: false, runs: [...open.changedRuns], feedback: [...open.changedFeedback] })]);
    }
    for (const told of this.#orphans) told();
    await this.#evaluation.latest.write(this.plan);
    for (const [list, seq] of changed) if (list !== ORPHAN_LIST) this.#evaluation.statistics.changed(list, seq);
    return made;
  }

  #appendAll(list: number, open: OpenList): string[] {
    const runs = appendItems(this.plan, 'R', list, open.head.nextRun, open.runs.map(packEvaluationRun));
    runs.places.forEach((place, at) => {
      putEvaluationRunPlace(this.plan, open.runs[at]!.runId, place);
      open.changedRuns.add(place.first);
    });
    const blank = placedId('feedback', 0, 0, 0);
    const sizes = open.feedback.map((one) => packFeedback({ ...one, feedbackId: one.feedbackId ?? blank }).byteLength);
    const places = planBlocks(sizes, open.head.nextFeedback);
    const ids = places.map(({ first, at }, index) => open.feedback[index]!.feedbackId ?? placedId('feedback', list, first, at));
    const feedback = appendItems(this.plan, 'F', list, open.head.nextFeedback, open.feedback.map((one, at) => packFeedback({ ...one, feedbackId: ids[at]! })));
    feedback.places.forEach((place, at) => {
      if (open.feedback[at]!.feedbackId !== null) putFeedbackPlace(this.plan, ids[at]!, place);
      open.changedFeedback.add(place.first);
    });
    open.head = { ...open.head, nextRun: runs.next, nextFeedback: feedback.next };
    return ids;
  }

  /** Feedback that came before its run follows it. */
  #adopt(run: EvaluationRun, list: number): void {
    for (const feedbackId of [...(this.#evaluation.orphans.get(run.runId) ?? [])]) {
      const stored = findFeedback(this.plan, feedbackId);
      if (stored === undefined || stored.place.list !== ORPHAN_LIST) continue;
      this.#removeFeedbackAt(stored.place);
      this.#dropOrphan(run.runId, feedbackId);
      const feedback = { ...stored.feedback, traceId: run.traceId };
      this.#newFeedback.set(feedbackId, { list, feedback });
      this.#open(list).feedback.push(feedback);
    }
    for (const [feedbackId, added] of this.#newFeedback) {
      if (added.list !== ORPHAN_LIST || added.feedback.runId !== run.runId) continue;
      const orphans = this.#open(ORPHAN_LIST).feedback;
      orphans.splice(orphans.indexOf(added.feedback), 1);
      this.#dropOrphan(run.runId, feedbackId);
      added.feedback.traceId = run.traceId;
      this.#newFeedback.set(feedbackId, { list, feedback: added.feedback });
      this.#open(list).feedback.push(added.feedback);
    }
  }

  /** Feedback that came by itself follows its run from one list to another. */
  #take(run: EvaluationRun, from: number, list: number): void {
    for (const key of this.#evaluation.latest.keysUnder(keys.runFeedbacks(run.runId))) {
      const stored = findFeedback(this.plan, key[2] as string);
      if (stored === undefined || stored.place.list !== from) continue;
      this.#removeFeedbackAt(stored.place);
      this.putFeedback(list, stored.feedback);
    }
    for (const [feedbackId, added] of [...this.#newFeedback]) {
      if (added.list !== from || added.feedback.runId !== run.runId) continue;
      const feedback = this.#open(from).feedback;
      feedback.splice(feedback.indexOf(added.feedback), 1);
      this.#newFeedback.set(feedbackId, { list, feedback: added.feedback });
      this.#open(list).feedback.push(added.feedback);
    }
  }

  #addOrphan(runId: string, feedbackId: string): void {
    this.plan.put(keys.orphan(runId, feedbackId), new Uint8Array(0));
    const { orphans } = this.#evaluation;
    this.#orphans.push(() => orphans.set(runId, (orphans.get(runId) ?? new Set()).add(feedbackId)));
  }

  #dropOrphan(runId: string, feedbackId: string): void {
    this.plan.remove(keys.orphan(runId, feedbackId));
    const { orphans } = this.#evaluation;
    this.#orphans.push(() => {
      const known = orphans.get(runId);
      known?.delete(feedbackId);
      if (known?.size === 0) orphans.delete(runId);
    });
  }

  #removeRunAt(place: Place): void {
    const run = unpackEvaluationRun(itemAt(this.plan, 'R', place)!);
    replaceItem(this.plan, this.plan, 'R', place, null);
    this.#open(place.list).changedRuns.add(place.first);
    this.plan.remove(keys.evaluationRun(run.runId));
  }

  #removeFeedbackAt(place: Place): void {
    const feedback = unpackFeedback(itemAt(this.plan, 'F', place)!);
    replaceItem(this.plan, this.plan, 'F', place, null);
    this.#open(place.list).changedFeedback.add(place.first);
    this.plan.remove(keys.feedback(feedback.feedbackId));
  }

  #open(list: number): OpenList {
    let open = this.#lists.get(list);
    if (open === undefined) {
      open = { head: headOf(this.plan, list), runs: [], feedback: [], changedRuns: new Set(), changedFeedback: new Set() };
      this.#lists.set(list, open);
    }
    return open;
  }
}
