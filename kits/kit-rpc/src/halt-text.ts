/** Geth's messages for the reasons of an aborted frame. */
const TEXTS: Readonly<Record<string, string>> = {
  INSUFFICIENT_GAS: "out of gas",
  INSUFFICIENT_STACK_ITEMS: "stack underflow",
  TOO_MANY_STACK_ITEMS: "stack limit reached 1024 (1023)",
  INVALID_JUMP_DESTINATION: "invalid jump destination",
  INVALID_OPERATION: "invalid opcode",
  OUT_OF_BOUNDS: "return data out of bounds",
  ILLEGAL_STATE_CHANGE: "write protection",
  CODE_TOO_LARGE: "max code size exceeded",
  INVALID_CODE: "invalid code: must not begin with 0xef",
};

/** The message for a reason. */
export function haltText(halt: string): string {
  return TEXTS[halt] ?? halt.toLowerCase().replaceAll("_", " ");
}
