/** Input of the thread that stores a snapshot. */
export interface SnapshotTask {
  dataFile: string;
  /** Address of the database. */
  url: string;
}

export interface SnapshotReport {
  /** The last entry of the log that the snapshot contains. */
  index: number;
  bytes: number;
  /** Number of partitions of the log that were removed, because no node needs them any more. */
  removedPartitions: number;
}
