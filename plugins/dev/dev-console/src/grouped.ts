/** A whole number with commas: `10,000`. The formatters of the language take 20 ms to load. */
export function grouped(value: bigint | number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}
