import type { GraphSchemas } from '../../src/wire/user-code/graph-types.js';
import { ts } from './compiler.js';
import { JsonSchemas } from './json-schema.js';

/** Finds graphs and their schemas in the types of exported values. */
export class GraphTypes {
  readonly #checker: ts.TypeChecker;
  readonly #place: ts.Node;

  constructor(checker: ts.TypeChecker, place: ts.Node) {
    this.#checker = checker;
    this.#place = place;
  }

  /**
   * The type of the graph inside the type of a compiled graph, a builder, an agent, a promise, or a function
   * that returns one. Null for any other type.
   */
  findGraph(type: ts.Type, depth = 0): ts.Type | null {
    if (depth > 4) return null;
    const awaited = this.#checker.getAwaitedType(type) ?? type;
    if (this.#has(awaited, 'invoke') && this.#has(awaited, 'channels')) return awaited;
    const inner = this.#property(awaited, 'graph');
    if (inner !== null) return this.findGraph(inner, depth + 1);
    const made = this.#returned(this.#property(awaited, 'compile') ?? awaited);
    return made === null ? null : this.findGraph(made, depth + 1);
  }

  schemasOf(graph: ts.Type): GraphSchemas {
    const input = this.#property(graph, '~InputType') ?? this.#parameter(graph, 0);
    const output = this.#property(graph, '~OutputType') ?? this.#promised(graph);
    const state = this.#property(graph, '~RunOutput') ?? this.#property(graph, 'RunOutput') ?? output;
    const options = this.#parameter(graph, 1);
    const context = options === null ? null : this.#property(options, 'context');
    const toSchema = (type: ts.Type | null, update: boolean): GraphSchemas['state'] =>
      type === null ? null : new JsonSchemas(this.#checker, this.#place).convert(type, update);
    return {
      state: toSchema(state, false),
      input: toSchema(input, true),
      output: toSchema(output, false),
      config: toSchema(context, false),
    };
  }

  #has(type: ts.Type, name: string): boolean {
    return type.getProperty(name) !== undefined;
  }

  #property(type: ts.Type, name: string): ts.Type | null {
    const symbol = this.#checker.getNonNullableType(type).getProperty(name);
    if (symbol === undefined) return null;
    return this.#checker.getNonNullableType(this.#checker.getTypeOfSymbolAtLocation(symbol, this.#place));
  }

  #returned(type: ts.Type): ts.Type | null {
    const signature = this.#checker.getSignaturesOfType(type, ts.SignatureKind.Call)[0];
    return signature?.getReturnType() ?? null;
  }

  /** The type of a parameter of `invoke`. */
  #parameter(graph: ts.Type, at: number): ts.Type | null {
    const invoke = this.#property(graph, 'invoke');
    const signature = invoke === null ? undefined : this.#checker.getSignaturesOfType(invoke, ts.SignatureKind.Call)[0];
    const parameter = signature?.getParameters()[at];
    return parameter === undefined
      ? null
      : this.#checker.getNonNullableType(this.#checker.getTypeOfSymbolAtLocation(parameter, this.#place));
  }

  #promised(graph: ts.Type): ts.Type | null {
    const invoke = this.#property(graph, 'invoke');
    const returned = invoke === null ? null : this.#returned(invoke);
    return returned === null ? null : (this.#checker.getAwaitedType(returned) ?? null);
  }
}
