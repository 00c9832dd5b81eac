import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin } from "@plinth/core";
import { createTestNode } from "@plinth/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describe as describeStatus } from "./commands/status.js";
import enclavePlugin from "./index.js";
import { type Enclave, enclave } from "./service.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-enclave-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function commandNode() {
  return createTestNode({ plugins: [enclavePlugin] });
}

async function writeConfig(text: string): Promise<string> {
  const path = join(folder, "enclave.toml");
  await writeFile(path, text);
  return path;
}

describe("enclave keygen", () => {
  it("creates files that only their owner can read, and never replaces one", async () => {
    await using node = await commandNode();
    const to = join(folder, "tm");

    const { stdout } = await node.command("enclave keygen", { flags: { to } });

    expect(await readFile(`${to}.pub`, "utf8")).toBe(stdout.trim());
    const key = JSON.parse(await readFile(`${to}.key`, "utf8"));
    expect(key.type).toBe("unlocked");
    expect((await stat(`${to}.key`)).mode & 0o777).toBe(0o600);
    await expect(node.command("enclave keygen", { flags: { to } })).rejects.toMatchObject({
      code: "ENCLAVE_KEY_UNUSABLE",
    });
    expect(JSON.parse(await readFile(`${to}.key`, "utf8"))).toEqual(key);
  });

  it("locks the private key with a password", async () => {
    await using node = await commandNode();
    const to = join(folder, "tm");
    const files = { "/password": "correct horse\n" };
    const flags = { to, passwordFile: "/password", memory: 1024 };

    await node.command("enclave keygen", { flags, files });

    const { type, data } = JSON.parse(await readFile(`${to}.key`, "utf8"));
    expect(type).toBe("argon2sbox");
    expect(data.bytes).toBeUndefined();
    expect(data.aopts).toEqual({ variant: "i", memory: 1024, iterations: 10, parallelism: 4 });
  });
});

describe("a manager embedded in a node", () => {
  const consumer = (use: (found: Enclave) => void) =>
    definePlugin({
      name: "consumer",
      dependencies: { enclave },
      setup: ({ onStart }) => onStart((runtime) => use(runtime.enclave)),
    });

  it("stores payloads and serves the node's HTTP interface", async () => {
    await using maker = await commandNode();
    const { stdout } = await maker.command("enclave keygen", { flags: { to: join(folder, "tm") } });
    const enclaveConfigFile = await writeConfig(
      'url = "http://127.0.0.1:1/"\npeer-port = 0\nnode-port = 0\nkey-files = ["tm.key"]\n',
    );
    let found: Enclave | undefined;
    let figures: () => object = () => ({});
    const reader = definePlugin({
      name: "reader",
      setup: ({ onStart }) =>
        onStart(({ metrics }) => {
          const own = () => metrics.collect().filter(({ plugin }) => plugin === "enclave");
          figures = () =>
            Object.fromEntries(
              own().map(({ name, samples }) => [name.replace("plinth_", ""), samples[0]?.value]),
            );
        }),
    });
    await using _node = await createTestNode({
      plugins: [
        enclavePlugin,
        reader,
        consumer((service) => {
          found = service;
        }),
      ],
      options: { enclaveConfigFile },
    });
    if (found === undefined) throw new Error("there is no manager");

    const payload = new TextEncoder().encode("private");
    const hash = await found.payloads.send({ payload, to: [] });

    expect(found.payloads.receive(hash).payload).toEqual(payload);
    expect(figures()).toMatchObject({
      enclave_payloads_sent_total: 1,
      enclave_peers: 0,
      enclave_unknown_groups: 0,
    });
    expect(Buffer.from(found.publicKeys()[0] ?? []).toString("base64")).toBe(stdout.trim());
  });

  it("does not exist without a configuration", async () => {
    let found: Enclave | undefined;
    await using _node = await createTestNode({
      plugins: [
        enclavePlugin,
        consumer((service) => {
          found = service;
        }),
      ],
    });

    expect(found).toBeUndefined();
  });

  it.each([
    ["no key", 'url = "http://127.0.0.1:1/"', "needs a key"],
    ["no url", 'key-files = ["tm.key"]', "url"],
    ["a misspelt key", 'ulr = "http://127.0.0.1:1/"', "did you mean url?"],
    ["text for a port", 'url = "http://127.0.0.1:1/"\npeer-port = "x"', "peer-port"],
    ["a missing key file", 'url = "http://127.0.0.1:1/"\nkey-files = ["none"]', "none"],
    ["no TOML", "=", "cannot be read"],
    [
      "a peer without an address",
      'url = "http://127.0.0.1:1/"\nkey-files = ["tm.key"]\npeers = ["b"]',
      "Invalid value for peers (from",
    ],
  ])("refuses to start with %s", async (_, text, problem) => {
    const enclaveConfigFile = await writeConfig(text);

    await expect(
      createTestNode({
        plugins: [enclavePlugin, consumer(() => {})],
        options: { enclaveConfigFile },
      }),
    ).rejects.toThrow(problem);
  });

  it("never reveals the content of a key file", async () => {
    const secret = "hBsuQsGJzx4QHmFmBkNoI7YGnTmaZP4P+wBOdu56ljk=";
    await writeFile(join(folder, "tm.key"), `{"data":{"bytes":"${secret}"},"type":"unlocked"`);
    const enclaveConfigFile = await writeConfig(
      'url = "http://127.0.0.1:1/"\nkey-files = ["tm.key"]\n',
    );

    const error = await createTestNode({
      plugins: [enclavePlugin, consumer(() => {})],
      options: { enclaveConfigFile },
    }).then(
      () => undefined,
      (problem) => problem,
    );

    expect(String(error.message)).toContain("it is not JSON");
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(
      secret.slice(0, 8),
    );
  });
});

describe("enclave status", () => {
  it("reports known managers and pending deliveries", () => {
    const lines = describeStatus(
      {
        peers: [
          { url: "http://127.0.0.1:2/", isKnown: true, keys: ["B="], seenAt: 1000 },
          { url: "http://127.0.0.1:3/", isKnown: false, keys: [] },
        ],
        aside: 2,
        undelivered: [{ recipient: "C=", count: 2, oldest: 0, reason: "Connection error" }],
        refusedDeletions: [{ privacyGroupId: "D=", from: "192.0.2.1", at: 1000, reason: "why" }],
        groups: 7,
        unknownGroups: [{ privacyGroupId: "E=", payloads: 3, from: "B=", since: 241_000 }],
      },
      301_000,
    );

    expect(lines).toEqual([
      "http://127.0.0.1:2/: serves B=, last heard of 5 min ago",
      "http://127.0.0.1:3/: has not announced itself",
      "2 payloads are pending for C=, the oldest for 5 min: Connection error",
      "7 groups are known.",
      "3 payloads name the group E=, which is unknown to this manager; sent by B=, the first 60 s ago",
      expect.stringMatching(/^2 payloads have returned that cannot be decrypted: /),
      "192.0.2.1 requested 5 min ago to delete the group D=, which was rejected: why",
    ]);
  });

  it("names the address if no manager responds", async () => {
    await using node = await commandNode();

    await expect(
      node.command("enclave status", { flags: { url: "http://127.0.0.1:1" } }),
    ).rejects.toMatchObject({ code: "ENCLAVE_UNREACHABLE" });
  });
});
