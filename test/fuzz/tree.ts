import type { RecordName } from '../../src/cli/walk/records.js';

/** What has an id, made before the first request. */
export type IdName = RecordName | 'token';

/**
 * A JSON text before it is written. What JSON.stringify cannot write, a client can send: numbers of any size, a name
 * twice, `__proto__` as a name. Ids stand for records, so that a request that failed says whose they were.
 */
export type Tree = { raw: string } | { id: IdName } | { items: Tree[] } | { members: [name: string, value: Tree][] };

/** What is done to a tree at the node that `at` falls on, counted from the top. */
export interface Change {
  at: number;
  how:
    | { replace: Tree }
    | { drop: true }
    | { twice: true }
    | { member: [name: string, value: Tree] }
    | { wrap: number };
}

export const leaf = (value: unknown): Tree => ({ raw: JSON.stringify(value) ?? 'null' });

export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { items: value.map(treeOf) };
  if (typeof value === 'object' && value !== null)
    return { members: Object.entries(value).map(([name, one]) => [name, treeOf(one)]) };
  return leaf(value);
}

export function textOf(tree: Tree, idOf: (name: IdName) => string): string {
  if ('raw' in tree) return tree.raw;
  if ('id' in tree) return JSON.stringify(idOf(tree.id));
  if ('items' in tree) return `[${tree.items.map((item) => textOf(item, idOf)).join(',')}]`;
  return `{${tree.members.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value, idOf)}`).join(',')}}`;
}

function sizeOf(tree: Tree): number {
  if ('items' in tree) return tree.items.reduce((sum, item) => sum + sizeOf(item), 1);
  if ('members' in tree) return tree.members.reduce((sum, [, value]) => sum + sizeOf(value), 1);
  return 1;
}

/** The tree with all changes, one after the other. */
export function changed(tree: Tree, changes: readonly Change[]): Tree {
  return changes.reduce((now, { at, how }) => changedAt(now, at % sizeOf(now), how)[0] ?? { raw: 'null' }, tree);
}

/** What comes in the place of the tree: nothing, itself, or two of it. */
function changedAt(tree: Tree, at: number, how: Change['how']): Tree[] {
  if (at === 0) return changedHere(tree, how);
  let rest = at - 1;
  const into = (child: Tree): Tree[] => {
    const here = rest;
    rest -= sizeOf(child);
    return here >= 0 && rest < 0 ? changedAt(child, here, how) : [child];
  };
  if ('items' in tree) return [{ items: tree.items.flatMap(into) }];
  if ('members' in tree)
    return [
      { members: tree.members.flatMap(([name, value]) => into(value).map((one): [string, Tree] => [name, one])) },
    ];
  return [tree];
}

function changedHere(tree: Tree, how: Change['how']): Tree[] {
  if ('replace' in how) return [how.replace];
  if ('drop' in how) return [];
  if ('twice' in how) return [tree, tree];
  if ('member' in how)
    return ['members' in tree ? { members: [...tree.members, how.member] } : { members: [how.member] }];
  let wrapped = tree;
  for (let level = 0; level < how.wrap; level += 1) wrapped = { items: [wrapped] };
  return [wrapped];
}
