import t from 'tap';
import { formatTable } from '../../src/cli/output/table.js';

t.test('aligns columns by the width that a terminal gives to wide characters', (t) => {
  const rows = [
    ['plain', '1'],
    ['東京', '22'],
    ['👨‍👩‍👧 ❤️', '333'],
    ['e\u0301\u200b', '4'],
  ];
  t.equal(
    formatTable(['name', 'count'], rows, new Set(['count'])),
    ['name   count', 'plain      1', '東京      22', '👨‍👩‍👧 ❤️    333', 'e\u0301\u200b          4'].join('\n'),
  );
  t.end();
});

t.test('replaces control characters, so that text from elsewhere cannot color or move anything', (t) => {
  t.equal(formatTable(['name'], [['\u001b[31mred\u001b[0m\n']]), 'name\n [31mred [0m');
  t.end();
});
