import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin, type Option, option } from "@plinth/core";
import enclave from "@plinth/plugin-enclave";
import enclaveTessera from "@plinth/plugin-enclave-tessera";
import privacy from "@plinth/plugin-privacy";
import { createTestNode, DEV_GENESIS } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const KEY = "A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo=";
const FREE_GENESIS = { ...DEV_GENESIS, config: { ...DEV_GENESIS.config, zeroBaseFee: true } };

let folder: string;
const file = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-privacy-"));
  await writeFile(file("key.pub"), `${KEY}\n`);
  await writeFile(file("no.pub"), "not base64!");
  await writeFile(file("marker"), "0x12");
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts a node with these options, and others that other plugins would declare. */
function start(options: Readonly<Record<string, unknown>>, genesis: object = FREE_GENESIS) {
  const names = ["syncMode"];
  const declared: Record<string, Option<string | undefined>> = {};
  for (const name of names) declared[name] = option.text({ summary: "Of another plugin." });
  const others = definePlugin({ name: "others", options: declared, setup() {} });
  return createTestNode({
    plugins: [enclave, enclaveTessera, privacy, others],
    genesis,
    options: { privacyEnabled: true, ...options },
  });
}

describe("the options of private transactions", () => {
  it("start a node with a key file that ends with a new line", async () => {
    await using node = await start({ privacyPublicKeyFile: file("key.pub") });

    expect(node.node.blocks.head().number).toBe(0n);
  });

  it("start a node with the flat layout of states", async () => {
    const options = { privacyPublicKeyFile: file("key.pub"), dataStorageFormat: "BONSAI" };
    await using node = await start(options);

    expect(node.node.blocks.head().number).toBe(0n);
  });

  it.each<[string, () => Readonly<Record<string, unknown>>, string]>([
    ["no key", () => ({}), "Please specify Enclave public key file path to enable privacy"],
    [
      "a key and tenants",
      () => ({ privacyPublicKeyFile: file("key.pub"), privacyMultiTenancyEnabled: true }),
      "Privacy multi-tenancy and privacy public key cannot be used together",
    ],
    [
      "tenants without tokens",
      () => ({ privacyMultiTenancyEnabled: true }),
      "Privacy multi-tenancy requires either http authentication to be enabled or WebSocket authentication to be enabled",
    ],
    [
      "fast sync",
      () => ({ privacyPublicKeyFile: file("key.pub"), syncMode: "FAST" }),
      "Fast sync cannot be enabled with privacy.",
    ],
    [
      "Bonsai in mode besu",
      () => ({
        privacyPublicKeyFile: file("key.pub"),
        dataStorageFormat: "BONSAI",
        rpcCompatibility: "besu",
      }),
      "Bonsai cannot be enabled with privacy.",
    ],
    [
      "less than all history",
      () => ({
        privacyPublicKeyFile: file("key.pub"),
        dataStorageFormat: "BONSAI",
        history: "1000",
      }),
      "--history=1000 cannot be used with privacy: private transactions read old public states; use --history=all",
    ],
    [
      "fewer blocks",
      () => ({ privacyPublicKeyFile: file("key.pub"), blocksRetained: "2000" }),
      "--blocks-retained=2000 cannot be used with privacy: private transactions are found in old blocks; use --blocks-retained=all",
    ],
    [
      "fewer blocks by Besu's option",
      () => ({ privacyPublicKeyFile: file("key.pub"), XchainPruningEnabled: true }),
      "--Xchain-pruning-enabled cannot be used with privacy: private transactions need old blocks and states",
    ],
    [
      "a missing key file",
      () => ({ privacyPublicKeyFile: file("none") }),
      "Problem with privacy-public-key-file: ",
    ],
    [
      "a key that is not base64",
      () => ({ privacyPublicKeyFile: file("no.pub") }),
      "Contents of privacy-public-key-file invalid: ",
    ],
    [
      "an invalid marker key",
      () => ({
        privacyPublicKeyFile: file("key.pub"),
        privacyMarkerTransactionSigningKeyFile: file("marker"),
      }),
      "Contents of privacy-marker-transaction-signing-key-file invalid: ",
    ],
  ])("refuse %s", async (_, options, message) => {
    await expect(start(options())).rejects.toThrow(message);
  });

  it("reject random marker keys if gas is not free", async () => {
    const options = { privacyPublicKeyFile: file("key.pub"), minGasPrice: 1000n };

    await expect(start(options)).rejects.toThrow("Not a free gas network.");
  });

  it("reject unknown rules of the genesis file", async () => {
    const config = { ...FREE_GENESIS.config, privacy: { nestedFailures: "other" } };
    const started = start({ privacyPublicKeyFile: file("key.pub") }, { ...FREE_GENESIS, config });

    await expect(started).rejects.toThrow('expected "ordinary" or nothing');
  });
});
