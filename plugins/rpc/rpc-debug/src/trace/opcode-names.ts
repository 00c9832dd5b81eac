/** The names of the instructions by their bytes; those that are not here are invalid. */
const NAMES: Readonly<Record<number, string>> = {
  ...from(0x00, "STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND"),
  ...from(0x10, "LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ"),
  ...from(0x20, "KECCAK256"),
  ...from(0x30, "ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY"),
  ...from(0x38, "CODESIZE CODECOPY GASPRICE EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY"),
  ...from(0x3f, "EXTCODEHASH BLOCKHASH COINBASE TIMESTAMP NUMBER DIFFICULTY GASLIMIT CHAINID"),
  ...from(0x47, "SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE"),
  ...from(0x50, "POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST"),
  ...from(0x5c, "TLOAD TSTORE MCOPY PUSH0"),
  ...numbered(0x60, 32, "PUSH"),
  ...numbered(0x80, 16, "DUP"),
  ...numbered(0x90, 16, "SWAP"),
  ...from(0xa0, "LOG0 LOG1 LOG2 LOG3 LOG4"),
  ...from(0xf0, "CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2"),
  ...from(0xfa, "STATICCALL"),
  ...from(0xfd, "REVERT INVALID SELFDESTRUCT"),
};
const DIFFICULTY = 0x44;

/** What an instruction is called; one of them changed its name with the merge. */
export function opcodeName(op: number, { isMerged }: { readonly isMerged: boolean }): string {
  if (op === DIFFICULTY && isMerged) return "PREVRANDAO";
  return NAMES[op] ?? "INVALID";
}

function from(first: number, names: string): Record<number, string> {
  return Object.fromEntries(names.split(" ").map((name, index) => [first + index, name]));
}

function numbered(first: number, count: number, name: string): Record<number, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [first + index, `${name}${index + 1}`]),
  );
}
