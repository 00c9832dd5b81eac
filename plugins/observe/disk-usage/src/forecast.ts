import type { Growth } from "./growth.js";

/** The data in the future, if it grows as before. */
export interface Forecast {
  readonly bytesIn30Days: number;
  readonly bytesIn365Days: number;
  /** Whole days until the disk is full; `undefined` if the data does not grow. */
  readonly daysLeft: number | undefined;
}

/** Extends the growth in a straight line. */
export function forecastSize(
  { bytesPerDay }: Pick<Growth, "bytesPerDay">,
  { bytes, freeBytes }: { readonly bytes: number; readonly freeBytes: number },
): Forecast {
  const after = (days: number) => Math.max(0, bytes + bytesPerDay * days);
  return {
    bytesIn30Days: after(30),
    bytesIn365Days: after(365),
    daysLeft: bytesPerDay > 0 ? Math.floor(freeBytes / bytesPerDay) : undefined,
  };
}
