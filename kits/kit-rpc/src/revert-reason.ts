/** The selector of `Error(string)`, which Solidity reverts with. */
const ERROR_SELECTOR = "0x08c379a0";
/**
 * The selector of `Panic(uint256)`, which Solidity reverts with when code violates a rule of the
 * language.
 */
const PANIC_SELECTOR = "0x4e487b71";
/** Solidity's panic codes. */
const PANICS: Readonly<Record<string, string>> = {
  "0x00": "an unspecified fault of the compiler",
  "0x01": "assertion failed",
  "0x11": "arithmetic underflow or overflow",
  "0x12": "division or modulo by zero",
  "0x21": "value out of range of its enum",
  "0x22": "storage byte array encoded incorrectly",
  "0x31": "pop on an empty array",
  "0x32": "array index out of bounds",
  "0x41": "out of memory, or an array that is too large",
  "0x51": "call of an uninitialized internal function",
};
const SELECTOR_LENGTH = 10;
const WORD = 64;
/** Further arguments of a custom error are not shown. */
const MAX_WORDS = 4;

/** The text that a contract reverted with; `undefined` if it reverted with something else. */
export function findRevertReason(data: string): string | undefined {
  if (!data.startsWith(ERROR_SELECTOR)) return undefined;
  const digits = data.slice(ERROR_SELECTOR.length);
  const length = Number.parseInt(digits.slice(WORD, 2 * WORD), 16);
  const text = digits.slice(2 * WORD, 2 * WORD + length * 2);
  const isString = Number.parseInt(digits.slice(0, WORD), 16) === 32 && text.length === length * 2;
  return isString ? Buffer.from(text, "hex").toString("utf8") : "ABI decode error";
}

/**
 * Why a contract reverted: its text, a panic, or a custom error by its selector; `undefined` if the
 * data is none of them.
 */
export function describeRevert(data: string): string | undefined {
  return findRevertReason(data) ?? findPanic(data) ?? findCustomError(data);
}

function findPanic(data: string): string | undefined {
  const digits = data.slice(SELECTOR_LENGTH);
  if (!data.startsWith(PANIC_SELECTOR) || digits.length !== WORD) return undefined;
  const code = `0x${BigInt(`0x${digits}`).toString(16).padStart(2, "0")}`;
  return `panic: ${PANICS[code] ?? "a code that Solidity does not have"} (${code})`;
}

/** Arguments of an error are whole words; other data is handcrafted. */
function findCustomError(data: string): string | undefined {
  const digits = data.slice(SELECTOR_LENGTH);
  if (data.length < SELECTOR_LENGTH || digits.length % WORD !== 0) return undefined;
  const shown = digits.slice(0, MAX_WORDS * WORD);
  const rest = digits.length > shown.length ? "…" : "";
  const values = digits === "" ? "" : ` with ${shown}${rest}`;
  return `custom error ${data.slice(0, SELECTOR_LENGTH)}${values}`;
}
