import { createHash } from "node:crypto";
import { open, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { scanMembers } from "@plinth/chain";
import { parseGenesis } from "@plinth/core/genesis";
import { createTempFolder } from "@plinth/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readGenesisFile } from "./genesis-file.js";
import { recordScan } from "./scanned-genesis.js";

const readGenesis = async (path: string) => parseGenesis((await readGenesisFile(path)).json, path);

describe("readGenesisFile", () => {
  it("reads a file", async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "genesis.json");
    await writeFile(path, '{ "config": { "chainId": 7 } }');

    expect(await readGenesis(path)).toMatchObject({ chainId: 7n, origin: path });
  });

  it.each([
    ["that does not exist", undefined, "ENOENT"],
    ["that is not JSON", "{", "not JSON"],
    ["that is empty", "", "not JSON"],
    ["that is a list", "[]", "expected a JSON object"],
    [
      "without config and the fields of block 0",
      "{}",
      "neither `config` nor `difficulty` is present",
    ],
  ])("rejects a file %s, naming it", async (_, content, detail) => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "genesis.json");
    if (content !== undefined) await writeFile(path, content);

    await expect(readGenesis(path)).rejects.toMatchObject({
      code: "GENESIS_INVALID",
      message: expect.stringMatching(/^Unable to load genesis file\. .*genesis\.json: /),
    });
    await expect(readGenesis(path)).rejects.toThrowError(detail);
  });
});

describe("a large genesis file", () => {
  it("is read without its accounts, which stay in the file", async () => {
    await using folder = await createTempFolder();
    const alloc = '{ "01": { "balance": "1" }, "02": {} }';
    const text = `{ "config": { "chainId": 7 },\n"alloc": ${alloc}, "gasLimit": "0x1" }\n`;
    const { json, alloc: place, path } = await readLarge(folder.path, text);

    expect(json).toEqual({ config: { chainId: 7 }, gasLimit: "0x1" });
    expect(place).toMatchObject({
      path,
      offset: text.indexOf(alloc),
      length: alloc.length,
      sha256: createHash("sha256").update(text).digest("hex"),
    });
    expect((await readGenesisFile(path)).json).toEqual(JSON.parse(text));
  });

  it.each([
    ["in another case", '{"ALLOC":{"1":{}}}', '{"1":{}}'],
    ["the last of two names", '{"alloc":{"1":{}},"Alloc":{"2":{}}}', '{"2":{}}'],
    ["the last of one name", '{"alloc":{"1":{}},"alloc":{"2":{}}}', '{"2":{}}'],
    ["by the place of the first", '{"alloc":{},"Alloc":{"2":{}},"alloc":{"3":{}}}', '{"2":{}}'],
    ["none if the last is null", '{"alloc":{"1":{}},"Alloc":null}', undefined],
    ["none if there is none", '{"config":{}}', undefined],
  ])("has the accounts that an object would have: %s", async (_, text, expected) => {
    await using folder = await createTempFolder();
    const { alloc } = await readLarge(folder.path, text);

    const { offset = 0, length = 0 } = alloc ?? {};
    expect(alloc && text.slice(offset, offset + length)).toBe(expected);
  });

  it.each([
    ["a list of accounts", '{"alloc":[1]}', { alloc: [1] }],
    ["text instead of accounts", '{"Alloc":"many"}', { Alloc: "many" }],
  ])("keeps %s for the message about it", async (_, text, expected) => {
    await using folder = await createTempFolder();

    expect(await readLarge(folder.path, text)).toMatchObject({ json: expected, alloc: undefined });
  });

  it.each([
    ["[]", "expected an object at byte 0"],
    ['{"config":{}', "unexpected end at byte 12"],
    ['{"config":{}}x', "expected the end of the file at byte 13"],
    ['{"config" {}}', 'expected ":" at byte 10'],
    ['{"config":{} "alloc":{}}', 'expected "," or "}" at byte 13'],
    ['{"config":{},}', "expected a name in double quotes at byte 13"],
    ["{config:{}}", 'expected a name in double quotes or "}" at byte 1'],
    ['{"config":}', "expected a value at byte 10"],
    ['{"config":{"chainId":x}}', "not JSON: "],
    ['{"alloc":{"1":{}', "unexpected end at byte 16"],
  ])("that is not JSON is rejected: %s", async (text, detail) => {
    await using folder = await createTempFolder();

    await expect(readLarge(folder.path, text)).rejects.toMatchObject({
      code: "GENESIS_INVALID",
      message: expect.stringMatching(/^Unable to load genesis file\. .*genesis\.json: not JSON: /),
    });
    await expect(readLarge(folder.path, text)).rejects.toThrow(detail);
  });
});

