import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { findEncryptionKeySource, loadEncryptionKey } from '../../src/config/encryption.js';
import { readConfig } from '../../src/config/config.js';
import { Commit, Store } from '../../src/store/store.js';
import { keys } from '../../src/store/keys.js';
import { CIPHER_OVERHEAD_BYTES, deriveKeys, RecordCipher } from '../../src/store/encryption/record-cipher.js';
import { openRawDatabase } from '../../src/store/reader.js';
import { encodeKey } from '../../src/store/key-codec.js';
import { encodeRawRecord, valueOfRawRecord } from '../../src/store/record-codec.js';
import { upgradeFolder } from '../../src/store/files/upgrade.js';
import { childServer } from '../helpers/child-server.js';
import { cli } from '../helpers/cli.js';
import { filledFolder, shown, type FilledFolder } from '../helpers/filled.js';
import { projectOf } from '../helpers/project.js';
import { configWith, ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

t.setTimeout(240_000);

const newHexKey = (): string => randomBytes(32).toString('hex');
const withKey = (key: string): { THREADMILL_ENCRYPTION_KEY: string } => ({ THREADMILL_ENCRYPTION_KEY: key });

/** A file with a key, outside of every data folder. */
function keyFile(t: Test, key: string): string {
  const file = join(temporaryFolder(t), 'key');
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return file;
}

/** Which of the texts stand in the data file as they are. */
function readable(folder: string, texts: readonly string[]): string[] {
  const bytes = readFileSync(join(folder, 'data.mdb'));
  return texts.filter((text) => bytes.includes(text));
}

/** Key of the encrypted folders that `filled` copies. */
const KEY = newHexKey();

interface Filled extends FilledFolder {
  /** Texts of values, and names that stand in indexes. */
  texts: string[];
}

/** A data folder that a server has written, plain or with KEY. */
async function filled(t: Test, key: string | null): Promise<Filled> {
  const folder = await filledFolder(t, key === null ? {} : withKey(key));
  return {
    ...folder,
    texts: [...folder.texts, 'owner-1', 'questions', 'question 7', 'what was said', 'what the file has'],
  };
}

async function refused(
  t: Test,
  folder: string,
  config: string,
  env: Record<string, string>,
  code: string,
): Promise<void> {
  const file = join(folder, 'data.mdb');
  const bytes = readFileSync(file);
  await t.rejects(testServer(t, { config, dataFolder: folder, env }), { code });
  t.ok(readFileSync(file).equals(bytes), 'not a byte of the data file is another');
}

async function serves(
  t: Test,
  { folder, config, threadIds, before }: Filled,
  env: Record<string, string>,
): Promise<TestServer> {
  const server = await testServer(t, { config, dataFolder: folder, env });
  t.equal(await shown(server, threadIds), before);
  t.equal((await server.client.threads.search({ metadata: { owner: 'owner-1' } })).length, 1, 'found by its metadata');
  return server;
}

t.test('stores no plain text in a new encrypted folder, which opens only with its key', async (t) => {
  const key = KEY;
  const made = await filled(t, key);
  t.strictSame(readable(made.folder, made.texts), []);
  await refused(t, made.folder, made.config, {}, 'ENCRYPTION_KEY_MISSING');
  await refused(t, made.folder, made.config, withKey(newHexKey()), 'ENCRYPTION_KEY_WRONG');
  const server = await serves(t, made, withKey(key));
  await server.client.runs.wait(made.threadIds[0]!, 'echo', {
    input: { messages: [{ type: 'human', content: 'and on' }] },
  });
});

t.test('refuses a plain folder with a key, also before an upgrade', async (t) => {
  const plain = await filled(t, null);
  t.strictSame(readable(plain.folder, plain.texts), plain.texts);
  await refused(t, plain.folder, plain.config, withKey(newHexKey()), 'STORE_NOT_ENCRYPTED');
  const old = temporaryFolder(t);
  cpSync(join(ROOT, 'test/store/saved/0.1.0/data.mdb'), join(old, 'data.mdb'));
  await refused(t, old, plain.config, withKey(newHexKey()), 'STORE_NOT_ENCRYPTED');
});

t.test('encrypts, changes the key and decrypts with threadmill encrypt', async (t) => {
  const folder = await filled(t, null);
  const data = ['--data', folder.folder];
  const [first, second] = [newHexKey(), newHexKey()];
  const [firstFile, secondFile] = [keyFile(t, first), keyFile(t, second)];

  t.match(await cli(['encrypt', ...data]), { code: 1, stderr: /No encryption key is set/ });
  writeFileSync(join(folder.folder, 'data.mdb.upgrading'), 'what an upgrade that was cut off had written');
  const on = await cli(['encrypt', ...data, '--encryption-key-file', firstFile, '--keep-old']);
  t.notOk(existsSync(join(folder.folder, 'data.mdb.upgrading')));
  t.equal(on.code, 0, on.stderr);
  t.match(on.stdout, /: \d+ records are encrypted\.\n$/);
  t.match(on.stderr, /The previous data file is in .*before-encrypt-/);
  t.strictSame(readable(folder.folder, folder.texts), []);
  const [kept] = readdirSync(folder.folder).filter((name) => name.startsWith('before-encrypt-'));
  t.strictSame(readable(join(folder.folder, kept!), folder.texts), folder.texts);
  await (await serves(t, folder, withKey(first))).close();
  t.match(await cli(['encrypt', ...data], withKey(first)), { code: 1, stderr: /is already encrypted/ });

  t.match(await cli(['encrypt', ...data, '--new-key-file', firstFile], withKey(first)), {
    code: 1,
    stderr: /is the same as the current one/,
  });
  t.match(await cli(['encrypt', ...data, '--new-key-file', secondFile], withKey(newHexKey())), {
    code: 1,
    stderr: /encrypted with a different key/,
  });
  const rotated = await cli(['encrypt', ...data, '--new-key-file', secondFile, '--json'], withKey(first));
  t.equal(rotated.code, 0, rotated.stderr);
  t.matchStrict(JSON.parse(rotated.stdout), { encrypted: true, records: Number, before: null });
  t.match(rotated.stderr, /Older copies of the data are unchanged\. Remove them .*before-encrypt-/);
  t.strictSame(readable(folder.folder, folder.texts), []);
  await refused(t, folder.folder, folder.config, withKey(first), 'ENCRYPTION_KEY_WRONG');
  const looked = await cli(['doctor', '--store', ...data, '--json', '--encryption-key-file', secondFile]);
  t.match(JSON.parse(looked.stdout), { problems: 0, checksums_only: false, records: Number });
  await (await serves(t, folder, withKey(second))).close();

  const off = await cli(['encrypt', ...data, '--off'], withKey(second));
  t.equal(off.code, 0, off.stderr);
  t.match(off.stdout, /records are decrypted/);
  t.strictSame(readable(folder.folder, folder.texts), folder.texts);
  t.match(JSON.parse((await cli(['doctor', '--store', ...data, '--json'])).stdout), { problems: 0 });
  await (await serves(t, folder, {})).close();
  t.match(await cli(['encrypt', ...data, '--off'], withKey(second)), { code: 1, stderr: /is not encrypted/ });
});

t.test('upgrades a folder of an earlier release, then encrypts it', async (t) => {
  const folder = temporaryFolder(t);
  const saved = join(ROOT, 'test/store/saved/0.1.0');
  for (const name of ['data.mdb', 'seal.key']) cpSync(join(saved, name), join(folder, name));
  chmodSync(join(folder, 'seal.key'), 0o600);
  const key = newHexKey();
  t.match(await cli(['encrypt', '--data', folder], withKey(key)), {
    code: 1,
    stderr: /Start the server to upgrade the data folder/,
  });
  await upgradeFolder(folder, { onBegin: () => undefined, onWritten: () => undefined });
  const done = await cli(['encrypt', '--data', folder], withKey(key));
  t.equal(done.code, 0);
  t.match(
    done.stderr,
    /Remove them when you no longer need them: .*before-upgrade-1-/,
    'the file as it was before the upgrade is named',
  );
  const looked = await cli(['doctor', '--store', '--data', folder, '--json'], withKey(key));
  t.match(JSON.parse(looked.stdout), { problems: 0 });
  const { threads } = JSON.parse(readFileSync(join(saved, 'expected.json'), 'utf8')) as {
    threads: Record<string, { thread: object; history: object[] }>;
  };
  const { client } = await testServer(t, { dataFolder: folder, env: withKey(key) });
  for (const [threadId, { thread, history }] of Object.entries(threads)) {
    t.match(await client.threads.get(threadId), thread);
    t.match(await client.threads.getHistory(threadId, { limit: 5 }), history);
  }
});

t.test('finds damage without the key and reads no value that was not encrypted for its record', async (t) => {
  const secret = randomBytes(32);
  const folder = temporaryFolder(t);
  const store = Store.open(folder, secret);
  const commit = new Commit();
  for (let n = 0; n < 100; n += 1) commit.put(keys.content('uid', `${n}`.padStart(3, '0')), Buffer.alloc(200, n));
  await store.write(commit);
  await store.close();
  const change = async (work: (raw: ReturnType<typeof openRawDatabase>) => Promise<unknown>): Promise<void> => {
    const raw = openRawDatabase(join(folder, 'data.mdb'), false);
    await work(raw);
    await raw.close();
  };
  const [one, other, third] = ['001', '002', '003'].map((name) => encodeKey(keys.content('uid', name))) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  await change(async (raw) => {
    const flipped = Buffer.from(raw.get(one)!);
    flipped[60]! ^= 1;
    await raw.put(one, flipped);
    // As somebody would who can write to the file: the checksum is right, and the value was encrypted for another
    // record.
    await raw.put(other, encodeRawRecord(other, Buffer.from(valueOfRawRecord(third, raw.get(third)!)!)));
  });
  const blind = await cli(['doctor', '--store', '--data', folder, '--json']);
  t.equal(blind.code, 1);
  t.match(JSON.parse(blind.stdout), {
    checksums_only: true,
    problems: 1,
    findings: [{ kind: 'checksum', place: JSON.stringify(keys.content('uid', '001')) }],
  });
  t.match(blind.stderr, /no key is set, so only pages and checksums were checked/);
  const seeing = await cli(['doctor', '--store', '--data', folder, '--json'], withKey(secret.toString('hex')));
  t.match((JSON.parse(seeing.stdout) as { findings: object[] }).findings.slice(0, 2), [
    { place: JSON.stringify(keys.content('uid', '001')), problem: 'its checksum does not match' },
    {
      place: JSON.stringify(keys.content('uid', '002')),
      problem: /was encrypted with another key, or for another record/,
    },
  ]);
  t.match(await cli(['encrypt', '--data', folder, '--off'], withKey(secret.toString('hex'))), {
    code: 1,
    stderr: /A stored record is damaged/,
  });
  t.notOk(existsSync(join(folder, 'data.mdb.encrypting')));

  const again = Store.open(folder, secret);
  t.strictSame(Buffer.from(again.get(keys.content('uid', '003'))!), Buffer.alloc(200, 3));
  for (const name of ['001', '002']) t.throws(() => again.get(keys.content('uid', name)), { code: 'STORE_DAMAGED' });
  await again.close();

  await change(async (raw) => {
    const at = encodeKey(keys.meta('encryption'));
    const said = Buffer.from(raw.get(at)!);
    said[10]! ^= 1;
    await raw.put(at, said);
  });
  t.throws(() => Store.open(folder, secret), { code: 'STORE_DAMAGED' });
  t.throws(() => Store.open(folder), { code: 'STORE_DAMAGED' }, 'it is not taken for a folder that is not encrypted');
});

t.test('backs up and restores without the key, and serves only with it', async (t) => {
  const key = KEY;
  const made = await filled(t, key);
  const file = join(temporaryFolder(t), 'one.backup');
  t.equal((await cli(['backup', file, '--data', made.folder])).code, 0);
  t.strictSame(
    made.texts.filter((text) => readFileSync(file).includes(text)),
    [],
  );
  t.equal((await cli(['compact', '--data', made.folder])).code, 0, 'nor does compacting');
  const target = join(temporaryFolder(t), 'data');
  t.equal((await cli(['restore', file, '--data', target])).code, 0);
  await refused(t, target, made.config, {}, 'ENCRYPTION_KEY_MISSING');
  const server = await serves(t, { ...made, folder: target }, withKey(key));
  const exported = await (await server.get(`/threads/${made.threadIds[1]!}/export`)).text();
  t.match(exported, /"metadata":"\{\\"owner\\":\\"owner-1\\"/, 'who may export a thread gets it in plain text');
});

t.test('leaves the folder unchanged when it is killed during encryption', { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder(t);
  const store = Store.open(folder);
  for (let from = 0; from < 20_000; from += 2_000) {
    const commit = new Commit();
    for (let n = from; n < from + 2_000; n += 1)
      commit.put(keys.content('uid', `${n}`.padStart(6, '0')), Buffer.alloc(800, n));
    await store.write(commit);
  }
  await store.close();
  const file = join(folder, 'data.mdb');
  const [bytes, aside, key] = [readFileSync(file), join(folder, 'data.mdb.encrypting'), newHexKey()];
  const signals = new Set<unknown>();
  for (const share of [0, 0.2, 0.5]) {
    const child = spawn(process.execPath, [join(ROOT, 'dist/src/main.js'), 'encrypt', '--data', folder], {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], ...withKey(key) },
    });
    const look = setInterval(() => {
      // The file disappears when it takes the old one's place.
      const written = statSync(aside, { throwIfNoEntry: false })?.size ?? -1;
      if (written >= share * bytes.length) child.kill('SIGKILL');
    }, 1);
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    clearInterval(look);
    signals.add(signal);
    if (signal !== null) t.ok(readFileSync(file).equals(bytes), `killed when ${share} of it was written`);
  }
  t.ok(signals.has('SIGKILL'), 'it was killed');
  await Store.open(folder).close();
  t.notOk(existsSync(aside), 'a start removes what was left');
  t.equal((await cli(['encrypt', '--data', folder], withKey(key))).code, 0);
  const after = Store.open(folder, Buffer.from(key, 'hex'));
  t.equal(after.count({ prefix: keys.contents('uid') }), 20_000);
  t.strictSame(Buffer.from(after.get(keys.content('uid', '019999'))!), Buffer.alloc(800, 19_999));
  await after.close();
});

