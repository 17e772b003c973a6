/** The global that a bundle of components sets, by the name it is served under: its page and its build agree on it (agent-server.md, 15). */
export function scriptName(name: string): string {
  return `__LGUI_${name.replace(/[^a-zA-Z0-9]/g, '_')}`;
}
