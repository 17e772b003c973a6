import { ingestRuns, type IngestSession } from '../../../services/evaluation/ingest-runs.js';
import { encodeResponse, PROTOBUF, responseJson } from '../../../wire/evaluation/otlp-response.js';
import { isProtobuf } from '../../body-type.js';
import { defineRoute, jsonReply } from '../../route.js';
import { bodyFormat, changeFromBody } from './change.js';

/** Receives what exporters of OpenTelemetry send (OTLP over HTTP). */
export const receiveSpansRoute = defineRoute({
  method: 'post',
  path: '/v1/traces',
  action: 'evaluation_runs:create',
  errors: 'otlp',
  bodyTypes: ['json', 'protobuf'],
  summary: 'Store spans of OpenTelemetry as runs of traces (OTLP over HTTP, as JSON or Protocol Buffers)',
  async handle({ exchange, caller, bytes, headers }, services) {
    const refused = await changeFromBody(
      services,
      { exchange, caller, bytes },
      {
        task: 'ingest',
        firstMessage: {
          type: 'kind',
          kind: 'otlp',
          ...bodyFormat(exchange),
          runId: null,
          whole: true,
          project: headers['langsmith-project'] ?? null,
        },
      },
      async (session: IngestSession) => {
        await ingestRuns(services.evaluation, caller, session);
        return (await session.result).refused;
      },
    );
    if (!isProtobuf(exchange)) return jsonReply(responseJson(refused));
    return { status: 200, body: encodeResponse(refused), contentType: PROTOBUF };
  },
});
