import { appendItems, itemAt, replaceItem, type BlockPosition } from '../../store/evaluation/blocks.js';
import {
  findRunItem,
  listOfTrace,
  mayBeStored,
  storedRuns,
  putEvaluationRunPosition,
  type PlacedItem,
} from '../../store/evaluation/evaluation-runs.js';
import { appendRuns, removeRuns, replaceRun } from '../../store/evaluation/run-blocks.js';
import { listOfTracePlace, putTracePlace, tracePlaceKey } from '../../store/evaluation/trace-places.js';
import { spanPrefix } from '../../wire/runs/spans.js';
import { attachmentsOfRun, unpackRunHead, type EvaluationRun } from '../../wire/evaluation/evaluation-run.js';
import type { RunItem } from '../../wire/evaluation/run-item.js';
import {
  findFeedback,
  packFeedback,
  putFeedbackPosition,
  unpackFeedback,
  type Feedback,
} from '../../store/evaluation/feedback.js';
import { removeAttachment, unpackAttachments } from '../../store/evaluation/attachments.js';
import { queueEntryKeys, queueEntryOfRun } from '../../store/evaluation/annotation-queues.js';
import { removeShare, shareOf } from '../../store/evaluation/shares.js';
import { keys } from '../../store/keys.js';
import type { Lookup } from '../../store/lookup.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import { listHead, recordChange, withStarts, ORPHAN_LIST, type ListHead } from '../../store/evaluation/block-lists.js';
import { pack } from '../../wire/codec.js';
import type { EvaluationContext } from './context.js';
import type { StoredChange } from './run-watcher.js';

interface PendingList {
  head: ListHead;
  /** By id, in the order in which they are stored. */
  runs: Map<string, RunItem>;
  feedback: Feedback[];
  changedRuns: Set<number>;
  changedFeedback: Set<number>;
  /** When the added and changed runs started. */
  startsUs: number[];
}

/** Runs of a trace, by their places. */
export interface PlacedTrace {
  traceId: string;
  places: readonly BlockPosition[];
}

/**
 * Changes to runs and feedback that become one commit. Reads see the earlier changes, so a body may create and
 * change a run. Nothing is awaited between the first read and `commit`.
 */
export class ListChanges {
  readonly plan: DraftCommit;
  /** See `Reader.getBeforeWrite`. */
  readonly #beforeWrite: Lookup;
  readonly #evaluation: EvaluationContext;
  readonly #lists = new Map<number, PendingList>();
  readonly #heads = new Map<number, ListHead>();
  readonly #newRuns = new Map<string, { list: number; item: RunItem }>();
  // Most runs of a commit are new and have few traces and projects in common, and each get takes microseconds.
  readonly #unknownRuns = new Set<string>();
  readonly #listsOfTraces = new Map<string, number | null>();
  /** Roots of graph runs that are stored with this commit for the first time. */
  readonly #newGraphRuns = new Set<string>();
  readonly #experimentIds = new Map<number, string | undefined>();
  readonly #newFeedback = new Map<string, { list: number; feedback: Feedback }>();
  /** Updates of the orphan index, applied with the commit. */
  readonly #orphanUpdates: (() => void)[] = [];
  /** Roots that end with this commit, and runs that get feedback. */
  readonly #watched: StoredChange[] = [];

  constructor(evaluation: EvaluationContext) {
    this.#evaluation = evaluation;
    this.plan = new DraftCommit(evaluation.latest);
    this.#beforeWrite = { get: (key) => this.plan.getBeforeWrite(key) };
  }

  run(runId: string): { list: number; run: EvaluationRun } | undefined {
    return this.#newRun(runId) ?? withoutPlace(this.#storedRun(runId));
  }

  /** The run, if a write may create it: most runs are new. */
  runBeforeWrite(runId: string): { list: number; run: EvaluationRun } | undefined {
    return this.#newRun(runId) ?? withoutPlace(this.#storedRunBeforeWrite(runId));
  }

