/** The selector of `Error(string)`, which Solidity reverts with. */
const ERROR_SELECTOR = "0x08c379a0";
const WORD = 64;

/** The text that a contract reverted with; `undefined` when it reverted with something else. */
export function findRevertReason(data: string): string | undefined {
  if (!data.startsWith(ERROR_SELECTOR)) return undefined;
  const digits = data.slice(ERROR_SELECTOR.length);
  const length = Number.parseInt(digits.slice(WORD, 2 * WORD), 16);
  const text = digits.slice(2 * WORD, 2 * WORD + length * 2);
  const isString = Number.parseInt(digits.slice(0, WORD), 16) === 32 && text.length === length * 2;
  return isString ? Buffer.from(text, "hex").toString("utf8") : "ABI decode error";
}
