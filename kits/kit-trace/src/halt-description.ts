/** Descriptions of the reasons of an aborted frame. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  INSUFFICIENT_GAS: "Out of gas",
  INSUFFICIENT_STACK_ITEMS: "Stack underflow",
  TOO_MANY_STACK_ITEMS: "Out of stack",
  INVALID_JUMP_DESTINATION: "Bad jump destination",
  INVALID_OPERATION: "Bad instruction",
  OUT_OF_BOUNDS: "Out of bounds",
  ILLEGAL_STATE_CHANGE: "Illegal state change",
  CODE_TOO_LARGE: "Code is too large",
  INVALID_CODE: "Code is invalid",
  PRECOMPILE_ERROR: "Precompile error",
};

/** The description of a reason. */
export function haltDescription(halt = ""): string {
  return DESCRIPTIONS[halt] ?? halt;
}
