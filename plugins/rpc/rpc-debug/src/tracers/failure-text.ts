import { haltText } from "@plinth/kit-rpc";
import { opcodeName } from "@plinth/kit-trace";

const INVALID = 0xfe;

/** geth's message for a frame that was aborted at an instruction. */
export function failureText(halt: string, last: number | undefined): string {
  const text = haltText(halt);
  if (halt !== "INVALID_OPERATION" || last === undefined) return text;
  const isDefined = last === INVALID;
  const op = `opcode 0x${last.toString(16)} not defined`;
  return `${text}: ${isDefined ? opcodeName(last, { isMerged: true }) : op}`;
}
