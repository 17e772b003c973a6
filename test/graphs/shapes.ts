import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { Annotation, END, START, StateGraph, messagesStateReducer } from '@langchain/langgraph';

const State = Annotation.Root({
  messages: Annotation<BaseMessage[]>({ reducer: messagesStateReducer, default: () => [] }),
  numbers: Annotation<number[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  map: Annotation<Map<string, unknown>>,
  set: Annotation<Set<unknown>>,
  odd: Annotation<unknown[]>,
  bytes: Annotation<Uint8Array>,
  nested: Annotation<unknown>,
  proto: Annotation<unknown>,
  do: Annotation<string>,
  seen: Annotation<unknown>,
});

/** What a value is, in words: what a later run finds must be what an earlier one left. */
function describe(value: unknown): unknown {
  if (value instanceof Map) return { Map: [...value].map(([key, one]) => [key, describe(one)]) };
  if (value instanceof Set) return { Set: [...value].map(describe) };
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (value instanceof AIMessage || value instanceof HumanMessage)
    return { [value.constructor.name]: value.content, extra: value.additional_kwargs };
  if (value === undefined) return 'undefined';
  if (Array.isArray(value)) return value.map(describe);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, describe(one)]));
  return value;
}

/** State that JSON alone cannot carry. */
export const graph = new StateGraph(State)
  .addNode('work', (state) => {
    if (state.do === 'fill') {
      return {
        messages: [new AIMessage({ id: 'one', content: 'first', additional_kwargs: { a: [1, { b: null }] } })],
        numbers: Array.from({ length: 500 }, (_, i) => i),
        map: new Map<string, unknown>([
          ['k', 1],
          ['nested', new Map([['x', [1, 2]]])],
        ]),
        set: new Set(['a', 'b']),
        odd: [new Map([['in', 'list']]), { plain: true }, undefined, new Set([1]), 'text'],
        bytes: new Uint8Array([0, 255, 7]),
        nested: { message: new HumanMessage({ id: 'inside', content: 'hi' }) },
        proto: JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}') as unknown,
      };
    }
    if (state.do === 'mutate') {
      // In place, which graphs should not do and do.
      state.messages[0]!.content = 'changed in place';
      return { numbers: [-1], messages: [new AIMessage({ id: 'two', content: 'second' })] };
    }
    const { seen: _seen, do: _do, numbers, ...rest } = state;
    return {
      seen: {
        ...(describe(rest) as object),
        numbers: { count: numbers.length, first: numbers[0], last: numbers.at(-1) },
        polluted: ({} as { polluted?: boolean }).polluted ?? false,
      },
    };
  })
  .addEdge(START, 'work')
  .addEdge('work', END)
  .compile();
