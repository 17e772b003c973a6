/**
 * The global variable that a UI bundle sets, by the name of the bundle. Page and build use the same name
 * (agent-server.md, 15).
 */
export function scriptName(name: string): string {
  return `__LGUI_${name.replace(/[^a-zA-Z0-9]/g, '_')}`;
}
