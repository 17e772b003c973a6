/** English as people write it, so that it compresses like their messages do. */
const TEXT =
  'We moved the office in the spring, and half of the plants came along in the back of a borrowed van. The fig lost ' +
  'its leaves within a week. Somebody said that it wanted more light, another that it had too much of it, so it spent ' +
  'the summer travelling between two windows. Meanwhile nobody looked after the small palm behind the printer, which ' +
  'grew a new leaf every month and now covers the fire plan. Before you buy anything bigger, measure the hallway: the ' +
  'door opens inwards, the heater juts out by a hand, and the lift stops one floor below ours. My advice would be to ' +
  'ask for three quotes, compare what each of them leaves out, and call the cheapest one twice. If they answer both ' +
  'times, take them. Otherwise the second on the list is usually worth its price, because somebody there remembers ' +
  'your name. Could you also check whether the contract says anything about moving in winter? Last year the road was ' +
  'closed for nine days, and the driver waited at the wrong bridge with our only kettle. I have attached both lists, ' +
  'the old one and the one that Maria corrected on Thursday; where they differ, hers is right. ';

/** What somebody types in turn `n` of a chat: 300 characters. */
export function question(n: number): string {
  return prose(n, 300);
}

/** What a model answers: 700 characters. */
export function answer(n: number): string {
  return prose(n, 700);
}

function prose(n: number, chars: number): string {
  const start = (n * 131) % TEXT.length;
  return TEXT.slice(start).padEnd(chars, TEXT).slice(0, chars);
}
