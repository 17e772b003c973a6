import t from 'tap';
import { consoleModule } from '../helpers/console-module.js';

/** Pure parts of the lists. */

t.test('the difference of the clocks is what a Date header proves, and never more', async (t) => {
  const { clockDifference } = await consoleModule<{
    clockDifference: (serverMs: number, sentMs: number, receivedMs: number) => number;
  }>('api/server-clock.ts');
  t.equal(clockDifference(10_000, 10_100, 10_400), 0, 'the seconds of the header explain it');
  t.equal(clockDifference(10_000, 11_900, 12_100), 0, 'the header can be two seconds old');
  t.equal(clockDifference(70_000, 10_000, 10_500), 59_500, 'the server is ahead');
  t.equal(clockDifference(10_000, 72_500, 73_000), -60_500, 'the server is behind');
});

t.test('a range of rows has both ends, in both directions', async (t) => {
  const { idsBetween } = await consoleModule<{
    idsBetween: (ids: string[], from: string | null, to: string) => string[];
  }>('components/row-boxes.ts');
  const ids = ['a', 'b', 'c', 'd'];
  t.same(idsBetween(ids, 'b', 'd'), ['b', 'c', 'd']);
  t.same(idsBetween(ids, 'd', 'b'), ['b', 'c', 'd']);
  t.same(idsBetween(ids, 'c', 'c'), ['c']);
  t.same(idsBetween(ids, 'gone', 'c'), ['c']);
  t.same(idsBetween(ids, null, 'c'), ['c']);
});

t.test('what the browser has stored cannot break a list', async (t) => {
  const { parseSavedFilters, filterQuery, withSaved } = await consoleModule<{
    parseSavedFilters: (stored: unknown) => { name: string; query: string }[];
    filterQuery: (params: URLSearchParams, names: string[]) => string;
    withSaved: (saved: object[], added: object) => object[];
  }>('shared/saved-filters.ts');
  for (const stored of [undefined, null, 'x', { name: 'x' }, [null, 1, { name: 'x' }, { name: 1, query: 'a' }]])
    t.same(parseSavedFilters(stored), []);
  t.same(parseSavedFilters([{ name: 'n'.repeat(99), query: 'status=busy', more: 1 }]), [
    { name: 'n'.repeat(40), query: 'status=busy' },
  ]);
  t.equal(parseSavedFilters(Array.from({ length: 99 }, (_, at) => ({ name: `${at}`, query: 'a=1' }))).length, 20);
  const names = ['text', 'status'];
  t.equal(filterQuery(new URLSearchParams('status=busy&text=a%26b&page=3&owner='), names), 'text=a%26b&status=busy');
  t.equal(filterQuery(new URLSearchParams('text='), names), '');
  t.same(withSaved([{ name: 'a', query: '1' }], { name: 'a', query: '2' }), [{ name: 'a', query: '2' }]);

  const { parseColumnChoice, metadataText } = await consoleModule<{
    parseColumnChoice: (stored: unknown, known: string[]) => string[] | null;
    metadataText: (metadata: unknown, key: string) => string | null;
  }>('shared/column-choice.ts');
  t.equal(parseColumnChoice('status', ['status']), null);
  t.same(parseColumnChoice(['status', 'status', 'unknown', 7, 'metadata:team'], ['status']), [
    'status',
    'metadata:team',
  ]);
  const metadata = { team: 'a', tier: 2, none: null, list: [1] };
  t.same(
    ['team', 'tier', 'none', 'list', 'toString'].map((key) => metadataText(metadata, key)),
    ['a', '2', null, '[1]', null],
  );
});

t.test('a thread has one status, also if it waits for input', async (t) => {
  const { threadStatus, newestRunStatus } = await consoleModule<{
    threadStatus: (thread: object) => string;
    newestRunStatus: (status: string, thread: object) => string;
  }>('shared/thread-title.ts');
  const thread = (status: string, interrupts: unknown): object => ({ status, extracted: { interrupts } });
  t.equal(threadStatus(thread('interrupted', { task: [{}] })), 'waiting');
  t.equal(threadStatus(thread('interrupted', null)), 'waiting', 'too many interrupts to be listed');
  t.equal(threadStatus(thread('interrupted', {})), 'interrupted', 'a cancelled run');
  t.equal(threadStatus(thread('busy', { task: [{}] })), 'busy');
  t.equal(newestRunStatus('success', thread('interrupted', { task: [{}] })), 'waiting');
  t.equal(newestRunStatus('success', thread('idle', {})), 'success');
  t.equal(newestRunStatus('error', thread('interrupted', { task: [{}] })), 'error');
});
