/** ELF-64, little-endian: the parts of a shared library that say which versions of other libraries it needs. */
const SECTIONS = 0x28;
const SECTION_BYTES = 0x3a;
const SECTION_COUNT = 0x3c;
const TYPE = 4;
const OFFSET = 24;
const SIZE = 32;
const LINK = 40;
const DYNAMIC_SYMBOLS = 11;
const SYMBOL_VERSIONS = 0x6fffffff;
const NEEDED_VERSIONS = 0x6ffffffe;
const SYMBOL_BYTES = 24;
const VERSION_BYTES = 2;

const C_LIBRARY = 'libc.so.6';
/** Since glibc 2.38, a program that was compiled with its headers calls `strtol` by this prefix and its name. */
const C23_PREFIX = '__isoc23_';
const C23_VERSION = 'GLIBC_2.38';

interface Section {
  offset: number;
  size: number;
  /** Index of the section with its names. */
  link: number;
}

/** A version of a library that is needed, and where that is said. */
interface NeededVersion {
  at: number;
  library: string;
  name: string;
  /** Symbols refer to it by this number. */
  index: number;
}

/**
 * A copy of the library that also loads with a glibc before 2.38, if nothing but functions for numbers in text asks for
 * that version: it then calls those of earlier versions, which do not know binary numbers (`0b1`). Anything else is
 * returned as it is. Throws if other functions need that version.
 */
export function forOlderGlibc(library: Buffer): Buffer {
  if (library.readUInt32BE(0) !== 0x7f454c46) return library;
  const needed = neededVersions(library).filter((one) => one.library === C_LIBRARY);
  const c23 = needed.find(({ name }) => name === C23_VERSION);
  if (c23 === undefined) return library;
  // The oldest one is that of functions that have always been there.
  const oldest = needed.reduce((a, b) => (isOlder(a.name, b.name) ? a : b));
  const copy = Buffer.from(library);
  const { symbols, names, versions } = dynamicSymbols(copy);
  for (let at = 0; at * SYMBOL_BYTES < symbols.size; at += 1) {
    const version = versions.offset + at * VERSION_BYTES;
    if (copy.readUInt16LE(version) !== c23.index) continue;
    const symbol = symbols.offset + at * SYMBOL_BYTES;
    const name = copy.readUInt32LE(symbol);
    const text = textAt(copy, names.offset + name);
    if (!text.startsWith(C23_PREFIX)) throw new Error(`${text} needs ${C23_VERSION}`);
    copy.writeUInt32LE(name + C23_PREFIX.length, symbol);
    copy.writeUInt16LE(oldest.index, version);
  }
  // The hash and the name of the version.
  copy.copy(copy, c23.at, oldest.at, oldest.at + 4);
  copy.copy(copy, c23.at + 8, oldest.at + 8, oldest.at + 12);
  return copy;
}

/** The versions of other libraries that a shared library needs. */
export function neededVersions(library: Buffer): NeededVersion[] {
  const { names } = dynamicSymbols(library);
  const needed: NeededVersion[] = [];
  for (let at = sectionOf(library, NEEDED_VERSIONS).offset, next = -1; next !== 0; at += next) {
    const count = library.readUInt16LE(at + 2);
    const file = textAt(library, names.offset + library.readUInt32LE(at + 4));
    let version = at + library.readUInt32LE(at + 8);
    for (let index = 0; index < count; index += 1) {
      const name = textAt(library, names.offset + library.readUInt32LE(version + 8));
      needed.push({ at: version, library: file, name, index: library.readUInt16LE(version + 6) });
      version += library.readUInt32LE(version + 12);
    }
    next = library.readUInt32LE(at + 12);
  }
  return needed;
}

function dynamicSymbols(library: Buffer): { symbols: Section; names: Section; versions: Section } {
  const symbols = sectionOf(library, DYNAMIC_SYMBOLS);
  return { symbols, names: sectionAt(library, symbols.link), versions: sectionOf(library, SYMBOL_VERSIONS) };
}

function sectionOf(library: Buffer, type: number): Section {
  for (let index = 0; index < library.readUInt16LE(SECTION_COUNT); index += 1)
    if (library.readUInt32LE(headerOf(library, index) + TYPE) === type) return sectionAt(library, index);
  throw new Error(`no section of type ${type}`);
}

function sectionAt(library: Buffer, index: number): Section {
  const header = headerOf(library, index);
  return {
    offset: Number(library.readBigUInt64LE(header + OFFSET)),
    size: Number(library.readBigUInt64LE(header + SIZE)),
    link: library.readUInt32LE(header + LINK),
  };
}

function headerOf(library: Buffer, index: number): number {
  return Number(library.readBigUInt64LE(SECTIONS)) + index * library.readUInt16LE(SECTION_BYTES);
}

function textAt(library: Buffer, at: number): string {
  return library.toString('latin1', at, library.indexOf(0, at));
}

/** Compares `GLIBC_2.2.5` and `GLIBC_2.17` by their numbers. */
function isOlder(a: string, b: string): boolean {
  return a.localeCompare(b, 'en', { numeric: true }) < 0;
}
