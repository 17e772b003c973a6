import type { JsonObject } from '../../src/base/json/json.js';
import { ts } from './compiler.js';

/** Limit of visited types per schema. A state with hundreds of fields has far fewer; exploding types are cut off. */
const TYPES_MAX = 5_000;
const DEPTH_MAX = 24;

const DIALECT = 'http://json-schema.org/draft-07/schema#';

/** The name under which the JavaScript Agent Server defines messages. */
const MESSAGE_NAME = 'BaseMessage';

/** A message on the wire: either a model's output with more fields, or a short user message. */
const MESSAGE: JsonObject = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    role: { type: 'string' },
    content: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }] },
    id: { type: 'string' },
    name: { type: 'string' },
  },
  required: ['content'],
};

/** JSON Schemas of values that are not plain objects. `{}` allows any value. */
const BUILT_IN: Record<string, JsonObject> = {
  Date: { type: 'string', format: 'date-time' },
  URL: { type: 'string', format: 'uri' },
  Map: {},
  ReadonlyMap: {},
  WeakMap: {},
  Set: {},
  ReadonlySet: {},
  WeakSet: {},
  RegExp: {},
  Error: {},
  Promise: {},
  Buffer: {},
  Uint8Array: {},
  ArrayBuffer: {},
};

/** Converts a TypeScript type to a JSON Schema of its values' JSON form. */
export class JsonSchemas {
  readonly #checker: ts.TypeChecker;
  readonly #place: ts.Node;
  readonly #definitions: Record<string, JsonObject> = {};
  readonly #names = new Map<ts.Type, string>();
  /** Types being converted. A type that occurs inside itself becomes a reference. */
  readonly #converting = new Set<ts.Type>();
  #visited = 0;

  constructor(checker: ts.TypeChecker, place: ts.Node) {
    this.#checker = checker;
    this.#place = place;
  }

