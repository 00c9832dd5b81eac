import { type CommandIo, definePlugin, toHex } from "@plinth/core";
import { extraDataCodecs } from "@plinth/core/consensus";
import { silentLogs } from "@plinth/core/kernel";
import { createNode, runCommand } from "@plinth/node";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import cmdRlp from "./index.js";

const FIRST = "be068f726a13c8d46c44be6ce9d275600e1735a4";
const SECOND = "5ff6f4b66a46a2b2310a6f3a93aaddc0d9a1c193";
const BOTH = `["${FIRST}","${SECOND}"]`;
const BOTH_IBFT =
  "0xf853a00000000000000000000000000000000000000000000000000000000000000000ea94be068f726a13c8d46c44be6ce9d275600e1735a4945ff6f4b66a46a2b2310a6f3a93aaddc0d9a1c193808400000000c0";
const BOTH_QBFT =
  "0xf84fa00000000000000000000000000000000000000000000000000000000000000000ea94be068f726a13c8d46c44be6ce9d275600e1735a4945ff6f4b66a46a2b2310a6f3a93aaddc0d9a1c193c080c0";
const NONE_IBFT =
  "0xe9a00000000000000000000000000000000000000000000000000000000000000000c0808400000000c0";
const NONE_QBFT = "0xe5a00000000000000000000000000000000000000000000000000000000000000000c0c080c0";

describe("rlp encode", () => {
  it.each([
    ["IBFT_EXTRA_DATA", BOTH, BOTH_IBFT],
    ["QBFT_EXTRA_DATA", BOTH, BOTH_QBFT],
    ["IBFT_EXTRA_DATA", "[]", NONE_IBFT],
    ["QBFT_EXTRA_DATA", "[]", NONE_QBFT],
    ["qbft_extra_data", "[]", NONE_QBFT],
    [undefined, "[]", NONE_IBFT],
  ])("with the type %s encodes %s as extra data", async (type, stdin, hex) => {
    const { stdout } = await run("rlp encode", { type }, { stdin });

    expect(stdout).toBe(`${hex}\n`);
  });

  it.each([
    ["a prefix", `["0x${FIRST}","0X${SECOND}"]`],
    ["capitals", BOTH.toUpperCase()],
    ["white space between everything", ` [ "${FIRST}" ,\r\n\t"${SECOND}" ]\n`],
    ["white space within everything", `["${FIRST.slice(0, 9)} \n ${FIRST.slice(9)}","${SECOND}"]`],
  ])("accepts standard input with %s", async (_, stdin) => {
    const { stdout } = await run("rlp encode", {}, { stdin });

    expect(stdout).toBe(`${BOTH_IBFT}\n`);
  });

  it.each([
    ["on one line", BOTH],
    ["on several", `[\n  "${FIRST}",\n  "${SECOND}"\n]\n`],
    ["with arbitrary line breaks", `["${FIRST.slice(0, 9)}\r\n${FIRST.slice(9)}",\n"${SECOND}"]`],
  ])("accepts a file %s", async (_, text) => {
    const { stdout } = await run("rlp encode", { from: "in" }, { files: { in: text } });

    expect(stdout).toBe(`${BOTH_IBFT}\n`);
  });

  it.each([
    ["is short", '["0x1ff"]', '"0x1ff" is not an address; expected 40 hex digits'],
    ["is listed twice", `["${FIRST}","0x${FIRST.toUpperCase()}"]`, "listed more than once"],
  ])("rejects an address that %s", async (_, stdin, message) => {
    await expect(run("rlp encode", {}, { stdin })).rejects.toThrow(message);
  });

  it("overwrites a file, without a line break", async () => {
    const { stdout, files } = await run(
      "rlp encode",
      { to: "out" },
      { stdin: "[]", files: { out: "what was there before, which was longer than this" } },
    );

    expect(files.get("out")).toBe(NONE_IBFT);
    expect(stdout).toBe("");
  });

  it.each([
    ["a missing file", { from: "nowhere" }, "", "Unable to read JSON file.", "PlinthError"],
    ["nothing", {}, "", "An error occurred while trying to read the JSON data.", "ConfigError"],
    ["blanks", {}, " \n", "An error occurred while trying to read the JSON data.", "ConfigError"],
    ["an object", {}, '{"a":1}', "Unable to map the JSON data with selected type.", "ConfigError"],
    ["a list of numbers", {}, "[1]", "Unable to map the JSON data with selected", "ConfigError"],
    ["a text", {}, `"${FIRST}"`, "Unable to map the JSON data with selected type.", "ConfigError"],
    ["null", {}, "null", "Unable to map the JSON data with selected type.", "ConfigError"],
    ["no JSON", {}, `[${FIRST}]`, "Unable to load the JSON data.", "ConfigError"],
    ["half a list", {}, `["${FIRST}"`, "Unable to load the JSON data.", "ConfigError"],
    [
      "a file it cannot write",
      { to: "locked" },
      "[]",
      "An error occurred while trying to write the RLP string.",
      "ConfigError",
    ],
    [
      "an unknown type",
      { type: "CLIQUE" },
      "[]",
      "Invalid value for option '--type': expected one of [IBFT_EXTRA_DATA, QBFT_EXTRA_DATA] (case-insensitive) but was 'CLIQUE'",
      "ConfigError",
    ],
  ])("fails on %s", async (_, flags, stdin, message, name) => {
    const failure = await run("rlp encode", flags, { stdin }).catch((error: unknown) => error);

    expect(failure).toMatchObject({ name, message: expect.stringMatching(startOf(message)) });
  });

  it.each([
    ["too long", `["${FIRST}00"]`],
    ["no hex", '["not an address"]'],
    ["empty", '[""]'],
    ["a prefix alone", '["0x"]'],
  ])("fails on an address that is %s, as an input error", async (_, stdin) => {
    await expect(run("rlp encode", {}, { stdin })).rejects.toMatchObject({
      name: "PlinthError",
      code: "INPUT_INVALID",
    });
  });
});

