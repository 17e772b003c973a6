/** A node that does not serve answers requests of other nodes so, without having looked at them. */
export const NOT_SERVING_STATUS = 421;
