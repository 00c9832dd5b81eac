import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { loadCrypto, toHex } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { findKeyFile, openKeyFile, readKeyFile } from "./key-file.js";

const DIGITS = "8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63";
const ADDRESS = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const ORDER = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

describe("a key file", () => {
  it.each([
    ["as the node writes it", `0x${DIGITS}`],
    ["without 0x", DIGITS],
    ["in capitals", `0X${DIGITS.toUpperCase()}`],
    ["with a line end", `0x${DIGITS}\n`],
    ["with white space around it", ` \t0x${DIGITS}\r\n\n`],
  ])("is read %s", async (_, text) => {
    await using file = await createFile(text);

    expect(toHex(await readKeyFile(file.path))).toBe(`0x${DIGITS}`);
    expect((await openKeyFile(file.path)).address).toBe(ADDRESS);
    expect((await findKeyFile(file.path))?.address).toBe(ADDRESS);
    expect(await readFile(file.path, "utf8")).toBe(text);
  });

  it.each([
    ["nothing", ""],
    ["too few digits", DIGITS.slice(1)],
    ["too many digits", `${DIGITS}0`],
    ["a letter that is not a digit", DIGITS.replace("8", "g")],
    ["0x twice", `0x0x${DIGITS}`],
    ["white space within", `0x ${DIGITS}`],
    ["two lines", `${DIGITS}\n${DIGITS}`],
    ["zero", "0".repeat(64)],
    ["the order of the curve", ORDER],
    ["a number above the order", "f".repeat(64)],
  ])("is rejected if it contains %s, without repeating it", async (_, text) => {
    await using file = await createFile(text);

    for (const use of [readKeyFile, openKeyFile, findKeyFile]) {
      const error = await use(file.path).catch((error: unknown) => error);

      expect(error).toMatchObject({
        name: "ConfigError",
        code: "KEY_FILE_INVALID",
        message: expect.stringContaining(file.path),
      });
      expect(inspect(error, { depth: 10 })).not.toMatch(/[0-9a-f]{30}/i);
    }
    expect(await readFile(file.path, "utf8")).toBe(text);
  });

  it("is rejected if it is a folder", async () => {
    await using file = await createFile(undefined);
    await mkdir(file.path);

    for (const use of [readKeyFile, openKeyFile, findKeyFile]) {
      await expect(use(file.path)).rejects.toMatchObject({
        name: "ConfigError",
        code: "KEY_FILE_UNREADABLE",
        message: expect.stringContaining(file.path),
      });
    }
  });

  it("is rejected if it is a dangling link", async () => {
    await using file = await createFile(undefined);
    await symlink(join(file.folder, "nowhere"), file.path);

    await expect(openKeyFile(file.path)).rejects.toMatchObject({ code: "KEY_FILE_UNREADABLE" });
  });
});

describe("a missing key file", () => {
  it("is an error if it is only read", async () => {
    await using file = await createFile(undefined);

    await expect(readKeyFile(file.path)).rejects.toMatchObject({
      code: "KEY_FILE_UNREADABLE",
      message: expect.stringContaining("does not exist"),
    });
    expect(await readdir(file.folder)).toEqual([]);
  });

  it("is not created by a lookup", async () => {
    await using file = await createFile(undefined);

    expect(await findKeyFile(file.path)).toBeUndefined();
    expect(await readdir(file.folder)).toEqual([]);
  });

  it("is created on open, under the given name", async () => {
    await using file = await createFile(undefined);

    const key = await openKeyFile(file.path);

    expect(await readdir(file.folder)).toEqual(["validator.key"]);
    expect(await readFile(file.path, "utf8")).toMatch(/^0x[0-9a-f]{64}$/);
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    expect((await openKeyFile(file.path)).address).toBe(key.address);
  });

  it("is created with its parent folders", async () => {
    await using file = await createFile(undefined);
    const path = join(file.folder, "data", "node", "key");

    const key = await openKeyFile(path);

    expect((await findKeyFile(path))?.address).toBe(key.address);
  });

  it("gets another key every time", async () => {
    await using file = await createFile(undefined);

    const keys = [
      await openKeyFile(join(file.folder, "one")),
      await openKeyFile(join(file.folder, "two")),
    ];

    expect(new Set(keys.map(({ address }) => address)).size).toBe(2);
  });

  it("gets one key if many open it at once", async () => {
    await using file = await createFile(undefined);

    const keys = await Promise.all(Array.from({ length: 20 }, () => openKeyFile(file.path)));

    expect(new Set(keys.map(({ address }) => address)).size).toBe(1);
    expect((await findKeyFile(file.path))?.address).toBe(keys[0]?.address);
    expect(await readdir(file.folder)).toEqual(["validator.key"]);
  });

  it("cannot be created if its folder is a file", async () => {
    await using file = await createFile(`0x${DIGITS}`);

    await expect(openKeyFile(join(file.path, "key"))).rejects.toMatchObject({
      code: "KEY_FILE_UNREADABLE",
    });
  });
});

describe("a node key", () => {
  it("signs with its private key", async () => {
    await using file = await createFile(DIGITS);
    const key = await openKeyFile(file.path);
    const crypto = await loadCrypto();

    const signature = await key.sign(`0x${"ab".repeat(32)}`);

    expect(signature).toEqual(crypto.sign(Buffer.alloc(32, 0xab), Buffer.from(DIGITS, "hex")));
  });

  it("agrees on a secret with another key", async () => {
    await using file = await createFile(DIGITS);
    const ours = await openKeyFile(file.path);
    const theirs = await openKeyFile(join(file.folder, "theirs"));

    expect(await ours.agree(theirs.publicKey)).toEqual(await theirs.agree(ours.publicKey));
  });

  it.each(["0x", "0x12", "not hex", `0x${"ab".repeat(33)}`])(
    'rejects signing "%s"',
    async (hash) => {
      await using file = await createFile(DIGITS);
      const key = await openKeyFile(file.path);

      await expect(key.sign(hash as `0x${string}`)).rejects.toThrow();
    },
  );

  it("never shows its private key", async () => {
    await using file = await createFile(DIGITS);
    const key = await openKeyFile(file.path);
    const bytes = Buffer.from(DIGITS, "hex");

    const printed = [
      JSON.stringify(key),
      inspect(key, { depth: 10, showHidden: true, getters: true, maxArrayLength: null }),
      String(key),
      JSON.stringify({ ...key }),
    ].join();

    expect(printed).not.toContain(DIGITS);
    expect(printed).not.toContain(JSON.stringify(Object.fromEntries(bytes.entries())));
    expect(printed.replace(/\s+/g, "")).not.toContain([...bytes].join());
    expect(Reflect.ownKeys(key)).toEqual(["publicKey", "address"]);
  });
});

/** A temporary folder and the path of a file in it, written if there is a text. */
async function createFile(
  text: string | undefined,
): Promise<AsyncDisposable & { readonly folder: string; readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), "plinth-key-"));
  const path = join(folder, "validator.key");
  if (text !== undefined) await writeFile(path, text);
  return { folder, path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