describe("a record of a large genesis file", () => {
  const text = `{ "config": { "chainId": 7 }, "alloc": { "01": { "balance": "1" } } }`;

  it("is used as long as the file has not changed", async () => {
    await using folder = await createTempFolder();
    const { scan, path, ...before } = await readLarge(folder.path, text);
    if (scan === undefined) throw new Error("the file is not large");
    await recordScan(folder.path, { ...scan, json: { config: { chainId: 8 } } });
    const read = async () => {
      const { json, alloc } = await readGenesisFile(path, { maxBytes: 0, dataPath: folder.path });
      return { json, alloc };
    };

    expect(await read()).toEqual({ ...before, json: { config: { chainId: 8 } } });
    await writeFile(path, text.replace("7", "9"));
    expect(await read()).toMatchObject({ json: { config: { chainId: 9 } } });
  });

  it("is not made of a file that was changed just now", async () => {
    await using folder = await createTempFolder();
    const { scan, path } = await readLarge(folder.path, text);
    await writeFile(path, text);

    expect(scan).toBeDefined();
    expect(await readGenesisFile(path, { maxBytes: 0 })).not.toHaveProperty("scan");
  });

  it("is ignored if it is damaged", async () => {
    await using folder = await createTempFolder();
    const { scan, path, json } = await readLarge(folder.path, text);
    if (scan === undefined) throw new Error("the file is not large");
    await recordScan(folder.path, scan);
    await writeFile(join(folder.path, "genesis-file.json"), "{");

    expect(await readGenesisFile(path, { maxBytes: 0, dataPath: folder.path })).toMatchObject({
      json,
    });
  });
});

describe("scanMembers", () => {
  it("finds the members that JSON.parse finds, wherever a read ends", async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "a.json");
    const spaces = fc.constantFrom(undefined, 1, "\t");
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), spaces, async (json, indent) => {
        const text = JSON.stringify(json, undefined, indent);
        await writeFile(path, text);
        for (const bytesPerRead of [1, 7, 1000]) {
          expect(await scan(path, bytesPerRead)).toEqual(Object.entries(JSON.parse(text)));
        }
      }),
      { numRuns: 15 },
    );
  });
});

/** Reads in pieces of this size, keeping every second value. */
async function scan(path: string, bytesPerRead: number) {
  await using file = await open(path);
  const whole = await readFile(path);
  const found: unknown[] = [];
  const read = (buffer: Buffer, at: { readonly length: number; readonly position: number }) =>
    file.read(buffer, { ...at, length: Math.min(at.length, bytesPerRead) });
  await scanMembers({ read } as never, {
    offset: 0,
    end: whole.length,
    skips: (_, first) => found.length % 2 === 0 && (first === 0x7b || first === 0x5b),
    found({ key, offset, length, text }) {
      const raw = whole.subarray(offset, offset + length).toString();
      if (text !== undefined) expect(text).toBe(raw);
      found.push([key, JSON.parse(raw)]);
    },
  });
  return found;
}

async function readLarge(folder: string, text: string) {
  const path = join(folder, "genesis.json");
  await writeFile(path, text);
  await utimes(path, 1_700_000_000, 1_700_000_000);
  return { path, ...(await readGenesisFile(path, { maxBytes: 0 })) };
}