  /**
   * Null when the type is not an object with known names. `update`: a graph's input, in which every channel is
   * optional.
   */
  convert(type: ts.Type, update: boolean): JsonObject | null {
    const parts = this.#parts(type).filter((part) => !this.#isCommand(part));
    if (
      parts.length === 0 ||
      parts.some((part) => (part.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) !== 0)
    )
      return null;
    const all = parts.length === 1 ? this.#object(parts[0]!, 0) : this.#union(parts, 0);
    // Form builders and MCP require an object at the root, not a reference to one.
    const schema = all['$ref'] === undefined ? all : { ...MESSAGE };
    if (
      schema['type'] !== 'object' ||
      schema['properties'] === undefined ||
      Object.keys(schema['properties'] as object).length === 0
    )
      return null;
    if (update) delete schema['required'];
    return {
      $schema: DIALECT,
      ...schema,
      ...(Object.keys(this.#definitions).length === 0 ? {} : { definitions: this.#definitions }),
    };
  }

  #schema(type: ts.Type, depth: number): JsonObject {
    if (++this.#visited > TYPES_MAX || depth > DEPTH_MAX) return {};
    const { flags } = type;
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (flags & ts.TypeFlags.Never) return { not: {} };
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { type: typeof type.value, const: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral)
      return { type: 'boolean', const: this.#checker.typeToString(type) === 'true' };
    if (flags & ts.TypeFlags.StringLike) return { type: 'string' };
    if (flags & ts.TypeFlags.NumberLike) return { type: 'number' };
    if (flags & ts.TypeFlags.BooleanLike) return { type: 'boolean' };
    if (flags & ts.TypeFlags.BigIntLike) return { type: 'string' };
    if (type.isUnion()) return this.#union(this.#parts(type), depth);
    if (flags & ts.TypeFlags.NonPrimitive) return { type: 'object' };
    if (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return this.#named(type, depth);
    const constraint = this.#checker.getBaseConstraintOfType(type);
    return constraint === undefined || constraint === type ? {} : this.#schema(constraint, depth + 1);
  }

  /** The alternatives of a type, except those that JSON omits and those that only define how a channel is written. */
  #parts(type: ts.Type): ts.Type[] {
    const all = type.isUnion() ? type.types : [type];
    return all.filter(
      (part) =>
        (part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) === 0 &&
        part.getProperty('__overwrite__') === undefined,
    );
  }

  #union(parts: readonly ts.Type[], depth: number): JsonObject {
    if (parts.length === 0) return {};
    if (parts.length === 1) return this.#schema(parts[0]!, depth);
    const list = parts.find((part) => this.#isMessages(part));
    if (list !== undefined) return this.#messages();
    if (parts.some((part) => this.#isMessage(part))) return this.#message();
    const schemas = parts.map((part) => this.#schema(part, depth + 1));
    const constants = schemas.filter((schema) => 'const' in schema).map((schema) => schema['const']);
    const booleans = constants.filter((value) => typeof value === 'boolean').length === 2;
    const values = booleans ? constants.filter((value) => typeof value !== 'boolean') : constants;
    const rest = schemas.filter((schema) => !('const' in schema));
    const all: JsonObject[] = [
      ...(values.length === 0 ? [] : [constantSchema(values)]),
      ...(booleans ? [{ type: 'boolean' }] : []),
      ...rest,
    ];
    // One of them accepts any value.
    if (all.some((schema) => Object.keys(schema).length === 0)) return {};
    return all.length === 1 ? all[0]! : { anyOf: all };
  }

  #named(type: ts.Type, depth: number): JsonObject {
    const known = this.#names.get(type);
    if (known !== undefined) return { $ref: `#/definitions/${known}` };
    if (this.#converting.has(type)) {
      const name = this.#nameOf(type);
      this.#names.set(type, name);
      return { $ref: `#/definitions/${name}` };
    }
    this.#converting.add(type);
    const schema = this.#object(type, depth);
    this.#converting.delete(type);
    const name = this.#names.get(type);
    if (name === undefined) return schema;
    this.#definitions[name] = schema;
    return { $ref: `#/definitions/${name}` };
  }

  #nameOf(type: ts.Type): string {
    const name = (type.aliasSymbol ?? type.getSymbol())?.getName().replaceAll(/\W/g, '') || 'Type';
    const taken = new Set([MESSAGE_NAME, ...this.#names.values()]);
    let unique = name;
    for (let at = 2; taken.has(unique); at++) unique = `${name}${at}`;
    return unique;
  }

  #object(type: ts.Type, depth: number): JsonObject {
    const checker = this.#checker;
    if (this.#isMessages(type)) return this.#messages();
    if (this.#isMessage(type)) return this.#message();
    if (checker.isTupleType(type)) {
      const items = checker.getTypeArguments(type as ts.TypeReference).map((item) => this.#schema(item, depth + 1));
      const { minLength, hasRestElement } = (type as ts.TupleTypeReference).target;
      return hasRestElement ? { type: 'array' } : { type: 'array', items, minItems: minLength, maxItems: items.length };
    }
    if (checker.isArrayType(type)) {
      const item = checker.getTypeArguments(type as ts.TypeReference)[0];
      return { type: 'array', items: item === undefined ? {} : this.#schema(item, depth + 1) };
    }
    const builtIn = this.#builtIn(type);
    if (builtIn !== undefined) return builtIn;
    const properties: Record<string, unknown> = {};
    const required: string[] = [];
    for (const property of checker.getPropertiesOfType(type)) {
      const name = property.getName();
      // JSON omits symbols, private members and methods.
      if (name.startsWith('__@') || name.startsWith('#') || isHidden(property)) continue;
      const of = checker.getTypeOfSymbolAtLocation(property, this.#place);
      if (checker.getSignaturesOfType(of, ts.SignatureKind.Call).length > 0) continue;
      const schema = this.#schema(of, depth + 1);
      const description = ts.displayPartsToString(property.getDocumentationComment(checker)).trim();
      Object.defineProperty(properties, name, {
        value: description === '' ? schema : { ...schema, description },
        enumerable: true,
        writable: true,
        configurable: true,
      });
      const optional =
        (property.flags & ts.SymbolFlags.Optional) !== 0 ||
        (of.isUnion() && of.types.some((part) => part.flags & ts.TypeFlags.Undefined));
      if (!optional) required.push(name);
    }
    const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    return {
      type: 'object',
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(required.length === 0 ? {} : { required }),
      ...(index === undefined ? {} : { additionalProperties: this.#schema(index, depth + 1) }),
    };
  }

  #builtIn(type: ts.Type): JsonObject | undefined {
    const symbol = type.getSymbol();
    if (symbol === undefined || !Object.hasOwn(BUILT_IN, symbol.getName())) return undefined;
    const isGlobal = symbol.declarations?.some((one) => one.getSourceFile().fileName.includes('/lib.')) ?? false;
    return isGlobal || symbol.getName() === 'Buffer' ? BUILT_IN[symbol.getName()] : undefined;
  }

  #message(): JsonObject {
    this.#definitions[MESSAGE_NAME] = MESSAGE;
    return { $ref: `#/definitions/${MESSAGE_NAME}` };
  }

  /** The marker that LangGraph uses for messages in its own schemas. */
  #messages(): JsonObject {
    return { type: 'array', items: this.#message(), langgraph_type: 'messages' };
  }

  #isMessages(type: ts.Type): boolean {
    if (!this.#checker.isArrayType(type)) return false;
    const item = this.#checker.getTypeArguments(type as ts.TypeReference)[0];
    return item !== undefined && this.#parts(item).some((part) => this.#isMessage(part));
  }

  /** LangChain's messages of any copy are recognized by their common members. */
  #isMessage(type: ts.Type): boolean {
    return (
      (type.flags & ts.TypeFlags.Object) !== 0 &&
      ['lc_kwargs', 'toDict', 'content'].every((name) => type.getProperty(name) !== undefined)
    );
  }

  #isCommand(type: ts.Type): boolean {
    return type.getProperty('lg_name') !== undefined;
  }
}

/** `type` too: form builders and model providers decide by it, and read no type from `enum` or `const`. */
function constantSchema(values: readonly unknown[]): JsonObject {
  const types = [...new Set(values.map((value) => typeof value))];
  return {
    type: types.length === 1 ? types[0] : types,
    ...(values.length === 1 ? { const: values[0] } : { enum: values }),
  };
}

function isHidden(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some(
    (one) =>
      (ts.getCombinedModifierFlags(one as ts.Declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !==
      0,
  );
}