describe("rlp decode", () => {
  const list = `[0x${FIRST}, 0x${SECOND}]`;

  it.each([
    ["IBFT_EXTRA_DATA", BOTH_IBFT, list],
    ["QBFT_EXTRA_DATA", BOTH_QBFT, list],
    ["IBFT_EXTRA_DATA", NONE_IBFT, "[]"],
    ["QBFT_EXTRA_DATA", NONE_QBFT, "[]"],
    [undefined, BOTH_IBFT, list],
  ])("with the type %s lists the validators of %s", async (type, stdin, text) => {
    const { stdout } = await run("rlp decode", { type }, { stdin });

    expect(stdout).toBe(`${text}\n`);
  });

  it.each([
    ["without a prefix", BOTH_IBFT.slice(2)],
    ["in capitals", BOTH_IBFT.slice(2).toUpperCase()],
    ["with a line end", `${BOTH_IBFT}\r\n`],
    ["with ignored lines after it", `${BOTH_IBFT}\nanything\n`],
  ])("accepts hex %s", async (_, text) => {
    const { stdout } = await run("rlp decode", { from: "in" }, { files: { in: text } });

    expect(stdout).toBe(`${list}\n`);
  });

  it("overwrites a file, without a line break", async () => {
    const { stdout, files } = await run("rlp decode", { to: "out" }, { stdin: BOTH_IBFT });

    expect(files.get("out")).toBe(list);
    expect(stdout).toBe("");
  });

  it.each([
    ["a missing file", { from: "nowhere" }, "", "Unable to read input file.", "PlinthError"],
    ["empty standard input", {}, "", "Unable to read input data.", "ConfigError"],
    [
      "an empty file",
      { from: "empty" },
      "",
      "An error occurred while trying to read the input data.",
      "ConfigError",
    ],
    [
      "a file it cannot write",
      { to: "locked" },
      NONE_IBFT,
      "An error occurred while trying to write the validator list.",
      "ConfigError",
    ],
    [
      "an unknown type",
      { type: "CLIQUE" },
      NONE_IBFT,
      "Invalid value for option '--type'",
      "ConfigError",
    ],
    ["anything but hex", {}, "validators", "", "PlinthError"],
    ["an odd number of digits", {}, `${NONE_IBFT}0`, "", "PlinthError"],
    ["bytes after the end", {}, `${NONE_IBFT}00`, "", "PlinthError"],
    ["RLP of another structure", {}, "0xc0", "", "PlinthError"],
  ])("fails on %s", async (_, flags, stdin, message, name) => {
    const files = { empty: "" };

    const failure = await run("rlp decode", flags, { stdin, files }).catch(
      (error: unknown) => error,
    );

    expect(failure).toMatchObject({ name, message: expect.stringMatching(startOf(message)) });
  });

  it("restores every encoded list", async () => {
    const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex);
    const type = fc.constantFrom("IBFT_EXTRA_DATA", "QBFT_EXTRA_DATA");

    await fc.assert(
      fc.asyncProperty(fc.array(address, { maxLength: 30 }), type, async (validators, type) => {
        const stdin = JSON.stringify(validators);
        const encoded = await run("rlp encode", { type }, { stdin });
        const decoded = await run("rlp decode", { type }, { stdin: encoded.stdout });

        expect(decoded.stdout).toBe(`[${validators.join(", ")}]\n`);
      }),
    );
  });
});

/** The codecs of the engines. */
const codecs = definePlugin({
  name: "codecs",
  setup(node) {
    node.contribute(extraDataCodecs, ibftExtraData);
    node.contribute(extraDataCodecs, qbftExtraData);
  },
});

/** Runs a command over in-memory files, of which "locked" is not writable. */
async function run(
  id: string,
  flags: Readonly<Record<string, string | undefined>>,
  given: { readonly stdin?: string; readonly files?: Readonly<Record<string, string>> },
) {
  const node = await createNode({ plugins: [cmdRlp, codecs] });
  const command = node.commands().find(({ item }) => item.id === id)?.item;
  if (command === undefined) throw new Error(`there is no command ${id}`);
  const defaults = Object.entries(command.flags).map(([key, option]) => [key, option.default]);
  const set = Object.entries(flags).filter(([, value]) => value !== undefined);
  const files = new Map(Object.entries(given.files ?? {}));
  let stdout = "";
  const io: CommandIo = {
    warn() {},
    async read(path) {
      const text = path === undefined ? (given.stdin ?? "") : files.get(path);
      if (text === undefined) throw new Error("ENOENT: no such file");
      return text;
    },
    async write(text, path) {
      if (path === "locked") throw new Error("EACCES: permission denied");
      if (path === undefined) stdout += `${text}\n`;
      else files.set(path, text);
    },
  };
  await runCommand(node, command, {
    flags: Object.fromEntries([...defaults, ...set]),
    args: [],
    io,
    log: silentLogs.for("test"),
  });
  return { stdout, files };
}

/** Matches texts with this prefix. */
function startOf(message: string): RegExp {
  return new RegExp(`^${message.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`);
}
