import t, { type Test } from 'tap';
import { LIMITS } from '../../src/base/limits.js';
import {
  ChannelClient,
  type ClientStream,
  type ForwardedResponse,
} from '../../src/http/forward/channel/channel-client.js';
import type { ChannelRequest } from '../../src/http/forward/channel/channel-request.js';
import type { ChannelResponse } from '../../src/http/forward/channel/channel-response.js';
import { ChannelServer } from '../../src/http/forward/channel/channel-server.js';
import { linkPair } from '../helpers/link-pair.js';

type Respond = (response: ChannelResponse, request: ChannelRequest) => void;

const WINDOW = LIMITS.channelWindowBytes;

interface TestChannel {
  client: ChannelClient;
  server: ChannelServer;
  /** Bytes that the node or the owner has sent. */
  sent: { byNode: number; byOwner: number };
}

function openChannel(t: Test, respond: Respond, isServing = () => true): TestChannel {
  const sent = { byNode: 0, byOwner: 0 };
  const [ofNode, ofOwner] = linkPair((end, { byteLength }) => {
    sent[end === 0 ? 'byNode' : 'byOwner'] += byteLength;
  });
  const server = new ChannelServer(ofOwner, {
    isServing,
    respond: (request, response) => {
      response.onAborted(() => undefined);
      respond(response, request);
    },
    onClosed: () => undefined,
  });
  const client = new ChannelClient(ofNode, () => undefined);
  t.teardown(() => client.close());
  return { client, server, sent };
}

const get = (client: ChannelClient, target = '/x'): ClientStream => {
  const stream = client.request({ method: 'GET', target, headers: { a: 'b', c: ['d', 'e'] }, hasBody: false });
  stream.end();
  return stream;
};

const post = (client: ChannelClient): ClientStream =>
  client.request({ method: 'POST', target: '/x', headers: {}, hasBody: true });

async function headOf(stream: ClientStream): Promise<ForwardedResponse> {
  const response = await stream.response;
  if (typeof response === 'string') throw new Error(response);
  return response;
}

/** The body, or null if the response broke off. */
function bodyOf(response: ForwardedResponse): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  return new Promise((resolve) => {
    response.receive({
      onData: (bytes) => pieces.push(bytes),
      onEnd: (isComplete) => resolve(isComplete ? Buffer.concat(pieces) : null),
    });
  });
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

t.test('passes heads and bodies of many requests at once', async (t) => {
  const { client } = openChannel(t, (response, request) => {
    const seen: string[] = [];
    request.forEach((name, value) => seen.push(`${name}=${value}`));
    response.writeStatus('201 Created').writeHeader('set-cookie', 'a').writeHeader('set-cookie', 'b');
    const body = `${request.getMethod()} ${request.getUrl()} ${request.getQuery()} ${seen.join(' ')}`;
    setImmediate(() => response.end(Buffer.from(body)));
  });
  const streams = Array.from({ length: 20 }, (_, at) => get(client, `/x/${at}?é=1`));
  t.equal(client.open, 20);
  const responses = await Promise.all(streams.map(headOf));
  t.equal(responses[0]!.status, '201 Created');
  t.strictSame(responses[0]!.fields, ['set-cookie', 'a', 'set-cookie', 'b', 'content-length', '25']);
  const bodies = await Promise.all(responses.map(bodyOf));
  t.strictSame(
    bodies.map(String),
    bodies.map((_, at) => `get /x/${at} é=1 a=b c=d c=e`),
  );
  t.equal(client.open, 0);
});

t.test('a body waits for whoever takes it later than in the callback of its route', async (t) => {
  const { client } = openChannel(t, async (response) => {
    await turns(3);
    let body = '';
    response.onData((chunk, isLast) => {
      body += Buffer.from(chunk).toString();
      if (isLast) response.end(Buffer.from(body));
    });
  });
  const stream = post(client);
  stream.write(Buffer.from('one '));
  await turns(1);
  stream.write(Buffer.from('two'));
  stream.end();
  t.equal(String(await bodyOf(await headOf(stream))), 'one two');
});

