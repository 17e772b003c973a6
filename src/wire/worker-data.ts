import { workerData } from 'node:worker_threads';

/** What the pool started this thread with. Piscina hands it on as it is or as [its own, ours], by how the worker was loaded. */
export function ownWorkerData<T>(): T {
  const data = workerData as unknown;
  return (Array.isArray(data) ? data[1] : data) as T;
}
