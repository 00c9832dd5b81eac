import { type PluginTable, t, type ValueOf } from "@plinth/core";
import type { Table } from "@plinth/core/storage";

/** The name of the table of samples in the database. */
export const SAMPLES_TABLE = "disk-usage.samples";

/** Eight days of one sample an hour. */
export const MAX_SAMPLES = 192;

const sample = t.object({
  number: t.integer(),
  timestamp: t.integer(),
  bytes: t.integer(),
  transactions: t.optional(t.integer()),
});

/** The size of the data at a block. */
export type Sample = ValueOf<typeof sample> & {
  /** When it was taken, in seconds since 1970. */
  readonly time: number;
};

/** All samples, the oldest first. */
export async function readSamples(table: Pick<Table, "iterate">): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for await (const [key, value] of table.iterate()) {
    const json: unknown = JSON.parse(Buffer.from(value).toString("utf8"));
    samples.push({ time: decodeTime(key), ...sample.decode(json, SAMPLES_TABLE) });
  }
  return samples;
}

/** Adds a sample; removes the oldest ones above the maximum, and those of a clock that was ahead. */
export async function addSample(
  table: Pick<PluginTable, "iterate" | "write">,
  { time, ...rest }: Sample,
): Promise<void> {
  const times = (await readSamples(table)).map((each) => each.time);
  const kept = times.filter((other) => other < time).slice(1 - MAX_SAMPLES);
  const removed = times.filter((other) => !kept.includes(other));
  const value = Buffer.from(JSON.stringify(sample.encode(rest)));
  await table.write([
    ...removed.map((other) => [encodeTime(other), undefined] as const),
    [encodeTime(time), value],
  ]);
}

function encodeTime(time: number): Uint8Array {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(BigInt(time));
  return key;
}

function decodeTime(key: Uint8Array): number {
  return Number(Buffer.from(key).readBigUInt64BE());
}
