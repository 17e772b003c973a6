/**
 * Compiles `schemas/**` to standalone validators, TypeScript types, and the component schemas of /openapi.json. Run
 * it with `npm run schemas`. With `--check` it writes nothing, and fails if a compiled file is outdated.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { build } from 'esbuild';
import { compile } from 'json-schema-to-typescript';

const FOLDER = join(process.cwd(), 'schemas');
const OUT = join(FOLDER, 'compiled');
const HEADER = '// Made by schemas/build.ts from schemas/**/*.json. Run `npm run schemas` after a change there.\n';

const isCheck = process.argv.includes('--check');

function writeOutput(name: string, text: string): void {
  const file = join(OUT, name);
  if (!isCheck) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${relative(process.cwd(), file)} is outdated. Run: npm run schemas\n`);
    process.exitCode = 1;
  }
}

interface Schema {
  $id: string;
  title: string;
  /** `all errors`: the validator reports all errors. Only for schemas that limit how many there can be. */
  $comment?: string;
}

/** Throws if two schemas have one title, which names their validator and their type. */
function requireUniqueTitles(all: readonly Schema[]): void {
  const ids = new Map<string, string>();
  for (const { title, $id } of all) {
    const other = ids.get(title);
    if (other !== undefined) throw new Error(`schemas/${$id}.json has the title of schemas/${other}.json: ${title}.`);
    ids.set(title, $id);
  }
}

function readSchemas(folder: string): Schema[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json') && !entry.parentPath.includes('compiled'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => {
      const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;
      const expected = relative(folder, file)
        .replace(/\.json$/, '')
        .replaceAll('\\', '/');
      if (schema.$id !== expected) throw new Error(`${file}: $id must be "${expected}"; it is "${schema.$id}".`);
      return schema;
    });
}

const schemas = readSchemas(FOLDER);
requireUniqueTitles(schemas);
mkdirSync(OUT, { recursive: true });

/** Compiles schemas with Ajv to an ES module that exports each validator under the title of its schema. */
function compileValidators(chosen: Schema[], allErrors: boolean): string {
  // Validators set defaults, and types may be unions.
  const ajv = new Ajv({
    schemas: chosen,
    allErrors,
    useDefaults: true,
    allowUnionTypes: true,
    strictTypes: false,
    code: { source: true, esm: true, optimize: 2 },
  });
  (addFormats as unknown as (ajv: Ajv, formats: string[]) => void)(ajv, ['uuid', 'date-time']);
  return (standalone as unknown as (ajv: Ajv, refs: Record<string, string>) => string)(
    ajv,
    Object.fromEntries(chosen.map(({ title, $id }) => [title, $id])),
  );
}

const reportsAllErrors = ({ $comment }: Schema): boolean => $comment === 'all errors';
/** The evaluation API reports all errors of small bodies (evaluation-api.md, 0.4). */
const EVALUATION = /^(?:datasets|evaluation-runs|examples|experiments|feedback|queues)\//;
const modules: Record<string, string> = {
  // By default validators stop at the first error, because a hostile body could have millions.
  first: compileValidators(
    schemas.filter((schema) => !reportsAllErrors(schema)),
    false,
  ),
  all: compileValidators(schemas.filter(reportsAllErrors), true),
  evaluation: compileValidators(
    schemas.filter((schema) => EVALUATION.test(schema.$id) && !reportsAllErrors(schema)),
    true,
  ),
};

// The output of Ajv imports helpers of Ajv. Bundling makes the validators independent.
const bundled = await build({
  stdin: {
    contents: [
      `export * from 'compiled:first';`,
      `export * from 'compiled:all';`,
      `import * as first from 'compiled:first';`,
      `import * as evaluation from 'compiled:evaluation';`,
      `for (const [name, validator] of Object.entries(evaluation)) first[name].allErrors = validator;`,
    ].join('\n'),
    resolveDir: process.cwd(),
    loader: 'js',
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  write: false,
  legalComments: 'none',
  plugins: [
    {
      name: 'compiled',
      setup(setup) {
        setup.onResolve({ filter: /^compiled:/ }, ({ path }) => ({
          path: path.slice('compiled:'.length),
          namespace: 'compiled',
        }));
        setup.onLoad({ filter: /.*/, namespace: 'compiled' }, ({ path }) => ({
          contents: modules[path]!,
          resolveDir: process.cwd(),
          loader: 'js',
        }));
      },
    },
  ],
});
writeOutput('validators.js', HEADER + bundled.outputFiles[0]!.text);
writeOutput(
  'validators.d.ts',
  `${HEADER}import type { Validator } from '../validator.js';\nimport type * as T from './types.js';\n\n${schemas.map(({ title }) => `export const ${title}: Validator<T.${title}>;`).join('\n')}\n`,
);

const types = await Promise.all(
  schemas.map((schema) =>
    compile(structuredClone(schema) as never, schema.title, {
      bannerComment: '',
      additionalProperties: false,
      unknownAny: true,
      ignoreMinAndMaxItems: true,
      style: { singleQuote: true },
    }),
  ),
);
writeOutput('types.ts', `${HEADER}\n${types.join('\n')}`);

/** The component schema of /openapi.json. References inside the schema become references inside the document. */
const componentOf = ({ title, $id: _, $comment: __, ...rest }: Schema): unknown =>
  JSON.parse(JSON.stringify(rest).replaceAll('#/definitions/', `#/components/schemas/${title}/definitions/`));
writeOutput(
  'schemas.ts',
  `${HEADER}\nexport const schemas: Record<string, Record<string, unknown>> = ` +
    `${JSON.stringify(Object.fromEntries(schemas.map((schema) => [schema.title, componentOf(schema)])), null, 2)};\n`,
);
