/** A piece of memory. */
export interface Region {
  readonly offset: bigint;
  readonly size: bigint;
}

/** Memory operands of instructions: stack positions of offset and size, counted from the top. */
const PLACES: Readonly<Record<number, readonly [offset: number, size: number]>> = {
  // CALLDATACOPY, CODECOPY, EXTCODECOPY and RETURNDATACOPY.
  55: [1, 3],
  57: [1, 3],
  60: [2, 4],
  62: [1, 3],
  // Output of CALL, CALLCODE, DELEGATECALL and STATICCALL.
  241: [6, 7],
  242: [6, 7],
  244: [5, 6],
  250: [5, 6],
};

/** MLOAD, MSTORE and MSTORE8. */
const SIZES: Readonly<Record<number, bigint>> = { 81: 32n, 82: 32n, 83: 1n };

/** The memory that an instruction accesses, as far as traces show it. */
export function regionOf(op: number, stack: readonly bigint[]): Region | undefined {
  const size = SIZES[op];
  if (size !== undefined) return { offset: stack.at(-1) ?? 0n, size };
  const place = PLACES[op];
  if (place === undefined) return undefined;
  const region = { offset: stack.at(-place[0]) ?? 0n, size: stack.at(-place[1]) ?? 0n };
  return region.size === 0n ? undefined : region;
}
