/** A number as callers know it: `0x` and hex digits without leading zeros. */
export function toQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}