t.test('a paused receiver gets at most a window full of a body', async (t) => {
  let upload: ChannelResponse | null = null;
  let received = 0;
  const { client, sent } = openChannel(t, (response) => {
    upload = response;
    response.pause();
    response.onData((chunk, isLast) => {
      received += chunk.byteLength;
      if (isLast) response.end(Buffer.from('done'));
    });
  });
  const stream = post(client);
  const drained = new Promise<void>((resolve) => {
    stream.onDrain = resolve;
  });
  t.equal(stream.write(Buffer.alloc(3 * WINDOW, 1)), false);
  await turns(20);
  t.equal(received, WINDOW);
  t.ok(sent.byNode < WINDOW + 1_000);
  upload!.resume();
  await drained;
  stream.end();
  t.equal(String(await bodyOf(await headOf(stream))), 'done');
  t.equal(received, 3 * WINDOW);
});

t.test('a response stops at a window when its reader pauses, and others go on', async (t) => {
  let drains = 0;
  const { client, sent } = openChannel(t, (response, request) => {
    if (request.getUrl() === '/small') {
      response.end(Buffer.from('small'));
      return;
    }
    response.onWritable(() => {
      drains += 1;
      response.end(Buffer.alloc(2 * WINDOW, 2));
      return true;
    });
    t.equal(response.write(Buffer.alloc(WINDOW + 1, 1)), false, 'more should wait');
  });
  const slow = await headOf(get(client));
  slow.pause();
  const body = bodyOf(slow);
  await turns(20);
  t.ok(sent.byOwner < WINDOW + 1_000);
  t.equal(drains, 0);
  t.equal(String(await bodyOf(await headOf(get(client, '/small')))), 'small');
  slow.resume();
  t.equal((await body)!.byteLength, 3 * WINDOW + 1);
  t.equal(drains, 1);
});

t.test('a request that is given up aborts its response, and no other', async (t) => {
  const aborted: string[] = [];
  const open: ChannelResponse[] = [];
  const { client } = openChannel(t, (response, request) => {
    response.onAborted(() => aborted.push(request.getUrl()));
    open.push(response);
    response.write(Buffer.from('begun'));
  });
  const [first, second] = [get(client, '/first'), get(client, '/second')];
  const [, kept] = await Promise.all([first, second].map(headOf));
  first.reset();
  first.reset();
  await turns(3);
  t.strictSame(aborted, ['/first']);
  open[0]!.end(Buffer.from('to nobody'));
  open[1]!.end(Buffer.from(' and ended'));
  t.equal(String(await bodyOf(kept!)), 'begun and ended');
});

t.test('a response that the owner breaks off is no complete response', async (t) => {
  let aborts = 0;
  const { client } = openChannel(t, (response) => {
    response.onAborted(() => (aborts += 1));
    response.write(Buffer.from('begun'));
    setImmediate(() => response.close());
  });
  t.equal(await bodyOf(await headOf(get(client))), null);
  t.equal(aborts, 1);
  t.equal(client.open, 0);
});

t.test('a node that does not serve refuses requests unseen', async (t) => {
  let isServing = false;
  let seen = 0;
  const { client } = openChannel(
    t,
    (response) => {
      seen += 1;
      response.end();
    },
    () => isServing,
  );
  const stream = post(client);
  stream.write(Buffer.from('{}'));
  stream.end();
  t.equal(await stream.response, 'refused');
  t.equal(seen, 0);
  isServing = true;
  t.equal(String(await bodyOf(await headOf(get(client)))), '');
  t.equal(seen, 1);
});

t.test('the end of the link ends every request on both sides', async (t) => {
  let aborts = 0;
  const { client, server } = openChannel(t, (response, request) => {
    response.onAborted(() => (aborts += 1));
    if (request.getUrl() === '/begun') response.write(Buffer.from('begun'));
  });
  const begun = await headOf(get(client, '/begun'));
  const body = bodyOf(begun);
  const waiting = get(client, '/waiting');
  await turns(2);
  server.close();
  t.equal(await body, null);
  t.equal(await waiting.response, 'broken');
  t.equal(aborts, 2);
  t.equal(await get(client).response, 'broken', 'a closed channel takes no more requests');
});
