/**
 * The packages that a worker shares with the graphs. The pool resolves them from the user's project first, and
 * then from ours (src/pool/graphs/bundle.ts reads this file), so that graphs, savers and messages use the same
 * copy.
 */
export * as langgraph from '@langchain/langgraph';
export * as checkpoint from '@langchain/langgraph-checkpoint';
export * as singletons from '@langchain/core/singletons';
export * as callbacks from '@langchain/core/callbacks/manager';
export * as messages from '@langchain/core/messages';
export * as runnables from '@langchain/core/runnables';
export * as schemas from '@langchain/langgraph/zod/schema';
export * as jsonSchema from '@langchain/core/utils/json_schema';
