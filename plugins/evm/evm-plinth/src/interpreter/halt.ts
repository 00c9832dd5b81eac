/** Why a frame is broken off, in the names that clients know. */
export type Halt =
  | "INSUFFICIENT_GAS"
  | "INSUFFICIENT_STACK_ITEMS"
  | "TOO_MANY_STACK_ITEMS"
  | "INVALID_JUMP_DESTINATION"
  | "INVALID_OPERATION"
  | "ILLEGAL_STATE_CHANGE"
  | "CODE_TOO_LARGE"
  | "INVALID_CODE"
  | "PRECOMPILE_ERROR";
