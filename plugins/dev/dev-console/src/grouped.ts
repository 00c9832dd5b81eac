/** An integer with thousands separators: `10,000`. `Intl` formatters take 20 ms to load. */
export function grouped(value: bigint | number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}
