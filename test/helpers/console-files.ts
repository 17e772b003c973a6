interface Test {
  ok(found: unknown, message: string): boolean;
}

/** The console's page, and each file that it names, are where a server of `url` is asked for them. */
export async function servesConsole(t: Test, url: string): Promise<void> {
  const page = await (await fetch(`${url}/console/`)).text();
  const files = [...page.matchAll(/(?:href|src)="([\w-]+\.(?:js|css|svg))"/g)].map(([, name]) => name!);
  t.ok(files.length >= 3, `the page names ${files.join(' ')}`);
  for (const name of files) t.ok((await fetch(`${url}/console/${name}`)).ok, name);
}