t.test('reads the key from a flag, a file, a command or a variable', async (t) => {
  const folder = temporaryFolder(t);
  const key = randomBytes(32);
  const warnings: string[] = [];
  const load = (env: Record<string, string>, file?: string): Buffer =>
    loadEncryptionKey(
      findEncryptionKeySource(file === undefined ? {} : { encryptionKeyFile: file }, env)!,
      join(folder, 'data'),
      (text) => warnings.push(text),
    );
  for (const text of [key.toString('hex'), key.toString('base64'), key.toString('base64url')]) {
    t.ok(load({ THREADMILL_ENCRYPTION_KEY: text }).equals(key));
    t.ok(load({ THREADMILL_ENCRYPTION_KEY_COMMAND: `echo ${text}` }).equals(key));
    const file = keyFile(t, text);
    t.ok(load({ THREADMILL_ENCRYPTION_KEY_FILE: file }).equals(key));
    t.ok(load({ THREADMILL_ENCRYPTION_KEY: newHexKey() }, file).equals(key), 'a flag goes before variables');
  }
  t.strictSame(warnings, []);
  const open = keyFile(t, key.toString('hex'));
  chmodSync(open, 0o644);
  t.ok(load({ THREADMILL_ENCRYPTION_KEY_FILE: open }).equals(key));
  t.match(warnings, [/can be read by other users/]);
  t.equal(load({ LANGGRAPH_AES_KEY: 'a'.repeat(24) }).toString(), 'a'.repeat(24));
  t.ok(load({ LANGGRAPH_AES_KEY: 'b'.repeat(32), THREADMILL_ENCRYPTION_KEY: key.toString('hex') }).equals(key));
  t.equal(findEncryptionKeySource({}, { THREADMILL_ENCRYPTION_KEY: '' }), null);

  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data', 'key'), key.toString('hex'));
  const secret = 'hush'.repeat(10);
  const wrong: [Record<string, string>, RegExp][] = [
    [{ THREADMILL_ENCRYPTION_KEY: secret }, /^THREADMILL_ENCRYPTION_KEY: must be 32 bytes/],
    [{ THREADMILL_ENCRYPTION_KEY_FILE: keyFile(t, secret) }, /^THREADMILL_ENCRYPTION_KEY_FILE: must be 32 bytes/],
    [{ THREADMILL_ENCRYPTION_KEY_FILE: join(folder, 'none') }, /cannot be read/],
    [{ THREADMILL_ENCRYPTION_KEY_FILE: join(folder, 'data', 'key') }, /is inside the data folder/],
    [{ THREADMILL_ENCRYPTION_KEY_COMMAND: `echo ${secret}` }, /must be 32 bytes/],
    [{ THREADMILL_ENCRYPTION_KEY_COMMAND: `echo ${secret}; exit 3` }, /ended with exit code 3/],
    [{ LANGGRAPH_AES_KEY: secret }, /must have 16, 24 or 32 bytes/],
    [
      { THREADMILL_ENCRYPTION_KEY: secret, THREADMILL_ENCRYPTION_KEY_FILE: 'x' },
      /only one of THREADMILL_ENCRYPTION_KEY and THREADMILL_ENCRYPTION_KEY_FILE can be set/,
    ],
  ];
  for (const [env, message] of wrong) {
    t.throws(() => load(env), { code: 'CONFIG_INVALID', message }, JSON.stringify(env));
    try {
      load(env);
    } catch (error) {
      t.notMatch((error as Error).message, /hush/, 'nothing of the key is in the message');
    }
  }
  const config = configWith(t, 'echo');
  const printed = await cli(['config', '--config', config, '--all'], {
    THREADMILL_ENCRYPTION_KEY_COMMAND: 'echo hush-hush; touch /nowhere',
  });
  t.match(printed.stdout, /encryption_key +THREADMILL_ENCRYPTION_KEY_COMMAND +\(set, not shown\)/);
  t.notMatch(printed.stdout + printed.stderr, /hush/);
  t.matchStrict(readConfig({ config }, {}), { encryption: null });
});

