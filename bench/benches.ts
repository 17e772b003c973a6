import type { Bench } from './bench.js';
import authenticatedRequests from './authenticated-requests.bench.js';
import busyReads from './busy-reads.bench.js';
import chatTurns from './chat-turns.bench.js';
import checkpoints from './checkpoints.bench.js';
import clusterCommit from './cluster-commit.bench.js';
import clusterFailover from './cluster-failover.bench.js';
import clusterForwarding from './cluster-forwarding.bench.js';
import clusterScaling from './cluster-scaling.bench.js';
import clusterRunCpu from './cluster-run-cpu.bench.js';
import compareExperiments from './compare-experiments.bench.js';
import consolePage from './console.bench.js';
import consoleFrames from './console-frames.bench.js';
import createThreads from './create-threads.bench.js';
import customApp from './custom-app.bench.js';
import customChunks from './custom-chunks.bench.js';
import firstEvent from './first-event.bench.js';
import idleReaders from './idle-readers.bench.js';
import largeBodies from './large-bodies.bench.js';
import listThreads from './list-threads.bench.js';
import openReaders from './open-readers.bench.js';
import parts from './parts.bench.js';
import recordings from './recordings.bench.js';
import runCpu from './run-cpu.bench.js';
import start from './start.bench.js';
import threadRuns from './thread-runs.bench.js';
import traceDeletion from './trace-deletion.bench.js';
import traceSearch from './trace-search.bench.js';
import traces from './traces.bench.js';
import transports from './transports.bench.js';
import uploadExperiment from './upload-experiment.bench.js';
import uploadMemory from './upload-memory.bench.js';
import waitLatency from './wait-latency.bench.js';
import waitThroughput from './wait-throughput.bench.js';
import waitingRuns from './waiting-runs.bench.js';

/** All benches, in the order of RESULTS.md. */
export const benches: readonly Bench[] = [
  waitLatency,
  waitThroughput,
  firstEvent,
  threadRuns,
  runCpu,
  traces,
  traceDeletion,
  recordings,
  traceSearch,
  customChunks,
  waitingRuns,
  busyReads,
  chatTurns,
  checkpoints,
  createThreads,
  listThreads,
  authenticatedRequests,
  customApp,
  transports,
  uploadExperiment,
  uploadMemory,
  compareExperiments,
  largeBodies,
  parts,
  start,
  idleReaders,
  openReaders,
  consolePage,
  consoleFrames,
  clusterCommit,
  clusterForwarding,
  clusterScaling,
  clusterRunCpu,
  clusterFailover,
];
