import type { Reader } from '../../src/store/reader.js';
import type { Conversation } from '../../src/wire/conversation.js';
import type { FromIngest, ToIngest } from '../../src/wire/evaluation.js';
import { receiveBody } from './body.js';

export async function ingest(talk: Conversation<FromIngest, ToIngest>, _reader: Reader): Promise<unknown> {
  return receiveBody(talk, '');
}
