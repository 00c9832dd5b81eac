const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A number of bytes with a unit and about three digits: `312 B`, `1.24 GiB`. */
export function formatBytes(bytes: number): string {
  const size = Math.abs(bytes);
  const power = size < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(size) / 10));
  const value = bytes / 1024 ** power;
  const decimals = power === 0 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(decimals)} ${UNITS[power]}`;
}
