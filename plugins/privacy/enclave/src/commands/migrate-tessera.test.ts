import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestNode } from "@plinth/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import enclavePlugin from "../index.js";
import { readSettings } from "../open/read-settings.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-tessera-"));
});
afterEach(() => rm(folder, { recursive: true }));

const KEY = '{"data":{"bytes":"hBsuQsGJzx4QHmFmBkNoI7YGnTmaZP4P+wBOdu56ljk="},"type":"unlocked"}';
const TESSERA = {
  mode: "orion",
  useWhiteList: false,
  jdbc: { url: "jdbc:h2:/opt/db" },
  serverConfigs: [
    { app: "ThirdParty", serverAddress: "http://127.0.0.1:9080", communicationType: "REST" },
    { app: "Q2T", serverAddress: "http://127.0.0.1:9102", communicationType: "REST" },
    {
      app: "P2P",
      serverAddress: "http://manager.example:9001",
      bindingAddress: "http://0.0.0.0:9001",
      sslConfig: { tls: "OFF" },
    },
  ],
  peer: [{ url: "http://127.0.0.1:9001/" }, { url: "http://127.0.0.1:9002/" }],
  keys: { passwords: [], keyData: [{ privateKeyPath: "tm.key", publicKeyPath: "tm.pub" }] },
  alwaysSendTo: [],
};

async function migrate(config: object, to = join(folder, "ours")) {
  await writeFile(join(folder, "config.json"), JSON.stringify(config));
  await writeFile(join(folder, "tm.key"), KEY);
  await using node = await createTestNode({ plugins: [enclavePlugin] });
  return node.command("enclave migrate tessera", { flags: { to }, args: [folder] });
}

it("writes a working configuration, with keys that only their owner can read", async () => {
  const { stdout } = await migrate(TESSERA);

  expect(await readSettings(join(folder, "ours/enclave.toml"))).toMatchObject({
    url: "http://manager.example:9001",
    peerHost: "0.0.0.0",
    peerPort: 9001,
    nodeHost: "127.0.0.1",
    nodePort: 9102,
    keyFiles: [join(folder, "ours/0-tm.key")],
    peers: ["http://127.0.0.1:9001/", "http://127.0.0.1:9002/"],
    remoteKeyValidation: true,
    peerAllowlist: false,
  });
  expect(await readFile(join(folder, "ours/0-tm.key"), "utf8")).toBe(KEY);
  expect((await stat(join(folder, "ours/0-tm.key"))).mode & 0o777).toBe(0o600);
  expect(stdout).toContain("jdbc");
  expect(stdout).toContain("payloads of the Tessera are not read");
  expect(stdout).toContain("plinth enclave resend");
  expect(stdout).toContain("privacy groups are not read either");
  expect(stdout).toContain("plinth enclave status");
  expect(stdout).toContain("remote-key-validation is enabled, which the Tessera had not");
});

it("accepts keys and passwords inside the configuration", async () => {
  const keys = { passwords: ["one"], keyData: [{ config: JSON.parse(KEY), publicKey: "A1aV" }] };
  const { stdout } = await migrate({ ...TESSERA, keys });

  expect(await readFile(join(folder, "ours/0-tm.key"), "utf8")).toBe(KEY);
  expect(await readFile(join(folder, "ours/passwords.txt"), "utf8")).toBe("one\n");
  expect(stdout).not.toContain("one\n");
});

it("reads passwords from the file named in the configuration", async () => {
  await writeFile(join(folder, "secrets"), "\ntwo\n");
  const keys = { ...TESSERA.keys, passwordFile: "secrets" };
  const { stdout } = await migrate({ ...TESSERA, keys });

  expect(await readSettings(join(folder, "ours/enclave.toml"))).toMatchObject({
    passwordFile: join(folder, "ours/passwords.txt"),
  });
  expect(await readFile(join(folder, "ours/passwords.txt"), "utf8")).toBe("\ntwo\n");
  expect((await stat(join(folder, "ours/passwords.txt"))).mode & 0o777).toBe(0o600);
  expect(stdout).not.toContain("two\n");
});

it.each([
  ["a missing password file", { ...TESSERA, keys: { passwordFile: "none" } }, "none"],
  ["no server for peers", { ...TESSERA, serverConfigs: [] }, "P2P"],
  ["a key without a file", { ...TESSERA, keys: { keyData: [{}] } }, "privateKeyPath"],
])("rejects %s and writes nothing", async (_, config, problem) => {
  await expect(migrate(config)).rejects.toThrow(problem);
  expect(existsSync(join(folder, "ours"))).toBe(false);
});

it("does not write into an existing folder", async () => {
  await expect(migrate(TESSERA, folder)).rejects.toThrow("exists already");
});

it("leaves nothing behind if a key file is missing", async () => {
  const keys = { keyData: [{ privateKeyPath: "none.key" }] };
  await expect(migrate({ ...TESSERA, keys })).rejects.toThrow("none.key");
  expect(existsSync(join(folder, "ours"))).toBe(false);
});

it("excludes unknown peers if the Tessera did", async () => {
  await migrate({ ...TESSERA, useWhiteList: true });

  expect(await readSettings(join(folder, "ours/enclave.toml"))).toMatchObject({
    peerAllowlist: true,
  });
});
