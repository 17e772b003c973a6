interface Test {
  ok(found: unknown, message: string): boolean;
}

/** Checks that a server serves the console page and every file that the page references. */
export async function servesConsole(t: Test, url: string): Promise<void> {
  const page = await (await fetch(`${url}/console/`)).text();
  const files = [...page.matchAll(/(?:href|src)="([\w-]+\.(?:js|css|svg))"/g)].map(([, name]) => name!);
  t.ok(files.length >= 3, `the page names ${files.join(' ')}`);
  for (const name of files) t.ok((await fetch(`${url}/console/${name}`)).ok, name);
}
