const NAMES: Readonly<Record<string, number>> = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  DIV: 0x04,
  SDIV: 0x05,
  MOD: 0x06,
  SMOD: 0x07,
  ADDMOD: 0x08,
  MULMOD: 0x09,
  EXP: 0x0a,
  SIGNEXTEND: 0x0b,
  LT: 0x10,
  GT: 0x11,
  SLT: 0x12,
  SGT: 0x13,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  OR: 0x17,
  XOR: 0x18,
  NOT: 0x19,
  BYTE: 0x1a,
  SHL: 0x1b,
  SHR: 0x1c,
  SAR: 0x1d,
  CLZ: 0x1e,
  KECCAK256: 0x20,
  ADDRESS: 0x30,
  BALANCE: 0x31,
  ORIGIN: 0x32,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  CODESIZE: 0x38,
  CODECOPY: 0x39,
  GASPRICE: 0x3a,
  EXTCODESIZE: 0x3b,
  EXTCODECOPY: 0x3c,
  RETURNDATASIZE: 0x3d,
  RETURNDATACOPY: 0x3e,
  EXTCODEHASH: 0x3f,
  BLOCKHASH: 0x40,
  COINBASE: 0x41,
  TIMESTAMP: 0x42,
  NUMBER: 0x43,
  CHAINID: 0x46,
  SELFBALANCE: 0x47,
  BLOBHASH: 0x49,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  MSTORE8: 0x53,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  PC: 0x58,
  MSIZE: 0x59,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  TLOAD: 0x5c,
  TSTORE: 0x5d,
  MCOPY: 0x5e,
  PUSH0: 0x5f,
  DUP1: 0x80,
  DUP2: 0x81,
  DUP3: 0x82,
  SWAP1: 0x90,
  SWAP2: 0x91,
  LOG0: 0xa0,
  LOG1: 0xa1,
  LOG4: 0xa4,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
};

/**
 * Code from words: names of instructions, numbers that are pushed with as few bytes as they need,
 * `name:` for a JUMPDEST, `@name` for a push of its position, and `#hex` for raw bytes.
 */
export function assemble(text: string): Uint8Array {
  const bytes: number[] = [];
  const labels = new Map<string, number>();
  const references: { readonly at: number; readonly name: string }[] = [];
  for (const word of text.split(/\s+/).filter((word) => word !== "")) {
    if (word.endsWith(":")) {
      labels.set(word.slice(0, -1), bytes.length);
      bytes.push(0x5b);
    } else if (word.startsWith("@")) {
      references.push({ at: bytes.length + 1, name: word.slice(1) });
      bytes.push(0x61, 0, 0);
    } else if (word.startsWith("#")) {
      bytes.push(...Buffer.from(word.slice(1), "hex"));
    } else if (/^\d/.test(word)) {
      bytes.push(...push(BigInt(word)));
    } else {
      const op = NAMES[word];
      if (op === undefined) throw new Error(`there is no instruction ${word}`);
      bytes.push(op);
    }
  }
  for (const { at, name } of references) {
    const position = labels.get(name);
    if (position === undefined) throw new Error(`there is no label ${name}`);
    bytes[at] = position >> 8;
    bytes[at + 1] = position & 255;
  }
  return Uint8Array.from(bytes);
}

function push(value: bigint): number[] {
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
  return [0x5f + bytes.length, ...bytes];
}