  #newRun(runId: string): { list: number; run: EvaluationRun } | undefined {
    const added = this.#newRuns.get(runId);
    return added === undefined ? undefined : { list: added.list, run: added.item.run };
  }

  /** The list that contains a trace, for a write to it. */
  listOfTrace(traceId: string): number | null {
    const known = this.#listsOfTraces.get(traceId);
    if (known !== undefined) return known;
    const list = listOfTrace(this.#beforeWrite, traceId);
    const found = list === undefined || this.experimentIdOf(list) === undefined ? null : list;
    this.#listsOfTraces.set(traceId, found);
    return found;
  }

  /** Undefined for the list of a deleted experiment, whose records are being removed. */
  experimentIdOf(list: number): string | undefined {
    let id = this.#experimentIds.get(list);
    if (id !== undefined) return id;
    id = this.#evaluation.experiments.over(this.plan).idOfList(list);
    this.#experimentIds.set(list, id);
    return id;
  }

  #storedRun(runId: string): PlacedItem | undefined {
    if (this.#unknownRuns.has(runId)) return undefined;
    const found = findRunItem(this.plan, runId);
    if (found !== undefined && this.experimentIdOf(found.place.list) !== undefined) return found;
    this.#unknownRuns.add(runId);
    return undefined;
  }

  #storedRunBeforeWrite(runId: string): PlacedItem | undefined {
    return this.#isStored(runId) ? this.#storedRun(runId) : undefined;
  }

  #isStored(runId: string): boolean {
    if (this.#unknownRuns.has(runId)) return false;
    const isStored = mayBeStored(this.#beforeWrite, runId);
    if (!isStored) this.#unknownRuns.add(runId);
    return isStored;
  }

  feedback(feedbackId: string): { list: number; feedback: Feedback } | undefined {
    const added = this.#newFeedback.get(feedbackId);
    if (added !== undefined) return added;
    const found = findFeedback(this.plan, feedbackId);
    return found === undefined ? undefined : { list: found.place.list, feedback: found.feedback };
  }

  /** Adds or replaces a run by its id. A run from another list moves here with its feedback. */
  putRun(list: number, run: RunItem): void {
    this.#watchEnd(list, run);
    const added = this.#newRuns.get(run.runId);
    if (added !== undefined && added.list === list) {
      this.#addRun(list, run);
      return;
    }
    const stored = added === undefined ? this.#storedRunBeforeWrite(run.runId)?.place : undefined;
    if (stored !== undefined && stored.list === list) {
      replaceRun(this.plan, stored, run);
      const pending = this.#pendingList(list);
      pending.changedRuns.add(stored.first);
      pending.startsUs.push(run.startUs);
      return;
    }
    const moved = stored?.list ?? added?.list;
    if (stored !== undefined) this.#removeRunAt(stored);
    if (added !== undefined) this.#pendingList(added.list).runs.delete(run.runId);
    this.#addRun(list, run);
    const traced = this.listOfTrace(run.traceId);
    // The entry is deleted with a list that has runs of the trace, so it follows a run that moves.
    if (run.isRoot || traced === null || traced === moved) this.#putTrace(run.traceId, list);
    this.#adoptOrphans(list, run);
    if (moved !== undefined)
      this.#moveFeedback(
        run,
        moved,
        list,
        this.#evaluation.latest.keysUnder(keys.feedbackOfRun(run.runId)).map((key) => key[2] as string),
      );
  }

  /**
   * Looks for graph runs together, and once for all that follows: most are new, and a look-up takes microseconds. Call
   * it before the first change.
   */
  expectNewGraphRuns(runIds: readonly string[]): void {
    const stored = storedRuns(this.#evaluation.latest, runIds);
    for (const runId of runIds) {
      if (stored.has(runId)) continue;
      this.#unknownRuns.add(runId);
      this.#listsOfTraces.set(runId, null);
    }
  }

  /** Adds or replaces the root of a graph run's trace. If it is new, its steps share its entry of the index. */
  putGraphRun(list: number, root: RunItem): void {
    const { runId, traceId } = root;
    if (this.listOfTrace(traceId) !== null || this.#isStored(runId)) {
      this.putRun(list, root);
      return;
    }
    this.#watchEnd(list, root);
    this.#addRun(list, root);
    this.#newGraphRuns.add(runId);
    this.#listsOfTraces.set(traceId, list);
    this.#adoptOrphans(list, root);
  }

  /** Has the statistics of the list computed again. */
  touch(list: number): void {
    this.#pendingList(list);
  }

  /** Adds a run that is not stored and is not the root of its trace. Feedback on it has not arrived before it. */
  addStep(list: number, run: RunItem): void {
    this.#addRun(list, run);
  }

  /** Adds values to a run that is stored or was added. False if there is none. */
  changeRun(runId: string, values: Partial<EvaluationRun>): boolean {
    const added = this.#newRuns.get(runId);
    if (added !== undefined) {
      this.putRun(added.list, added.item.with(values));
      return true;
    }
    const stored = this.#storedRun(runId);
    if (stored === undefined) return false;
    this.putRun(stored.place.list, stored.item.with(values));
    return true;
  }

  #addRun(list: number, item: RunItem): void {
    this.#pendingList(list).runs.set(item.runId, item);
    this.#newRuns.set(item.runId, { list, item });
  }

  /** Adds or replaces feedback by its id. */
  putFeedback(list: number, feedback: Feedback): void {
    const { feedbackId, runId } = feedback;
    this.#watchFeedback(list, runId);
    const added = this.#newFeedback.get(feedbackId);
    if (added !== undefined && added.list === list) {
      Object.assign(added.feedback, feedback);
      return;
    }
    const stored = findFeedback(this.plan, feedbackId)?.place;
    if (stored !== undefined && stored.list === list) {
      replaceItem(this.plan, 'F', stored, packFeedback(feedback));
      this.#pendingList(list).changedFeedback.add(stored.first);
      return;
    }
    if (stored !== undefined) this.#removeFeedbackAt(stored);
    this.#newFeedback.set(feedbackId, { list, feedback });
    this.#pendingList(list).feedback.push(feedback);
    if (runId === null) return;
    this.plan.put(keys.runFeedback(runId, feedbackId), new Uint8Array(0));
    if (list === ORPHAN_LIST) this.#addOrphan(runId, feedbackId);
  }

  /** Removes runs of traces, their feedback, and what refers to them. A run that is not there any more stays. */
  removeTraces(traces: readonly PlacedTrace[]): void {
    const { latest } = this.#evaluation;
    const runIds = this.#removeRunsAt(traces.flatMap(({ places }) => places));
    for (const runId of latest.idsUnder(keys.evaluationRuns(), runIds)) this.plan.remove(keys.evaluationRun(runId));
    for (const runId of latest.idsUnder(keys.feedbackOfRuns(), runIds))
      for (const key of latest.keysUnder(keys.feedbackOfRun(runId))) this.removeFeedback(key[2] as string);
    for (const runId of latest.idsUnder(keys.queuesOfRuns(), runIds))
      for (const key of latest.keysUnder(keys.queuesOfRun(runId))) {
        const entry = queueEntryOfRun(this.plan, key[2] as string, runId);
        for (const one of entry === undefined ? [] : queueEntryKeys(entry)) this.plan.remove(one);
      }
    this.#removeTraceEntries(traces);
  }

  /** Returns the ids of the runs. Each block is written once. */
  #removeRunsAt(places: readonly BlockPosition[]): string[] {
    const blocks = new Map<string, { block: BlockPosition; items: Set<number> }>();
    for (const place of places) {
      const name = `${place.list} ${place.first}`;
      const known = blocks.get(name);
      if (known === undefined) blocks.set(name, { block: place, items: new Set([place.at]) });
      else known.items.add(place.at);
    }
    const runIds: string[] = [];
    for (const { block, items } of blocks.values()) {
      // Deleted meanwhile, with everything in it.
      if (this.experimentIdOf(block.list) === undefined) continue;
      removeRuns(this.plan, block, (item, at) => {
        if (!items.has(at)) return false;
        for (const attachment of unpackAttachments(attachmentsOfRun(item))) removeAttachment(this.plan, attachment);
        runIds.push(unpackRunHead(item).runId);
        return true;
      });
      this.#pendingList(block.list).changedRuns.add(block.first);
    }
    return runIds;
  }

  /** Those of traces in the lists from which runs were removed. */
  #removeTraceEntries(traces: readonly PlacedTrace[]): void {
    const { latest } = this.#evaluation;
    const traceIds = traces.map(({ traceId }) => traceId);
    const withEntry = latest.idsUnder(keys.traces(), traceIds);
    const shared = latest.idsUnder(keys.shares('trace'), traceIds);
    for (const { traceId, places } of traces) {
      const isRemoved = (list: number | undefined): boolean => places.some((place) => place.list === list);
      if (isRemoved(listOfTracePlace(this.plan, traceId))) this.plan.remove(tracePlaceKey(traceId));
      if (withEntry.has(traceId) && isRemoved(listOfTrace(this.plan, traceId))) this.plan.remove(keys.trace(traceId));
      const share = shared.has(traceId) ? shareOf(this.plan, 'trace', traceId) : undefined;
      if (share !== undefined && isRemoved(Number(share.generation))) removeShare(this.plan, share);
      this.#listsOfTraces.delete(traceId);
    }
  }

  #putTrace(traceId: string, list: number): void {
    this.plan.put(keys.trace(traceId), pack(list));
    this.#listsOfTraces.set(traceId, list);
  }

  removeFeedback(feedbackId: string): void {
    const stored = findFeedback(this.plan, feedbackId);
    if (stored === undefined) return;
    this.#removeFeedbackAt(stored.place);
    if (stored.feedback.runId !== null) this.plan.remove(keys.runFeedback(stored.feedback.runId, feedbackId));
  }

  /** Resolves when everything is on disk. Statistics are updated later. */
  async commit(): Promise<void> {
    const changed: [list: number, seq: number][] = [];
    for (const [list, open] of this.#lists) {
      this.#appendAll(list, open);
      changed.push([
        list,
        recordChange(this.plan, list, open.head, {
          all: false,
          runs: [...open.changedRuns],
          feedback: [...open.changedFeedback],
        }),
      ]);
    }
    for (const update of this.#orphanUpdates) update();
    await this.#evaluation.latest.write(this.plan);
    for (const [list, seq] of changed) if (list !== ORPHAN_LIST) this.#evaluation.statistics.onListChanged(list, seq);
    if (this.#watched.length > 0) this.#evaluation.watcher?.onStored(this.#watched);
  }

  /** A run ends once: later changes of it are not reported. */
  #watchEnd(list: number, { runId, isRoot, endUs }: RunItem): void {
    if (!isRoot || endUs === null || this.#evaluation.watcher?.isWatching !== true) return;
    if (this.run(runId)?.run.endUs == null) this.#watched.push({ runId, list, trigger: 'end' });
  }

  #watchFeedback(list: number, runId: string | null): void {
    if (runId === null || this.#evaluation.watcher?.isWatching !== true) return;
    // Feedback that belongs to the thread of its run.
    const ofRun = list === ORPHAN_LIST ? this.run(runId)?.list : list;
    if (ofRun !== undefined) this.#watched.push({ runId, list: ofRun, trigger: 'feedback' });
  }

  #appendAll(list: number, open: PendingList): void {
    const added = [...open.runs.values()];
    const runs = appendRuns(this.plan, { list, next: open.head.nextRun }, added);
    for (const { first } of runs.places) open.changedRuns.add(first);
    this.#putPositions(added, runs.places);
    const feedback = appendItems(
      this.plan,
      'F',
      { list, next: open.head.nextFeedback },
      open.feedback.map(packFeedback),
    );
    feedback.places.forEach((place, at) => {
      putFeedbackPosition(this.plan, open.feedback[at]!.feedbackId, place);
      open.changedFeedback.add(place.first);
    });
    for (const { startUs } of added) open.startsUs.push(startUs);
    open.head = { ...withStarts(open.head, open.startsUs), nextRun: runs.next, nextFeedback: feedback.next };
  }

  #putPositions(added: readonly RunItem[], places: readonly BlockPosition[]): void {
    for (let at = 0; at < added.length;) {
      const { runId, traceId } = added[at]!;
      let end = at + 1;
      if (this.#newGraphRuns.has(runId)) {
        const beginning = spanPrefix(runId);
        while (added[end]?.traceId === traceId && added[end]!.runId.startsWith(beginning)) end += 1;
        putTracePlace(this.plan, traceId, places, { start: at, end });
      } else putEvaluationRunPosition(this.plan, runId, places[at]!);
      at = end;
    }
  }

  /** Moves feedback here that has arrived before its run. */
  #adoptOrphans(list: number, run: RunItem): void {
    this.#moveFeedback(run, ORPHAN_LIST, list, [...(this.#evaluation.orphans.get(run.runId) ?? [])]);
  }

  /**
   * Moves the feedback of a run to another list: stored feedback with these ids, and feedback that this commit
   * adds.
   */
  #moveFeedback(run: RunItem, from: number, list: number, feedbackIds: Iterable<string>): void {
    const found: Feedback[] = [];
    for (const feedbackId of feedbackIds) {
      const stored = findFeedback(this.plan, feedbackId);
      if (stored === undefined || stored.place.list !== from || this.#staysWithThread(stored.feedback)) continue;
      this.#removeFeedbackAt(stored.place);
      found.push(stored.feedback);
    }
    for (const [feedbackId, added] of this.#newFeedback) {
      if (added.list !== from || added.feedback.runId !== run.runId || this.#staysWithThread(added.feedback)) continue;
      const { feedback } = this.#pendingList(from);
      feedback.splice(feedback.indexOf(added.feedback), 1);
      if (from === ORPHAN_LIST) this.#dropOrphan(run.runId, feedbackId);
      found.push(added.feedback);
    }
    for (const feedback of found) {
      const moved = { ...feedback, traceId: run.traceId };
      this.#newFeedback.set(feedback.feedbackId, { list, feedback: moved });
      this.#pendingList(list).feedback.push(moved);
    }
  }

  #staysWithThread({ thread }: Feedback): boolean {
    return thread !== null && thread !== undefined && !this.#evaluation.graphRuns.feedbackFollowsTrace();
  }

  #addOrphan(runId: string, feedbackId: string): void {
    this.plan.put(keys.orphanFeedback(runId, feedbackId), new Uint8Array(0));
    const { orphans } = this.#evaluation;
    this.#orphanUpdates.push(() => orphans.set(runId, (orphans.get(runId) ?? new Set()).add(feedbackId)));
  }

  #dropOrphan(runId: string, feedbackId: string): void {
    this.plan.remove(keys.orphanFeedback(runId, feedbackId));
    const { orphans } = this.#evaluation;
    this.#orphanUpdates.push(() => {
      const known = orphans.get(runId);
      known?.delete(feedbackId);
      if (known?.size === 0) orphans.delete(runId);
    });
  }

  #removeRunAt(place: BlockPosition): void {
    const { runId } = unpackRunHead(itemAt(this.plan, 'R', place)!);
    removeRuns(this.plan, place, (_item, at) => at === place.at);
    this.#pendingList(place.list).changedRuns.add(place.first);
    this.plan.remove(keys.evaluationRun(runId));
  }

  #removeFeedbackAt(place: BlockPosition): void {
    const feedback = unpackFeedback(itemAt(this.plan, 'F', place)!);
    replaceItem(this.plan, 'F', place, null);
    this.#pendingList(place.list).changedFeedback.add(place.first);
    this.plan.remove(keys.feedback(feedback.feedbackId));
    if (place.list === ORPHAN_LIST && feedback.runId !== null) this.#dropOrphan(feedback.runId, feedback.feedbackId);
  }

  /** The list as it was before this commit. */
  headOf(list: number): ListHead {
    let head = this.#heads.get(list);
    if (head === undefined) {
      head = listHead(this.plan, list);
      this.#heads.set(list, head);
    }
    return head;
  }

  #pendingList(list: number): PendingList {
    let open = this.#lists.get(list);
    if (open === undefined) {
      open = {
        head: this.headOf(list),
        runs: new Map(),
        feedback: [],
        changedRuns: new Set(),
        changedFeedback: new Set(),
        startsUs: [],
      };
      this.#lists.set(list, open);
    }
    return open;
  }
}

function withoutPlace(found: PlacedItem | undefined): { list: number; run: EvaluationRun } | undefined {
  return found === undefined ? undefined : { list: found.place.list, run: found.item.run };
}
