/** True if both lists have the same elements, as `===` compares them. */
export function isSameList(list: readonly unknown[], other: readonly unknown[]): boolean {
  return list.length === other.length && list.every((one, at) => one === other[at]);
}
