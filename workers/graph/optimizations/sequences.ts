import type * as Packages from '../packages.js';
import type { ChainConfig, FindScope } from './callback-scopes.js';

type Runnables = typeof Packages.runnables;

interface Config extends ChainConfig {
  signal?: AbortSignal;
}

interface Step {
  invoke(input: unknown, options: unknown): Promise<unknown>;
}

/** The manager of a sequence that runs. */
interface RunManager {
  getChild(tag: string | undefined): unknown;
  handleChainEnd(outputs: object): Promise<unknown> | void;
  handleChainError(error: unknown): Promise<unknown> | void;
}

interface Manager {
  handleChainStart(...args: unknown[]): Promise<RunManager | undefined>;
}

/** What sequences have, also what their types hide. */
interface Sequence {
  first: Step;
  middle: Step[];
  last: Step;
  omitSequenceTags: boolean;
  _runExtra: unknown;
  toJSON(): unknown;
}

const MEMBERS = ['first', 'middle', 'last', 'omitSequenceTags'];

/**
 * Makes it cheap to call the steps of a sequence; every node of a graph is one. The library deletes members of each
 * config that it makes. V8 keeps such an object as a table, and every copy of it takes twice as long. The library also
 * wraps each step in eight promises to wait for it or for the signal. Known to fit @langchain/core 1.4.
 * `findScope`: of `scopeDirectHandlers`, null if that is turned off.
 */
export function callSequencesDirectly(
  { RunnableSequence, RunnablePassthrough, ensureConfig, getCallbackManagerForConfig }: Runnables,
  findScope: FindScope | null,
): void {
  const prototype = RunnableSequence?.prototype as unknown as Record<string, unknown> | undefined;
  const functions = [prototype?.['invoke'], RunnablePassthrough, ensureConfig, getCallbackManagerForConfig];
  // Another release may be implemented differently; then nothing is replaced.
  if (prototype === undefined || functions.some((one) => typeof one !== 'function')) return;
  if ((prototype['invoke'] as () => unknown).length !== 2 || !('_runExtra' in prototype)) return;
  const probe = new RunnableSequence({ first: new RunnablePassthrough(), last: new RunnablePassthrough() });
  if (!MEMBERS.every((name) => Object.hasOwn(probe, name))) return;

  prototype['invoke'] = async function invoke(this: Sequence, input: unknown, options?: unknown): Promise<unknown> {
    const config = ensureConfig(options as never) as Config;
    const run = await startOf(this, input, config);
    const { first, middle, last, omitSequenceTags } = this;
    const ofSteps = configOfSteps(config, run !== undefined);
    const callStep = (step: Step, value: unknown, number: number): Promise<unknown> => {
      const tag = omitSequenceTags ? undefined : `seq:step:${number}`;
      return step.invoke(value, run === undefined ? { ...ofSteps } : { ...ofSteps, callbacks: run.getChild(tag) });
    };
    let value = input;
    try {
      value = await orAborted(callStep(first, value, 1), config.signal);
      for (let at = 0; at < middle.length; at += 1)
        value = await orAborted(callStep(middle[at]!, value, at + 2), config.signal);
      if (config.signal?.aborted === true) throw abortError(config.signal);
      value = await callStep(last, value, middle.length + 2);
    } catch (error) {
      await run?.handleChainError(error);
      throw error;
    }
    if (run !== undefined) await run.handleChainEnd(asObject(value, 'output'));
    return value;
  };

  async function startOf(chain: Sequence, input: unknown, config: Config): Promise<RunManager | undefined> {
    const inputs = asObject(input, 'input');
    const scope = findScope?.(config.callbacks) ?? null;
    if (scope !== null) {
      // The library waits for one promise, too. So parallel steps start in the same order.
      await Promise.resolve();
      return scope.startChain(config, { chain, inputs, extra: chain._runExtra });
    }
    const manager = (await getCallbackManagerForConfig(config as never)) as unknown as Manager | undefined;
    return manager?.handleChainStart(
      ...[chain.toJSON(), inputs, config.runId, undefined, undefined, undefined],
      ...[config.runName, undefined, chain._runExtra],
    );
  }
}

/** Id and name are those of the sequence itself. Steps keep the name if nobody is told of the sequence. */
function configOfSteps({ runId: _id, runName, ...rest }: Config, hasCallbacks: boolean): object {
  const isNamed = !hasCallbacks && runName !== undefined;
  return isNamed ? { ...rest, runId: undefined, runName } : { ...rest, runId: undefined };
}

/** The result of a step, or the error of the signal. A step that fails after that is ignored. */
function orAborted(step: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return step;
  return new Promise((resolve, reject) => {
    /** The step and the signal: the first one counts. */
    let isDecided = false;
    const decide = (end: () => void, isFailure: boolean): void => {
      signal.removeEventListener('abort', onAbort);
      if (isDecided) return;
      isDecided = true;
      if (isFailure) void afterPromises(end);
      else end();
    };
    const onAbort = (): void => decide(() => reject(abortError(signal)), true);
    signal.addEventListener('abort', onAbort, { once: true });
    step.then(
      (value) => decide(() => resolve(value), false),
      (error: unknown) => decide(() => (signal.aborted ? resolve(undefined) : reject(error as Error)), true),
    );
    if (signal.aborted) onAbort();
  });
}

/** Number of promises through which the library passes an error. */
const PROMISES_OF_ERROR = 8;

/** A stream drops what is queued when its graph fails. Its readers get as much time before that as with the library. */
async function afterPromises(end: () => void): Promise<void> {
  for (let n = 0; n < PROMISES_OF_ERROR; n += 1) await Promise.resolve();
  end();
}

function abortError({ reason }: AbortSignal): Error {
  if (reason instanceof Error) return reason;
  return new Error(typeof reason === 'string' ? reason : 'Aborted');
}

function asObject(value: unknown, name: string): object {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
  return isObject ? value : { [name]: value };
}
