import { createRequire } from 'node:module';
import { ts } from '@ts-morph/common';

/** Every method of the parts of a client object, such as `threads.search`. Inherited methods are left out. */
export function methodsOf(client: object): string[] {
  const found: string[] = [];
  for (const [part, value] of Object.entries(client)) {
    if (typeof value !== 'object' || value === null) continue;
    const { prototype } = (value as { constructor: { prototype: object } }).constructor;
    for (const name of Object.getOwnPropertyNames(prototype)) if (name !== 'constructor') found.push(`${part}.${name}`);
  }
  return found.toSorted();
}

/** The named options of each method, from the client's types. */
export function optionsOf(packageName: string): Map<string, string[]> {
  const entry = createRequire(import.meta.url)
    .resolve(packageName)
    .replace(/\.c?js$/, '.d.ts');
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)!)!);
  const client = checker.getDeclaredTypeOfSymbol(
    unaliased(
      checker,
      exported.find(({ name }) => name === 'Client')!,
    ),
  );
  const options = new Map<string, string[]>();
  for (const part of client.getProperties()) {
    for (const method of checker.getTypeOfSymbol(part).getProperties()) {
      const names = checker
        .getTypeOfSymbol(method)
        .getCallSignatures()
        .flatMap(({ parameters }) => parameters.flatMap((parameter) => namesOf(checker, parameter)));
      options.set(`${part.name}.${method.name}`, [...new Set(names)].toSorted());
    }
  }
  return options;
}

function unaliased(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The members of an options object; empty for text, lists and free-form metadata. */
function namesOf(checker: ts.TypeChecker, parameter: ts.Symbol): string[] {
  if (!/^_?(payload|options|query|args)$/.test(parameter.name)) return [];
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
  const alternatives = type.isUnion() ? type.types : [type];
  return alternatives.flatMap((one) =>
    one.isIntersection() || one.flags & ts.TypeFlags.Object
      ? checker.getPropertiesOfType(one).map(({ name }) => name)
      : [],
  );
}
