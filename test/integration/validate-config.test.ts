import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GENESIS } from "../support/program.js";
import { openProgramHost, type ProgramHost } from "../support/program-host.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const FILE = "--config-file=node.toml";
const OFF = "p2p-enabled = false\n";
const HTTP = `${OFF}rpc-http-enabled = true\nrpc-http-port = 0\n`;

/** The text of a genesis file with overridden members. */
const withMembers = (members: object) =>
  JSON.stringify({ ...JSON.parse(readFileSync(GENESIS, "utf8")), ...members });

interface BadConfig {
  readonly what: string;
  readonly config: string;
  readonly files?: Readonly<Record<string, string>>;
}

const configs: readonly BadConfig[] = [
  { what: "an unknown option", config: "color = 1\n" },
  {
    what: "a genesis file that is not JSON",
    config: 'genesis-file = "genesis.json"\n',
    files: { "genesis.json": "{" },
  },
  {
    what: "a genesis file with a rule broken",
    config: 'genesis-file = "genesis.json"\n',
    files: { "genesis.json": withMembers({ gasLimit: "lots" }) },
  },
  {
    what: "validators missing from the genesis file",
    config: 'genesis-file = "genesis.json"\n',
    files: { "genesis.json": withMembers({ config: { chainId: 1, qbft: {} }, extraData: "0x" }) },
  },
  {
    what: "two listeners on one port",
    config: "rpc-http-enabled = true\nmetrics-enabled = true\nmetrics-port = 8545\n",
  },
  { what: "an unknown namespace", config: `${HTTP}rpc-http-api = ["ETH", "FOO"]\n` },
  {
    what: "a key file without a key",
    config: 'node-private-key-file = "key"\n',
    files: { key: "secret" },
  },
  {
    what: "invalid static nodes",
    config: 'static-nodes-file = "static.json"\np2p-port = 0\ndiscovery-enabled = false\n',
    files: { "static.json": '["enode://12"]' },
  },
  {
    what: "a missing allowlist",
    config:
      'permissions-nodes-config-file-enabled = true\npermissions-nodes-config-file = "no.toml"\n',
  },
  {
    what: "a missing certificate",
    config: `${HTTP}rpc-http-tls-enabled = true\nrpc-http-tls-certificate-file = "a.crt"\nrpc-http-tls-key-file = "a.key"\n`,
  },
  {
    what: "a missing file of users",
    config: `${HTTP}rpc-http-authentication-enabled = true\nrpc-http-authentication-credentials-file = "no.toml"\n`,
  },
  {
    what: "privacy without a key of its manager",
    config: `${OFF}privacy-enabled = true\nprivacy-public-key-file = "no.pub"\n`,
  },
  {
    what: "a log file in a missing folder",
    config: `${OFF}logging-file = "no/node.log"\n`,
  },
  { what: "a database without a driver", config: `${OFF}key-value-storage = "papyrus"\n` },
  {
    what: "an allowlist missing from the data folder",
    config: `${OFF}permissions-nodes-config-file-enabled = true\n`,
  },
  { what: "a process file in a missing folder", config: `${OFF}pid-path = "no/plinth.pid"\n` },
  { what: "a data path that is a file", config: OFF, files: { data: "" } },
];

describe("validate-config", () => {
  let host: ProgramHost;
  beforeAll(() => {
    host = openProgramHost();
  });
  afterAll(() => host[Symbol.asyncDispose]());

  it("accepts what a node starts with, and leaves no trace", async () => {
    using folder = temporaryFolder();
    writeFileSync(
      folder.file("node.toml"),
      `genesis-file = "${GENESIS}"\ndata-path = "data"\n${HTTP}`,
    );

    const { code, stdout } = await host.run(["validate-config", FILE], { folder: folder.path });

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("is valid on basic inspection. A node opens with it"),
    });
    expect(readdirSync(folder.path)).toEqual(["node.toml"]);
  });

  it("ignores broken links in the data folder", async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.file("data"));
    symlinkSync("nowhere", folder.file("data", "link"));
    writeFileSync(
      folder.file("node.toml"),
      `genesis-file = "${GENESIS}"\ndata-path = "data"\n${HTTP}`,
    );

    const { code, stderr } = await host.run(["validate-config", FILE], { folder: folder.path });

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(readdirSync(folder.file("data"))).toEqual(["link"]);
  });

  it("has Besu's exit code in the mode of Besu", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("node.toml"), "color = 1\n");
    const words = ["--rpc-compatibility=besu", "validate-config", FILE];

    const { code, stdout } = await host.run(words, { folder: folder.path });

    expect(code).toBe(0);
    expect(stdout).toContain("color");
  });

  it.each(configs)("rejects $what, like the start", async ({ config, files = {} }) => {
    using folder = temporaryFolder();
    const genesis = config.includes("genesis-file") ? "" : `genesis-file = "${GENESIS}"\n`;
    writeFileSync(folder.file("node.toml"), `${genesis}data-path = "data"\n${config}`);
    for (const [name, text] of Object.entries(files)) writeFileSync(folder.file(name), text);

    const checked = await host.run(["validate-config", FILE], { folder: folder.path });
    const started = await host.run([FILE], { folder: folder.path });

    const [reason = ""] = started.stderr.split("\n").filter((line) => !/^\(/.test(line));
    expect(started.code).toBe(2);
    expect(reason).not.toBe("");
    expect(checked).toMatchObject({ code: 2, stderr: "" });
    // System messages about a file differ by the call.
    const [same = ""] = reason.split(": ENOENT");
    expect(checked.stdout).toContain(same);
  });
});
