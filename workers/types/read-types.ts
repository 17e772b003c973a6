import type { NamedSchemas } from '../../src/wire/user-code/graph-types.js';
import { ts } from './compiler.js';
import { GraphTypes } from './graph-type.js';
import { isPackaged, createTypeProgram } from './program.js';
import { SubgraphNodes } from './subgraph-nodes.js';

/** Maximum nesting of subgraphs. LangGraph itself stops earlier. */
const DEPTH_MAX = 16;

/**
 * Reads the schemas of a graph and its subgraphs from the types in its source. Returns them with the files that
 * were read.
 */
export function readTypes(file: string, exportName: string): { schemas: NamedSchemas; files: string[] } {
  const program = createTypeProgram(file);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  const files = program.getSourceFiles().map(({ fileName }) => fileName);
  if (source === undefined || module === undefined) return { schemas: {}, files };
  const exported = checker.getExportsOfModule(module).find((symbol) => symbol.getName() === exportName);
  if (exported === undefined) return { schemas: {}, files };
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const types = new GraphTypes(checker, source);
  const nodes = new SubgraphNodes(checker);
  const schemas: NamedSchemas = {};
  const read = (namespace: string, type: ts.Type, place: ts.Node | undefined, depth: number): void => {
    const graph = types.findGraph(type);
    if (graph === null) return;
    schemas[namespace] = types.schemasOf(graph);
    if (place === undefined || depth > DEPTH_MAX) return;
    for (const { name, expression } of nodes.find(place)) {
      const below = namespace === '' ? name : `${namespace}|${name}`;
      if (schemas[below] === undefined) read(below, checker.getTypeAtLocation(expression), expression, depth + 1);
    }
  };
  read('', checker.getTypeOfSymbolAtLocation(symbol, source), symbol.valueDeclaration ?? symbol.declarations?.[0], 0);
  return {
    schemas,
    files: files
      .filter((name) => !name.startsWith('/node_modules/typescript/'))
      .filter((name) => !isPackaged(name) || name.endsWith('.ts')),
  };
}
