const POLYNOMIAL = 0x82f63b78;
const MASK_DELTA = 0xa282ead8;
const SLICES = 8;

const tables = createTables();

/** The CRC-32C of some bytes, optionally continuing an earlier one. */
export function crc32c(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  let at = 0;
  // Eight bytes at a time; the loop is unrolled because a full check spends its time in it.
  for (const end = bytes.length - (SLICES - 1); at < end; at += SLICES) {
    crc ^= byte(bytes, at) | (byte(bytes, at + 1) << 8);
    crc ^= (byte(bytes, at + 2) << 16) | (byte(bytes, at + 3) << 24);
    crc =
      entry(1792 + (crc & 255)) ^
      entry(1536 + ((crc >>> 8) & 255)) ^
      entry(1280 + ((crc >>> 16) & 255)) ^
      entry(1024 + (crc >>> 24)) ^
      entry(768 + byte(bytes, at + 4)) ^
      entry(512 + byte(bytes, at + 5)) ^
      entry(256 + byte(bytes, at + 6)) ^
      entry(byte(bytes, at + 7));
  }
  for (; at < bytes.length; at++) crc = entry((crc ^ byte(bytes, at)) & 255) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/**
 * A masked CRC as in LevelDB: rotated and offset, so that CRCs of data with embedded CRCs stay
 * good.
 */
export function maskCrc(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] as number;
}

function entry(at: number): number {
  return tables[at] as number;
}

function createTables(): Uint32Array {
  const all = new Uint32Array(256 * SLICES);
  for (let value = 0; value < 256; value++) {
    let crc = value;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    all[value] = crc;
  }
  for (let at = 256; at < all.length; at++) {
    const crc = all[at - 256] as number;
    all[at] = (crc >>> 8) ^ (all[crc & 255] as number);
  }
  return all;
}
