const NUMBER = new Intl.NumberFormat("en-US");
const WEI_DIGITS = 18;

/** The number in a quantity such as `0x1f`, or in a JSON number. */
export function toBig(quantity: unknown): bigint {
  if (typeof quantity === "number" && Number.isSafeInteger(quantity)) return BigInt(quantity);
  if (typeof quantity === "bigint") return quantity;
  return typeof quantity === "string" && /^(0x[0-9a-f]+|\d+)$/i.test(quantity)
    ? BigInt(quantity)
    : 0n;
}

/** The same as a number. */
export function toNumber(quantity: unknown): number {
  return Number(toBig(quantity));
}

/** `0x1f`. */
export function toHex(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** With separators: `1,234,567`. */
export function formatNumber(value: bigint | number): string {
  return NUMBER.format(value);
}

/** An amount with decimals: `1,234.5`. */
export function formatUnits(value: bigint, decimals = WEI_DIGITS): string {
  const sign = value < 0n ? "-" : "";
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return `${sign}${formatNumber(BigInt(whole))}${fraction === "" ? "" : `.${fraction}`}`;
}

/** `1.5 ether`. */
export function formatEther(value: unknown): string {
  return `${formatUnits(toBig(value))} ether`;
}

/** `1.5 gwei`. */
export function formatGwei(value: unknown): string {
  return `${formatUnits(toBig(value), 9)} gwei`;
}

/** `3 s`, `2 min`, `5 h`, `4 d`. */
export function formatDuration(seconds: number): string {
  if (seconds < 0) return "0 s";
  if (seconds < 120) return `${Number(seconds.toFixed(seconds < 10 ? 1 : 0))} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${formatNumber(Math.floor(seconds / 86_400))} d`;
}

/** `2026-11-18 19:45:05 UTC`. */
export function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return `${seconds} s`;
  return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** `12 kB`. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = bytes < 1 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${units[power]}`;
}

/** `1 block`, `2 blocks`. */
export function count(number: number, noun: string): string {
  return `${formatNumber(number)} ${noun}${number === 1 ? "" : "s"}`;
}
