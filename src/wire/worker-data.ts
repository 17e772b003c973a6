import { workerData } from 'node:worker_threads';

/**
 * The data that the pool started this thread with. Piscina passes it on as it is or as [its own, ours],
 * depending on how it loaded the worker.
 */
export function readWorkerData<T>(): T {
  const data = workerData as unknown;
  return (Array.isArray(data) ? data[1] : data) as T;
}
