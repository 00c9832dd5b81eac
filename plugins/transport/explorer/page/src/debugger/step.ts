/** One instruction, with the stack before it. */
export interface Step {
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
  /** Words in hex, without `0x`; the top is last. */
  readonly stack: readonly string[];
  readonly error: string | undefined;
}
