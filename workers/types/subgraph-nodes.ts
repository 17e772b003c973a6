import { ts } from './compiler.js';

/** A node that is itself a graph. */
export interface SubgraphNode {
  name: string;
  /** The value that was passed to `addNode`. */
  expression: ts.Expression;
}

/**
 * Finds the nodes of a graph that are graphs. The types do not contain that, so the calls of `addNode` are
 * analyzed. Finds literal names, in chained calls or separate statements, in the file that creates the builder.
 * Ignores nodes that are added in other ways.
 */
export class SubgraphNodes {
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  find(expression: ts.Node): SubgraphNode[] {
    const builder = this.#builderOf(expression);
    if (builder === null) return [];
    const nodes: SubgraphNode[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isMethod(node, 'addNode') && this.#builderOf(receiverOf(node)!) === builder)
        nodes.push(...nodesOf(node));
      ts.forEachChild(node, visit);
    };
    visit(builder.getSourceFile());
    return nodes;
  }

  /** Finds the `new StateGraph(…)` of the graph that an expression evaluates to. */
  #builderOf(node: ts.Node, depth = 0): ts.NewExpression | null {
    if (depth > 200) return null;
    const on = (next: ts.Node | undefined): ts.NewExpression | null =>
      next === undefined ? null : this.#builderOf(next, depth + 1);
    if (ts.isNewExpression(node)) return node;
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isAwaitExpression(node) ||
      ts.isNonNullExpression(node)
    )
      return on(node.expression);
    if (ts.isCallExpression(node)) {
      const receiver = receiverOf(node);
      if (receiver === undefined) return on(node.expression);
      return on(isPromise(receiver) ? node.arguments[0] : receiver);
    }
    if (ts.isIdentifier(node)) return on(this.#declared(node));
    if (ts.isVariableDeclaration(node)) return on(node.initializer);
    if (ts.isExportAssignment(node)) return on(node.expression);
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return on(node.body);
    if (
      (ts.isArrowFunction(node) || ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node)) &&
      node.body !== undefined
    )
      return on(returnedIn(node.body));
    return null;
  }

  #declared(name: ts.Identifier): ts.Node | undefined {
    const symbol = this.#checker.getSymbolAtLocation(name);
    const target =
      symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
    return target?.valueDeclaration;
  }
}

function receiverOf({ expression }: ts.CallExpression): ts.Expression | undefined {
  return ts.isPropertyAccessExpression(expression) ? expression.expression : undefined;
}

function isMethod({ expression }: ts.CallExpression, name: string): boolean {
  return ts.isPropertyAccessExpression(expression) && expression.name.text === name;
}

function isPromise(node: ts.Node): boolean {
  return ts.isIdentifier(node) && node.text === 'Promise';
}

/** The last value that a function returns. */
function returnedIn(body: ts.Node): ts.Expression | undefined {
  let found: ts.Expression | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression !== undefined) found = node.expression;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return found;
}

/**
 * Handles `addNode('name', graph)`, `addNode('name', action, { subgraphs: [graph] })`, `addNode({ name: graph
 * })` and `addNode([['name', graph]])`.
 */
function nodesOf({ arguments: [first, second, options] }: ts.CallExpression): SubgraphNode[] {
  if (first === undefined) return [];
  if (ts.isObjectLiteralExpression(first)) {
    return first.properties.flatMap((property) => {
      if (ts.isShorthandPropertyAssignment(property)) return [{ name: property.name.text, expression: property.name }];
      if (!ts.isPropertyAssignment(property)) return [];
      return ts.isIdentifier(property.name) || ts.isStringLiteralLike(property.name)
        ? [{ name: property.name.text, expression: property.initializer }]
        : [];
    });
  }
  if (ts.isArrayLiteralExpression(first)) {
    return first.elements.flatMap((element) => {
      if (!ts.isArrayLiteralExpression(element)) return [];
      const [name, action] = element.elements;
      return name !== undefined && action !== undefined && ts.isStringLiteralLike(name)
        ? [{ name: name.text, expression: action }]
        : [];
    });
  }
  if (!ts.isStringLiteralLike(first) || second === undefined) return [];
  return [...subgraphsOf(options), second].map((expression) => ({ name: first.text, expression }));
}

function subgraphsOf(options: ts.Expression | undefined): ts.Expression[] {
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return [];
  const given = options.properties.find(
    (property): property is ts.PropertyAssignment =>
      ts.isPropertyAssignment(property) && ts.isIdentifier(property.name) && property.name.text === 'subgraphs',
  );
  return given !== undefined && ts.isArrayLiteralExpression(given.initializer) ? [...given.initializer.elements] : [];
}