t.test('hides every variable of the key from graphs', async (t) => {
  const key = newHexKey();
  const config = projectOf(t, ['echo'], {
    env: { LANGGRAPH_AES_KEY: 'in the project itself', OTHER: 'of the project' },
  });
  writeFileSync(
    join(config, '..', 'peek.ts'),
    `
    import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
    const State = Annotation.Root({ names: Annotation<string[]>() });
    export const graph = new StateGraph(State).addNode('peek', () => ({ names: Object.keys(process.env) })).addEdge(START, 'peek').addEdge('peek', END).compile();
  `,
  );
  const written = JSON.parse(readFileSync(config, 'utf8')) as { graphs: Record<string, string> };
  writeFileSync(config, JSON.stringify({ ...written, graphs: { ...written.graphs, peek: './peek.ts:graph' } }));
  const { client } = await childServer(t, {
    config,
    dataFolder: temporaryFolder(t),
    env: { ...withKey(key), VISIBLE: 'yes' },
  });
  const { names } = (await client.runs.wait(null, 'peek', { input: { names: [] } })) as { names: string[] };
  t.ok(names.includes('VISIBLE') && names.includes('OTHER'));
  t.strictSame(
    names.filter((name) => /ENCRYPTION|AES/.test(name)),
    [],
  );
});

