import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { PROGRAM_FOLDER, packedDeclarations } from '../../src/base/program-files.js';
import { getLibFiles, libFolderInMemoryPath, ts } from './compiler.js';

/** Packages whose types the project lacks are resolved from this file, among our own. */
const OUR_PACKAGE_FILE = join(PROGRAM_FOLDER, 'package.json');

/** Parsed declarations of packages, cached for the life of the thread, because they take most of the time. */
const parsed = new Map<string, ts.SourceFile>();
const libraries = new Map(getLibFiles().map(({ fileName, text }) => [`${libFolderInMemoryPath}/${fileName}`, text]));
const packed = packedDeclarations();
const packedFolders = new Set([...packed.keys()].flatMap(foldersOf));

/**
 * Creates a program of one file and its imports. Uses only those options of the project that affect module
 * resolution and syntax.
 */
export function createTypeProgram(file: string): ts.Program {
  const options = optionsOf(file);
  const own = ts.createModuleResolutionCache(dirname(file), (name) => name, options);
  const ours = ts.createModuleResolutionCache(PROGRAM_FOLDER, (name) => name, options);
  const host: ts.CompilerHost = {
    fileExists: (name) => libraries.has(name) || isFile(name),
    readFile: (name) => libraries.get(name) ?? read(name),
    getSourceFile: (name, target) => {
      const known = parsed.get(name);
      if (known !== undefined) return known;
      const text = libraries.get(name) ?? read(name);
      if (text === undefined) return undefined;
      const source = ts.createSourceFile(name, text, target, true);
      if (libraries.has(name) || isPackaged(name)) parsed.set(name, source);
      return source;
    },
    getDefaultLibFileName: (given) => `${libFolderInMemoryPath}/${ts.getDefaultLibFileName(given)}`,
    getDefaultLibLocation: () => libFolderInMemoryPath,
    writeFile: () => undefined,
    getCurrentDirectory: () => dirname(file),
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    ...(ts.sys.realpath === undefined ? {} : { realpath: ts.sys.realpath }),
    directoryExists: (name) => packedFolders.has(name) || ts.sys.directoryExists(name),
    getDirectories: ts.sys.getDirectories,
    resolveModuleNameLiterals: (literals, containing) =>
      literals.map(({ text }) => {
        const mine = ts.resolveModuleName(text, containing, options, host, own, undefined, ts.ModuleKind.ESNext);
        if (mine.resolvedModule !== undefined || /^[./]/.test(text)) return mine;
        return ts.resolveModuleName(text, OUR_PACKAGE_FILE, options, host, ours, undefined, ts.ModuleKind.ESNext);
      }),
  };
  return ts.createProgram([file], options, host);
}

/** True for files of packages, as opposed to the project's own files. */
export function isPackaged(name: string): boolean {
  return name.includes('/node_modules/');
}

function optionsOf(file: string): ts.CompilerOptions {
  const found = ts.findConfigFile(dirname(file), isFile);
  const project =
    found === undefined
      ? {}
      : ts.parseJsonConfigFileContent(
          ts.readConfigFile(found, read).config,
          { ...ts.sys, readDirectory: () => [] },
          dirname(found),
        ).options;
  const { paths, pathsBasePath, baseUrl, jsx, jsxImportSource, customConditions, allowArbitraryExtensions } = project;
  return {
    ...Object.fromEntries(
      Object.entries({
        paths,
        pathsBasePath,
        baseUrl,
        jsx,
        jsxImportSource,
        customConditions,
        allowArbitraryExtensions,
      }).filter(([, value]) => value !== undefined),
    ),
    // Only strict types distinguish optional from nullable. The other options match how esbuild bundles.
    strict: true,
    noImplicitAny: false,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    allowJs: ['.js', '.mjs', '.cjs', '.jsx'].includes(extname(file)) || (project.allowJs ?? true),
    maxNodeModuleJsDepth: 0,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
}

function isFile(name: string): boolean {
  return packed.has(name) || ts.sys.fileExists(name);
}

function read(name: string): string | undefined {
  return packed.get(name) ?? (existsSync(name) ? readFileSync(name, 'utf8') : undefined);
}

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === PROGRAM_FOLDER ? [] : [folder, ...foldersOf(folder)];
}
