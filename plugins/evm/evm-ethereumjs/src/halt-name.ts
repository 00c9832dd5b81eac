import { EVMError } from "@ethereumjs/evm";

const { errorMessages: TEXTS } = EVMError;

/** Client-facing names of the halt reasons. */
const NAMES: Readonly<Record<string, string>> = {
  [TEXTS.OUT_OF_GAS]: "INSUFFICIENT_GAS",
  [TEXTS.CODESTORE_OUT_OF_GAS]: "INSUFFICIENT_GAS",
  [TEXTS.STACK_UNDERFLOW]: "INSUFFICIENT_STACK_ITEMS",
  [TEXTS.STACK_OVERFLOW]: "TOO_MANY_STACK_ITEMS",
  [TEXTS.INVALID_JUMP]: "INVALID_JUMP_DESTINATION",
  [TEXTS.INVALID_OPCODE]: "INVALID_OPERATION",
  [TEXTS.OUT_OF_RANGE]: "OUT_OF_BOUNDS",
  [TEXTS.STATIC_STATE_CHANGE]: "ILLEGAL_STATE_CHANGE",
  [TEXTS.VALUE_OVERFLOW]: "ILLEGAL_STATE_CHANGE",
  [TEXTS.CREATE_COLLISION]: "ILLEGAL_STATE_CHANGE",
  [TEXTS.CODESIZE_EXCEEDS_MAXIMUM]: "CODE_TOO_LARGE",
  [TEXTS.INITCODE_SIZE_VIOLATION]: "CODE_TOO_LARGE",
  [TEXTS.INVALID_BYTECODE_RESULT]: "INVALID_CODE",
};

/** The name of the reason; errors of precompiles have no specific one. */
export function haltName(text: string): string {
  // An invalid jump includes its position.
  const [reason = ""] = text.split(" at ");
  return NAMES[reason] ?? "PRECOMPILE_ERROR";
}
