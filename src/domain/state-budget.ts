/** Action for a thread whose state exceeds its budget. */
export const STATE_BUDGET_ACTIONS = ['warn', 'refuse', 'thin'] as const;
export type StateBudgetAction = (typeof STATE_BUDGET_ACTIONS)[number];

/** `state_budget` of langgraph.json. */
export interface StateBudget {
  /** Stored bytes of one thread's state that are within the budget. */
  threadBytes: number;
  onExceed: StateBudgetAction;
  /** Newest states that thinning keeps. */
  keepLast: number;
}
