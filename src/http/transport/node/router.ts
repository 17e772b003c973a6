import type { RouteMethod } from '../http-app.js';

export interface Match<T> {
  value: T;
  /** What the parameters matched, in the order of the pattern, not decoded. */
  params: string[];
}

interface Node<T> {
  texts: Map<string, Node<T>>;
  parameter: Node<T> | null;
  /** Of the pattern that ends here. */
  value: T | undefined;
  /** Of the pattern that ends here with `*`. */
  wildcard: T | undefined;
}

/**
 * Finds the route of a path by the rules of uWebSockets.js (`HttpApp`), so that both transports serve the same routes.
 * The known routers do not: find-my-way decodes parameters, which we do ourselves to report errors, and rou3 ignores a
 * final slash.
 */
export class Router<T> {
  readonly #roots = new Map<string, Node<T>>();

  add(method: RouteMethod | 'any', pattern: string, value: T): void {
    let node = this.#roots.get(method) ?? createNode<T>();
    this.#roots.set(method, node);
    for (const segment of segmentsOf(pattern)) {
      if (segment === '*') {
        node.wildcard ??= value;
        return;
      }
      if (segment.startsWith(':')) node = node.parameter ??= createNode<T>();
      else {
        const next = node.texts.get(segment) ?? createNode<T>();
        node.texts.set(segment, next);
        node = next;
      }
    }
    node.value ??= value;
  }

  /** `method` in lower case. */
  find(method: string, path: string): Match<T> | null {
    const segments = segmentsOf(path);
    for (const root of [this.#roots.get(method), this.#roots.get('any')]) {
      const params: string[] = [];
      const value = root === undefined ? undefined : match(root, segments, 0, params);
      if (value !== undefined) return { value, params };
    }
    return null;
  }
}

function createNode<T>(): Node<T> {
  return { texts: new Map(), parameter: null, value: undefined, wildcard: undefined };
}

function segmentsOf(path: string): string[] {
  return path.slice(1).split('/');
}

function match<T>(node: Node<T>, segments: readonly string[], at: number, params: string[]): T | undefined {
  if (at === segments.length) return node.value;
  const segment = segments[at]!;
  const text = node.texts.get(segment);
  const found = text === undefined ? undefined : match(text, segments, at + 1, params);
  if (found !== undefined) return found;
  if (node.parameter !== null && segment !== '') {
    params.push(segment);
    const value = match(node.parameter, segments, at + 1, params);
    if (value !== undefined) return value;
    params.pop();
  }
  return node.wildcard;
}
