import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ts } from '@ts-morph/common';
import { ROOT } from '../helpers/server.js';

/** A test, as found in its source file. */
export interface Subtest {
  /** From the root of the repository. */
  file: string;
  /** Its name, preceded by the names of enclosing tests, such as `search > sorts`. */
  name: string;
}

/** A call of a method of the stock client: `client.threads.search({ limit: 1 })`. */
export interface Call {
  /** `threads.search` */
  method: string;
  /** Names of the options in the call. */
  options: string[];
  /** True if the call is inside `t.rejects(…)`. */
  refused: boolean;
  /** The enclosing test; null in a function that tests share. */
  test: Subtest | null;
  file: string;
}

export interface Suites {
  tests: Subtest[];
  calls: Call[];
  /** Files that use the older release of the client. */
  older: Set<string>;
}

export const OLDER = 'langgraph-sdk-1.9';
const PARTS = ['assistants', 'threads', 'runs', 'crons', 'store', '~ui'];

/** All tests and calls of the stock client, read from the sources of the suites. No test is run. */
export function scanSuites(): Suites {
  const suites: Suites = { tests: [], calls: [], older: new Set() };
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .toSorted();
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    if (text.includes(`from '${OLDER}'`)) suites.older.add(file);
    visit(
      ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true),
      { file, around: null, refused: false },
      suites,
    );
  }
  return suites;
}

interface Place {
  file: string;
  around: Subtest | null;
  refused: boolean;
}

function visit(node: ts.Node, place: Place, suites: Suites): void {
  let inside = place;
  if (ts.isCallExpression(node)) {
    const { file, around } = place;
    const name = testName(node);
    if (name !== null) {
      inside = { file, around: { file, name: around === null ? name : `${around.name} > ${name}` }, refused: false };
      suites.tests.push(inside.around!);
    } else if (node.expression.getText().endsWith('.rejects')) inside = { ...place, refused: true };
    const method = methodOf(node.expression);
    if (method !== null)
      suites.calls.push({
        method,
        options: node.arguments.flatMap(keysOf),
        test: around,
        file,
        refused: place.refused,
      });
  }
  ts.forEachChild(node, (child) => visit(child, inside, suites));
}

/** The name in `t.test('name', …)`, or in a call of a helper with the same form. */
function testName({ arguments: given }: ts.CallExpression): string | null {
  const [first] = given;
  const last = given.at(-1);
  if (first === undefined || last === undefined || !ts.isStringLiteralLike(first)) return null;
  return ts.isArrowFunction(last) && (last.parameters.length === 0 || last.parameters[0]!.name.getText() === 't')
    ? first.text
    : null;
}

function methodOf(called: ts.Expression): string | null {
  if (!ts.isPropertyAccessExpression(called)) return null;
  const of = called.expression;
  const part = ts.isIdentifier(of)
    ? of.text
    : ts.isPropertyAccessExpression(of)
      ? of.name.text
      : ts.isElementAccessExpression(of) && ts.isStringLiteral(of.argumentExpression)
        ? of.argumentExpression.text
        : null;
  return part !== null && PARTS.includes(part) ? `${part}.${called.name.text}` : null;
}

/** Names in an object literal and in the objects spread into it. */
function keysOf(given: ts.Node): string[] {
  if (ts.isObjectLiteralExpression(given)) {
    return given.properties.flatMap((property) =>
      ts.isSpreadAssignment(property) ? keysOf(property.expression) : [property.name!.getText().replaceAll("'", '')],
    );
  }
  if (ts.isConditionalExpression(given)) return [...keysOf(given.whenTrue), ...keysOf(given.whenFalse)];
  if (ts.isParenthesizedExpression(given) || ts.isAsExpression(given)) return keysOf(given.expression);
  if (ts.isIdentifier(given)) return keysOfConstant(given);
  return [];
}

/** Names in the object literal of the constant with this name, in an enclosing scope. */
function keysOfConstant(name: ts.Identifier): string[] {
  for (let scope: ts.Node = name; !ts.isSourceFile(scope); scope = scope.parent) {
    if (!ts.isBlock(scope.parent) && !ts.isSourceFile(scope.parent)) continue;
    for (const statement of scope.parent.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const declared = statement.declarationList.declarations.find(
        (one) => ts.isIdentifier(one.name) && one.name.text === name.text,
      );
      if (declared?.initializer !== undefined && !ts.isIdentifier(declared.initializer))
        return keysOf(declared.initializer);
    }
  }
  return [];
}
