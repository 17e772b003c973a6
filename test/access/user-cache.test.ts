import t from 'tap';
import type { User } from '../../src/domain/caller.js';
import { UserCache } from '../../workers/auth/user-cache.js';

const user = (identity: string): User => ({
  identity,
  display_name: identity,
  is_authenticated: true,
  permissions: [],
});
function cacheOf(headers: string[], entriesMax = 100, nowMs: () => number = () => 0): UserCache {
  return new UserCache({ headers, ttlMs: 1_000, entriesMax }, nowMs);
}

t.test('identifies a user by all of the headers, each in its place', (t) => {
  const cache = cacheOf(['authorization', 'x-tenant']);
  cache.put({ authorization: 'Bearer a', 'x-tenant': 'one' }, user('ada'));
  const inAnyOrder = { 'x-tenant': 'one', 'x-other': 'whatever', authorization: 'Bearer a' };
  t.match(cache.get(inAnyOrder), { identity: 'ada' });
  for (const headers of [
    {},
    { authorization: 'Bearer a' },
    { 'x-tenant': 'one' },
    { authorization: 'one', 'x-tenant': 'Bearer a' },
    { authorization: 'Bearer a', 'x-tenant': 'two' },
    { authorization: 'Bearer A', 'x-tenant': 'one' },
    { authorization: 'Bearer a","one', 'x-tenant': '' },
    { authorization: '', 'x-tenant': '' },
    { authorization: 'Bearer a, Bearer a', 'x-tenant': 'one' },
    { Authorization: 'Bearer a', 'X-Tenant': 'one' },
  ] as Record<string, string>[])
    t.equal(cache.get(headers), undefined, JSON.stringify(headers));
  cache.put({ authorization: 'x' }, user('without a tenant'));
  t.equal(cache.get({ authorization: 'x', 'x-tenant': 'null' }), undefined, 'a header that is missing is no text');
  t.end();
});

t.test('does not cache a request without any of the headers', (t) => {
  for (const headers of [['authorization'], ['constructor'], ['__proto__', 'tostring', 'hasownproperty', 'valueof']]) {
    const cache = cacheOf(headers);
    cache.put({}, user('somebody'));
    t.equal(cache.get({}), undefined, headers.join());
    t.equal(cache.get(Object.create(null) as Record<string, string>), undefined, headers.join());
  }
  t.end();
});

t.test('keeps at most the allowed number of users, the newest ones', (t) => {
  const cache = cacheOf(['authorization'], 3);
  const known = (): string[] =>
    ['a', 'b', 'c', 'd', 'e'].filter((one) => cache.get({ authorization: one }) !== undefined);
  for (const one of ['a', 'b', 'c', 'c', 'c']) cache.put({ authorization: one }, user(one));
  t.same(known(), ['a', 'b', 'c'], "one that is put again takes nobody else's place");
  cache.put({ authorization: 'a' }, user('a'));
  cache.put({ authorization: 'd' }, user('d'));
  t.same(known(), ['a', 'c', 'd']);
  for (let at = 0; at < 10_000; at += 1) cache.put({ authorization: `token ${at}` }, user('x'));
  t.same(known(), []);
  t.end();
});

t.test('drops a user when its time is over, even if it is used', (t) => {
  let nowMs = 5_000;
  const cache = cacheOf(['authorization'], 3, () => nowMs);
  cache.put({ authorization: 'a' }, user('ada'));
  for (nowMs of [5_400, 5_800, 5_999]) t.match(cache.get({ authorization: 'a' }), { identity: 'ada' });
  nowMs = 6_000;
  t.equal(cache.get({ authorization: 'a' }), undefined);
  t.end();
});

t.test('drops users on time when the system clock is set back', (t) => {
  const cache = new UserCache({ headers: ['authorization'], ttlMs: Number.MIN_VALUE, entriesMax: 3 });
  const { now } = Date;
  t.teardown(() => {
    Date.now = now;
  });
  cache.put({ authorization: 'a' }, user('ada'));
  Date.now = () => 0;
  t.equal(cache.get({ authorization: 'a' }), undefined);
  t.end();
});

t.test('does not cache changes that a handler makes to its user', (t) => {
  const cache = cacheOf(['authorization']);
  const given = user('ada');
  cache.put({ authorization: 'a' }, given);
  const change = ({ permissions }: User): void => {
    (permissions as string[]).push('admin');
  };
  change(given);
  change(cache.get({ authorization: 'a' })!);
  t.same(cache.get({ authorization: 'a' }), user('ada'));
  t.end();
});