t.test('uses a new nonce for each value, so that equal values differ', (t) => {
  const cipher = new RecordCipher(deriveKeys(randomBytes(32), randomBytes(16)));
  const again = new RecordCipher(cipher.keys);
  const key = encodeKey(keys.thread('x'));
  const value = Buffer.from('value');
  const all = [cipher, cipher, again, again].map((one) => Buffer.from(one.encrypt(key, value)));
  t.equal(new Set(all.map((one) => one.toString('hex', 0, 12))).size, 4);
  t.equal(new Set(all.map((one) => one.toString('hex', CIPHER_OVERHEAD_BYTES))).size, 4);
  for (const one of all) t.equal(Buffer.from(again.decrypt(key, one)!).toString(), 'value');
  t.equal(again.decrypt(encodeKey(keys.thread('y')), all[0]!), null);
  t.equal(again.decrypt(key, all[0]!.subarray(0, 20)), null);
  t.equal(new RecordCipher(deriveKeys(randomBytes(32), randomBytes(16))).decrypt(key, all[0]!), null);
  t.end();
});

t.test('hashes names that look like a stored hash', async (t) => {
  const secret = randomBytes(32);
  const store = Store.open(temporaryFolder(t), secret);
  const names = ['#~abc', '~abc', '#abc', '*', '?', '+', 'plain'];
  const commit = new Commit();
  for (const name of names) commit.put(keys.datasetName(name), Buffer.from(name));
  await store.write(commit);
  for (const name of names) t.equal(Buffer.from(store.get(keys.datasetName(name))!).toString(), name);
  const stored = [...store.keys({ prefix: ['DN'] })];
  t.equal(stored.length, names.length);
  t.ok(stored.every((key) => /^#~[\w-]{24}$/.test(String(key[1]))));
  t.ok(
    stored.every((key) => store.has(key)),
    'a key as it was read finds its record',
  );
  await store.close();
});
