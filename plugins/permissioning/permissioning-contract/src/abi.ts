const WORD = 32;

/** A number, or an address, right-aligned in a word. */
export function word(value: bigint): Uint8Array {
  return Buffer.from(value.toString(16).padStart(2 * WORD, "0"), "hex");
}

/** Bytes, left-aligned in a word, like `bytes16` and `bytes32`. */
export function leftWord(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(WORD);
  padded.set(bytes);
  return padded;
}

/** An argument: a word, or bytes of any length. */
export type Argument =
  | { readonly kind: "word"; readonly word: Uint8Array }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array };

/** The data of a call: the selector and its arguments, in Solidity's encoding. */
export function encodeCall(selector: Uint8Array, args: readonly Argument[]): Uint8Array {
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let offset = args.length * WORD;
  for (const argument of args) {
    if (argument.kind === "word") {
      heads.push(argument.word);
      continue;
    }
    const { bytes } = argument;
    const padded = new Uint8Array(Math.ceil(bytes.length / WORD) * WORD);
    padded.set(bytes);
    heads.push(word(BigInt(offset)));
    tails.push(word(BigInt(bytes.length)), padded);
    offset += WORD + padded.length;
  }
  return Buffer.concat([selector, ...heads, ...tails]);
}

/** A `bool` that a contract returns; `undefined` if it is malformed. */
export function decodeBoolean(bytes: Uint8Array): boolean | undefined {
  if (bytes.length !== WORD || bytes.subarray(0, WORD - 1).some((byte) => byte !== 0)) {
    return undefined;
  }
  const last = bytes[WORD - 1];
  return last === 0 || last === 1 ? last === 1 : undefined;
}
