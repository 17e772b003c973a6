import { setTimeout as sleep } from 'node:timers/promises';
import { fail, ThreadmillError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { NodeAddress } from '../../base/node-address.js';
import { OpenDataFile } from '../files/open-data-file.js';
import { openCipher } from '../encryption/encryption.js';
import { newFormatRecords } from '../format-records.js';
import { FORMAT_VERSION, keys } from '../keys.js';
import { Reader } from '../reader.js';
import { Store } from '../store.js';
import { LOG_START } from './entry.js';
import { LogJournal } from './log-journal.js';
import { databaseError, PostgresConnection } from './postgres/connection.js';
import { readDurability, type Durability } from './postgres/durability.js';
import { Membership, type NodeLoad, type Ownership } from './postgres/membership.js';
import { olderNode, requestDrain, undoDrain, type NodeList } from './postgres/nodes.js';
import { PostgresLog } from './postgres/postgres-log.js';
import { openTables, raiseFormat, type ClusterInfo } from './postgres/schema.js';
import { logBytes, newestSnapshot, snapshotBytes } from './postgres/snapshots.js';
import { Replica } from './replica.js';
import type { SnapshotReport } from './snapshot-task.js';
import { formatOf, upgradeRecords } from './upgrade-records.js';
import { whileLoading } from './while-loading.js';

export interface ClusterOptions {
  /** Address of the PostgreSQL database. */
  url: string;
  /** Identifies the cluster's key without revealing it. */
  keyFingerprint: string;
  /** Of this process. */
  nodeId: string;
  /** Name of this node for people. */
  nodeName: string;
  /** Of Threadmill. */
  version: string;
}

export interface ClusterEvents {
  /** The database does not answer, or refuses. Called for each failed try. */
  onTrouble: (error: Error) => void;
  /** This node has converted the records of an earlier release; `records` were written. */
  onUpgraded: (upgrade: { from: number; to: number; records: number; ms: number }) => void;
  /** Another node is the owner now, or nobody can tell. This process must end. */
  onLost: (reason: string) => void;
}

/** Why a node became the owner: `first`: there was none before; `left`: the last one gave up; `lost`: it was silent. */
export type TakeoverReason = 'first' | 'left' | 'lost';

/** Why a node is not the owner. `clock`: its clock differs too much from the one of the database. */
export type WaitReason =
  | { kind: 'owner'; name: string }
  | { kind: 'drained' }
  | { kind: 'clock'; offsetMs: number }
  /** A node of an earlier release lives, which could not read the records of this one. */
  | { kind: 'older'; name: string };

/**
 * This process as a node of a cluster: its copy of the data, and whether it is the owner. A node becomes the owner at
 * most once; when it loses that, the process must end, because what it holds in memory may be outdated.
 */
export class ClusterNode {
  readonly clusterId: string;
  readonly durability: Durability;
  readonly #replica: Replica;
  readonly #log: PostgresLog;
  readonly #membership: Membership;
  readonly #control: PostgresConnection;
  readonly #events: ClusterEvents;
  #epoch: number | null = null;
  #journal: LogJournal | null = null;
  /** Bytes of the log behind the newest snapshot when this node became the owner. */
  #bytesBefore = 0;
  #snapshotBytes = 0;
  #beating: NodeJS.Timeout | null = null;
  #ownership: Ownership | null = null;
  /** When the newest renewal that the database confirmed was sent, by two clocks. */
  #renewed = { monotonicMs: -Infinity, wallMs: -Infinity };
  /** When the database last did not answer. */
  #unansweredMs = -Infinity;
  /** The database answered the last time. */
  #isAnswering = true;
  #isReleased = false;
  #isClosed = false;
  /** Called when another node has become the owner, or the owner began or stopped to serve. */
  onOwnerChanged: () => void = () => undefined;
  /** Called whenever this node has read what the database knows about the cluster. */
  onObserved: () => void = () => undefined;

  private constructor(
    { clusterId }: ClusterInfo,
    {
      replica,
      log,
      control,
      membership,
      durability,
      events,
    }: {
      replica: Replica;
      log: PostgresLog;
      control: PostgresConnection;
      membership: Membership;
      durability: Durability;
      events: ClusterEvents;
    },
  ) {
    this.clusterId = clusterId;
    this.#replica = replica;
    this.#log = log;
    this.#control = control;
    this.#events = events;
    this.#membership = membership;
    this.durability = durability;
  }

  /**
   * Joins the cluster, or creates it where the database has none, and brings the copy in `folder` up to date. Throws
   * CLUSTER_DATABASE, the errors of `openTables`, and those of `Replica.open`.
   */
  static async join(folder: string, options: ClusterOptions, events: ClusterEvents): Promise<ClusterNode> {
    const control = new PostgresConnection(options.url, { name: 'threadmill control' });
    const log = new PostgresLog(options.url, events.onTrouble);
    try {
      const info = await openTables(control, options.keyFingerprint).catch((error: unknown) => {
        throw error instanceof ThreadmillError ? error : databaseError(options.url, error);
      });
      const durability = await readDurability(control);
      const findSnapshot = async () => {
        const snapshot = await newestSnapshot(control);
        return snapshot === null ? null : { ...snapshot, pieces: snapshotBytes(control, snapshot) };
      };
      const { nodeId, nodeName: name, version } = options;
      const membership = new Membership(control, { nodeId, name, version });
      const replica = await whileLoading(membership, events.onTrouble, () =>
        Replica.open(folder, { clusterId: info.clusterId, log, findSnapshot }),
      );
      return new ClusterNode(info, { replica, log, control, membership, durability, events });
    } catch (error) {
      await Promise.all([control.close(), log.close()]);
      throw error;
    }
  }

  /** Null while this node is not the owner. */
  get epoch(): number | null {
    return this.#epoch;
  }

  /** The newest epoch that this node knows of. */
  get knownEpoch(): number {
    return Math.max(this.#epoch ?? 0, this.#ownership?.epoch ?? 0);
  }

  /** Another node says that there is an owner with this epoch. This one may be unable to read that. */
  onSuperseded(epoch: number): void {
    if (this.#epoch !== null && epoch > this.#epoch) this.#lose('another node has become the owner');
  }

  /**
   * False while another node may have become the owner: reads could then be outdated. True while the database is away,
   * because a node that takes over needs it, and reads should go on.
   */
  get isCertain(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#unansweredMs < LIMITS.clusterAwayMs) return true;
    const { monotonicMs, wallMs } = this.#renewed;
    // A suspended machine may stop one of the clocks.
    return nowMs - monotonicMs < LIMITS.clusterCertainMs && Math.abs(Date.now() - wallMs) < LIMITS.clusterCertainMs;
  }

  /** Where the owner takes requests, as far as this node knows; null while nobody serves. */
  get owner(): NodeAddress | null {
    return this.#ownership?.owner?.address ?? null;
  }

  /** False while the database does not answer. */
  get isReachable(): boolean {
    return this.#isAnswering && this.#journal?.isReachable !== false;
  }

  /**
   * Reads the copy while this node is not the owner. Throws ENCRYPTION_KEY_MISSING, ENCRYPTION_KEY_WRONG or
   * STORE_NOT_ENCRYPTED.
   */
  openReader(encryptionKey: Uint8Array | null): Reader {
    const { db, folder, position } = this.#replica;
    // The records that say whether values are encrypted come with the first entry.
    if (position.index === LOG_START.index) return new Reader(db, null);
    return new Reader(db, openCipher(new Reader(db, null).get(keys.meta('encryption')), folder, encryptionKey));
  }

  get nodeId(): string {
    return this.#membership.nodeId;
  }

  /** What the database knew about the cluster when this node last read it; null before that. */
  get ownership(): Ownership | null {
    return this.#ownership;
  }

  /** This node must take no runs and no ownership. */
  get isDrainRequested(): boolean {
    return this.#ownership?.isDrainRequested === true;
  }

  /** Called for each beat: what this node shows of its graph workers. */
  set load(load: () => NodeLoad) {
    this.#membership.load = load;
  }

  /** The journal of the owner; null before `openStore`. */
  get journal(): LogJournal | null {
    return this.#journal;
  }

  /** Address of this machine in the network of the database. */
  get localAddress(): string | null {
    return this.#control.localAddress;
  }

  /** The log behind the newest snapshot has become so long that a new node would be faster with another one. */
  get isSnapshotDue(): boolean {
    const bytes = this.#bytesBefore + (this.#journal?.appendedBytes ?? 0);
    return bytes > Math.max(LIMITS.snapshotLogBytes, this.#snapshotBytes);
  }

  onSnapshot({ bytes }: SnapshotReport): void {
    this.#snapshotBytes = bytes;
    this.#bytesBefore = -(this.#journal?.appendedBytes ?? 0);
  }

  /**
   * Resolves when this node is the owner and its copy has everything. Rejects when the signal is aborted. `onWaiting`
   * is called whenever the reason why it is not the owner changes.
   */
  async becomeOwner(signal: AbortSignal, onWaiting: (reason: WaitReason) => void): Promise<TakeoverReason> {
    let seen: { ownership: Ownership; atMs: number } | null = null;
    let lastReason = '';
    for (;;) {
      signal.throwIfAborted();
      try {
        await this.#replica.catchUp();
        const ownership = this.#observe(await this.#membership.beat(this.#replica.position.index));
        if (ownership.lastEntry < this.#replica.position.index) await this.#replica.isInLog();
        const nowMs = performance.now();
        if (seen === null || !isSameBeat(seen.ownership, ownership)) seen = { ownership, atMs: nowMs };
        const reason = this.#whyWaiting(ownership, nowMs - seen.atMs);
        const key = reasonKey(reason);
        if (reason !== null && key !== lastReason) onWaiting(reason);
        lastReason = key;
        if (reason === null && (await this.#takeOver(ownership))) return takeoverReason(ownership);
      } catch (error) {
        // Trying again does not help against these.
        if (error instanceof ThreadmillError) throw error;
        this.#isAnswering = false;
        this.#events.onTrouble(error as Error);
        // Nobody could show that it lives while the database was away.
        seen = null;
      }
      await sleep(LIMITS.clusterPollMs, undefined, { signal });
    }
  }

  /** Asks nodes of this name to drain, or puts them back. Rejects with CLUSTER_UNREACHABLE. */
  async changeDrain(name: string, isDrained: boolean): Promise<NodeList> {
    return this.#ask(async () => {
      await (isDrained ? requestDrain(this.#control, name) : undoDrain(this.#control, name));
      return this.#observe(await this.#membership.read());
    });
  }

  /** The nodes now; as they were last while the database is away. Rejects with CLUSTER_UNREACHABLE. */
  async readNodes(): Promise<NodeList> {
    if (!this.isReachable && this.#ownership !== null) return this.#ownership;
    return this.#ask(() => this.#membership.read());
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      this.#events.onTrouble(error as Error);
      throw fail('CLUSTER_UNREACHABLE', {}, error);
    }
  }

  /** The store of the owner. Call it once, after `becomeOwner`. Its closing closes the copy. */
  async openStore(encryptionKey: Uint8Array | null): Promise<Store> {
    const { db, folder, lock, tail, position } = this.#replica;
    const journal = new LogJournal(db, {
      log: this.#log,
      tail,
      epoch: this.#epoch!,
      position,
      onFenced: () => this.#lose('another node has become the owner'),
      onDiverged: (error) =>
        this.#lose(
          `the log does not end with the last entry of this node, so the database has lost entries: ${error.message}`,
        ),
    });
    this.#journal = journal;
    if (this.#ownership!.storeFormat < FORMAT_VERSION && !(await raiseFormat(this.#control, this.#epoch!)))
      throw fail('CLUSTER_FENCED', { epoch: this.#epoch! });
    if (position.index === LOG_START.index) await journal.write(newFormatRecords(encryptionKey));
    else await this.#upgrade(journal);
    const file = new OpenDataFile(`${folder}/data.mdb`, []);
    const store: Store = Store.forReplica(db, folder, {
      lock: {
        release: () => {
          // After a failure, LMDB may not have written everything.
          if (store.failure === null) this.#replica.markClosed();
          lock.release();
        },
      },
      file,
      journal,
      encryptionKey,
    });
    return store;
  }

  /** Also after an owner that was lost while it converted the records. */
  async #upgrade(journal: LogJournal): Promise<void> {
    const { db } = this.#replica;
    const from = formatOf(db);
    if (from === null || from >= FORMAT_VERSION) return;
    const beganMs = performance.now();
    const records = await upgradeRecords(db, journal, from);
    this.#events.onUpgraded({ from, to: FORMAT_VERSION, records, ms: Math.round(performance.now() - beganMs) });
  }

  /** Tells the other nodes where this one takes requests; null: nowhere any more. */
  async announce(address: NodeAddress | null): Promise<void> {
    this.#membership.address = address;
    await this.#showLife();
  }

  /**
   * Gives the ownership up, so that another node takes over at once, and goes on to tell who the owner is. Call it when
   * the store is closed. `joinsAgain`: this process will join again with the same node id.
   */
  async release({ joinsAgain }: { joinsAgain: boolean }): Promise<void> {
    this.#isReleased = true;
    if (this.#beating !== null) clearTimeout(this.#beating);
    if (this.#journal === null) await this.#replica.close();
    const leaving = joinsAgain ? this.#membership.giveUp() : this.#membership.leave();
    await leaving.catch((error: unknown) => this.#events.onTrouble(error as Error));
    // Without a copy, a node that joins again has the state of one that loads.
    this.#watchOwner(() => (joinsAgain ? this.#membership.beat(null) : this.#membership.read()));
  }

  /** Call it after `release`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#beating !== null) clearTimeout(this.#beating);
    await Promise.all([this.#control.close(), this.#log.close()]);
  }

  /** Null if this node can take over. `unchangedMs`: for how long the owner has not shown that it lives. */
  #whyWaiting(ownership: Ownership, unchangedMs: number): WaitReason | null {
    const { owner, isDrainRequested, clockOffsetMs, storeFormat } = ownership;
    // This node is named if an earlier try failed after the takeover itself.
    const isFree =
      owner === null || owner.nodeId === this.#membership.nodeId || unchangedMs > LIMITS.clusterOwnerSilentMs;
    if (!isFree) return { kind: 'owner', name: owner.name };
    if (isDrainRequested) return { kind: 'drained' };
    const older = storeFormat < FORMAT_VERSION ? olderNode(ownership, FORMAT_VERSION) : null;
    if (older !== null) return { kind: 'older', name: older.name };
    return Math.abs(clockOffsetMs) > LIMITS.clusterClockOffsetMs ? { kind: 'clock', offsetMs: clockOffsetMs } : null;
  }

  /** False when another node was faster. */
  async #takeOver({ epoch }: Ownership): Promise<boolean> {
    // A database that has lost entries must not get others in their places.
    await this.#replica.isInLog();
    const own = await this.#membership.takeOver(epoch);
    if (own === null) return false;
    // From here on nothing of an earlier owner follows.
    await this.#replica.catchUp();
    this.#epoch = own;
    const snapshot = await newestSnapshot(this.#control);
    this.#snapshotBytes = snapshot?.bytes ?? 0;
    this.#bytesBefore = await logBytes(this.#control, snapshot?.index ?? 0);
    this.#membership.removeLost().catch((error: unknown) => this.#events.onTrouble(error as Error));
    this.#renewed = { monotonicMs: performance.now(), wallMs: Date.now() };
    this.#beat();
    return true;
  }

  /** Shows that the owner lives, and notices when it is no longer the owner. */
  #beat(): void {
    this.#beating = setTimeout(() => {
      void this.#showLife().finally(() => {
        if (!this.#isReleased) this.#beat();
      });
    }, LIMITS.clusterBeatMs);
  }

  async #showLife(): Promise<void> {
    const applied = this.#journal?.position.index ?? this.#replica.position.index;
    const sent = { monotonicMs: performance.now(), wallMs: Date.now() };
    try {
      const { epoch } = this.#observe(await this.#membership.beat(applied));
      if (epoch === this.#epoch) this.#renewed = sent;
      else this.#lose('another node has become the owner');
      this.#unansweredMs = -Infinity;
    } catch (error) {
      this.#unansweredMs = performance.now();
      this.#isAnswering = false;
      this.#events.onTrouble(error as Error);
    }
  }

  #watchOwner(look: () => Promise<Ownership>): void {
    this.#beating = setTimeout(() => {
      look()
        .then((ownership) => this.#observe(ownership))
        .catch(() => undefined)
        .finally(() => {
          if (!this.#isClosed) this.#watchOwner(look);
        });
    }, LIMITS.clusterPollMs);
  }

  #observe(ownership: Ownership): Ownership {
    const before = this.#ownership;
    this.#ownership = ownership;
    this.#isAnswering = true;
    if (before?.epoch !== ownership.epoch || !isSameAddress(before.owner?.address, ownership.owner?.address))
      this.onOwnerChanged();
    this.onObserved();
    if (ownership.storeFormat > FORMAT_VERSION)
      this.#lose(`a newer release has converted the records to format ${ownership.storeFormat}`);
    return ownership;
  }

  #lose(reason: string): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#events.onLost(reason);
  }
}

function isSameAddress(one: NodeAddress | null | undefined, other: NodeAddress | null | undefined): boolean {
  return one?.host === other?.host && one?.port === other?.port;
}

function isSameBeat(one: Ownership, other: Ownership): boolean {
  return (
    one.epoch === other.epoch && one.owner?.nodeId === other.owner?.nodeId && one.owner?.beat === other.owner?.beat
  );
}

function takeoverReason({ epoch, owner }: Ownership): TakeoverReason {
  if (owner !== null) return 'lost';
  return epoch === 0 ? 'first' : 'left';
}

/** Equal for two reasons that need not be told twice. */
function reasonKey(reason: WaitReason | null): string {
  if (reason === null) return '';
  return reason.kind === 'owner' || reason.kind === 'older' ? `${reason.kind} ${reason.name}` : reason.kind;
}
