/**
 * What messages and inputs repeat, for the compression of single ones: they are too short to repeat it themselves.
 * Names are in the order in which `@langchain/core` and its packages for models write them, the commonest at the end.
 * Stored values can only be read with exactly this text. A better one needs a marker of its own in compression.ts.
 */
export const COMPRESSION_DICTIONARY = Buffer.from(
  [
    '{"lc":1,"type":"constructor","id":["langchain_core","messages","SystemMessage"],"kwargs":{',
    '"page_content":"","metadata":{"source":"","score":0.',
    '{"type":"image_url","image_url":{"url":"data:image/png;base64,',
    '{"type":"tool_use","id":"toolu_01","name":"","input":{',
    '"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":1,',
    '"usage":{"input_tokens":1,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,',
    '"stop_reason":"end_turn","stop_sequence":null,"model":"claude-sonnet-4-5","service_tier":"standard",',
    '"tokenUsage":{"promptTokens":1,"completionTokens":1,"totalTokens":1},"finish_reason":"tool_calls",',
    '"model_provider":"openai","model_name":"gpt-4.1-mini-2025-04-14","usage":{"prompt_tokens":1,',
    '"completion_tokens":1,"total_tokens":1,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},',
    '"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,',
    '"rejected_prediction_tokens":0}},"finish_reason":"stop","system_fingerprint":"fp_',
    'm:SystemMessagem:ToolMessage{"content":"","tool_call_id":"call_","name":"","id":"',
    '","additional_kwargs":{},"response_metadata":{},"type":"tool","status":"success","artifact":null}',
    'm:AIMessageChunkm:AIMessage{"content":[{"type":"text","text":"","id":"chatcmpl-","additional_kwargs":{},',
    '"tool_calls":[{"name":"","args":{"query":""},"id":"call_","type":"tool_call"}],"invalid_tool_calls":[],',
    '"usage_metadata":{"output_tokens":1,"input_tokens":1,"total_tokens":1,"input_token_details":{"audio":0,',
    '"cache_read":0},"output_token_details":{"audio":0,"reasoning":0}},"tool_calls":[],"invalid_tool_calls":[],',
    '"additional_kwargs":{},"response_metadata":{},"type":"ai"}',
    '{"config":{"configurable":{"langgraph_request_id":"01"},"metadata":{}},"stream_mode":["values","updates",',
    '"messages-tuple"],"input":{"messages":[{"role":"assistant","content":"{"role":"user","content":"',
    'm:HumanMessage{"content":"","id":"","additional_kwargs":{},"response_metadata":{},"type":"human"}',
  ].join(''),
);
