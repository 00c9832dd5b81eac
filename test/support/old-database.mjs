// A database of format 1: writes one (`write`), converts it by opening it (`convert`), and reads every value (`verify`).
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { definePlugin } from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import storageLevel from "@plinth/plugin-storage-level";
import { createTestNode } from "@plinth/testing";
import { ClassicLevel } from "classic-level";

const [what, dataPath, words] = process.argv.slice(2);
const count = Number(words);
const VALUE_BYTES = 512;

await { write, convert, verify }[what]();

async function write() {
  mkdirSync(dataPath, { recursive: true });
  const level = new ClassicLevel(join(dataPath, "database"), {
    keyEncoding: "view",
    valueEncoding: "view",
  });
  await level.open();
  for (let first = 0; first < count; first += 1000) {
    const batch = level.batch();
    for (let n = first; n < first + 1000; n++) {
      batch.put(Buffer.concat([Buffer.from("old.values\0"), keyOf(n)]), contentOf(n));
    }
    await batch.write();
  }
  await level.close();
}

async function convert() {
  const log = { ...silentLogs.for(""), info: (line) => process.stdout.write(`${line}\n`) };
  const node = await open(() => {}, { ...silentLogs, for: () => log });
  await node.stop();
}

async function verify() {
  let table;
  const node = await open(({ storage }) => {
    table = storage.table("values");
  });
  let whole = 0;
  for await (const [key, value] of table.iterate()) {
    if (contentOf(Buffer.from(key).readUInt32BE()).equals(value)) whole += 1;
  }
  await node.stop();
  process.stdout.write(String(whole));
}

function open(setup, logs = silentLogs) {
  const plugins = [storageLevel, definePlugin({ name: "old", setup })];
  return createTestNode({ plugins, options: { keyValueStorage: "leveldb", dataPath }, logs });
}

function keyOf(n) {
  const key = Buffer.alloc(4);
  key.writeUInt32BE(n);
  return key;
}

function contentOf(n) {
  const seed = createHash("sha256").update(String(n)).digest();
  return Buffer.alloc(VALUE_BYTES, seed);
}
