/** Instructions that push nothing; all others push one item. */
const NOTHING = new Set([
  // STOP and the copies.
  0x00, 0x37, 0x39, 0x3c, 0x3e,
  // POP, the writes, jumps and JUMPDEST.
  0x50, 0x52, 0x53, 0x55, 0x56, 0x57, 0x5b, 0x5d, 0x5e,
  // Logs and instructions that end a frame.
  0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xf3, 0xfd, 0xfe, 0xff,
]);
const DUP_1 = 0x80;
const SWAP_1 = 0x90;
const LOG_0 = 0xa0;

/**
 * Number of stack items that an instruction has produced; SWAP and DUP produce all the items they
 * touch.
 */
export function itemsProducedBy(op: number): number {
  if (op >= DUP_1 && op < SWAP_1) return op - DUP_1 + 2;
  if (op >= SWAP_1 && op < LOG_0) return op - SWAP_1 + 2;
  return NOTHING.has(op) ? 0 : 1;
}
