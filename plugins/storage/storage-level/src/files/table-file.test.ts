import { encodeSnappy } from "@plinth/kit-snappy";
import { expect, it } from "vitest";
import { crc32c, maskCrc } from "./crc32c.js";
import { TableFile } from "./table-file.js";

const PLAIN = 0;
const SNAPPY = 1;

/** A block without entries: the offset of its one restart, and the number of restarts. */
const EMPTY = Buffer.from("0000000001000000", "hex");
const KEY = Buffer.from("key\x01\0\0\0\0\0\0\0", "latin1");

function varint(value: number): readonly number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
}

function entryBlock(key: Uint8Array, value: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.of(0, key.length, ...varint(value.length)), key, value, EMPTY]);
}

function withTrailer(content: Uint8Array, kind: number): Uint8Array {
  const checked = Buffer.concat([content, Buffer.of(kind)]);
  const crc = Buffer.alloc(4);
  crc.writeUInt32LE(maskCrc(crc32c(checked)));
  return Buffer.concat([checked, crc]);
}

/** A table of LevelDB with one block of entries, as stored. */
function openTable(content: Uint8Array): Promise<TableFile> {
  const data = withTrailer(content, SNAPPY);
  const meta = withTrailer(EMPTY, PLAIN);
  const indexed = entryBlock(KEY, Buffer.from([0, ...varint(content.length)]));
  const footer = Buffer.alloc(48);
  const handles = [data.length, EMPTY.length, data.length + meta.length, indexed.length];
  footer.set(handles.flatMap(varint));
  footer.writeBigUInt64LE(0xdb4775248b80fb57n, 40);
  const file = Buffer.concat([data, meta, withTrailer(indexed, PLAIN), footer]);
  return TableFile.open(async (at, length) => file.subarray(at, at + length), file.length);
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

it("reads a compressed block", async () => {
  const value = Buffer.from("value ".repeat(50));
  const table = await openTable(encodeSnappy(entryBlock(KEY, value)));

  expect(await collect(table.entries())).toEqual([
    { key: Buffer.from("key"), sequence: 0n, value },
  ]);
});

it.each([
  ["is not Snappy", "05 10 6865", "not valid Snappy: a literal ends after the input"],
  ["declares more than a block may have", "8180808004", "it declares 1073741825 bytes"],
])("reports a block that %s, although its CRC matches", async (_, hex, problem) => {
  const table = await openTable(Buffer.from(hex.replaceAll(" ", ""), "hex"));

  expect(await collect(table.check())).toEqual([
    { offset: 0, upTo: Buffer.from("key"), problem: expect.stringContaining(problem) },
  ]);
});
