import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONFORMANCE, isConformanceMissing } from "../support/conformance.js";
import { runProgram } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const QUICKSTART = join(CONFORMANCE, "genesis/quickstart");
const SWITCHED_ON = ["miner-stratum-enabled=true", "cache-last-blocks=7", "no-such-option=1"];

describe.skipIf(isConformanceMissing)("migrate besu", () => {
  it("creates a configuration from an installation, reports what has no counterpart, and changes nothing there", async () => {
    using place = temporaryFolder();
    install(place, SWITCHED_ON);
    const before = snapshot(place.file("besu"));

    const { code, stdout } = await migrate(place);

    expect(code).toBe(0);
    expect(stdout).toContain("`--miner-stratum-enabled`: Stratum is not implemented");
    expect(stdout).toContain("`--cache-last-blocks`: recently read blocks are cached, by size");
    expect(stdout).toContain("`--no-such-option`: no version of Besu up to 24.9.1 has this option");
    expect(stdout).toContain("0x4592c8e45706cc08b8f44b11e43cba0cfc5892cb");
    expect(stdout).toContain("blocks export --to=chain.rlp");
    expect(stdout).toContain(`Checked: a node opens with ${place.file("plinth", "plinth.toml")}.`);
    expect(snapshot(place.file("besu"))).toEqual(before);
    expect(readdirSync(place.file("plinth")).sort()).toEqual([
      ...["README.md", "genesis.json", "key", "permissions_config.toml", "plinth.toml"],
      "static-nodes.json",
    ]);
    expect(statSync(place.file("plinth", "key")).mode & 0o777).toBe(0o600);
    const key = readFileSync(place.file("plinth", "key"), "utf8").trim();
    expect(stdout).not.toContain(key.replace("0x", ""));
    const config = await run(place, "--config-file=plinth/plinth.toml", "config", "--format=json");
    expect(JSON.parse(config.stdout)).toMatchObject({
      "host-allowlist": { value: ["*"] },
      "genesis-file": { value: place.file("plinth", "genesis.json") },
      "permissions-nodes-config-file": { value: place.file("plinth", "permissions_config.toml") },
      "metrics-port": { value: 9545 },
      "Xrpc-ipc-enabled": { value: true },
      "Xrpc-ipc-api": { value: ["ETH", "NET", "WEB3", "PLINTH"] },
    });
  });

  it.each([
    [
      "two genesis files",
      (place: TemporaryFolder) =>
        copyFileSync(join(QUICKSTART, "cliqueGenesis.json"), place.file("besu", "other.json")),
      "choose one with --genesis-file",
    ],
    [
      "an invalid key",
      (place: TemporaryFolder) => writeFileSync(place.file("besu", "data", "key"), "no key"),
      "does not contain a private key",
    ],
    [
      "a file that is not TOML",
      (place: TemporaryFolder) =>
        writeFileSync(place.file("besu", "config", "config.toml"), "a = "),
      "Invalid TOML configuration",
    ],
    [
      "a target with something in it",
      (place: TemporaryFolder) => {
        mkdirSync(place.file("plinth"));
        writeFileSync(place.file("plinth", "notes.txt"), "");
      },
      "is not empty",
    ],
  ])("rejects %s, and writes nothing", async (_, change, message) => {
    using place = temporaryFolder();
    install(place);
    change(place);
    const before = readdirSync(place.path).sort();

    const { code, stderr } = await migrate(place);

    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
    expect(readdirSync(place.path).sort()).toEqual(before);
  });

  it("rejects a target inside the folder of the Besu node", async () => {
    using place = temporaryFolder();
    install(place);
    const before = snapshot(place.file("besu"));

    const { code, stderr } = await run(place, "migrate", "besu", "besu", "--to=besu/new/node");

    expect(code).not.toBe(0);
    expect(stderr).toContain("is inside");
    expect(snapshot(place.file("besu"))).toEqual(before);
  });

  it("reports that no node starts with the result, and why", async () => {
    using place = temporaryFolder();
    install(place, ["rpc-http-tls-enabled=true"]);

    const { code, stdout } = await migrate(place);

    expect(code).toBe(1);
    expect(stdout).toContain(
      `Checked: a node does not start with ${place.file("plinth", "plinth.toml")}: --rpc-http-tls-enabled needs `,
    );
  });

  it("reports files of options that are missing", async () => {
    using place = temporaryFolder();
    install(place, ['pid-path="/run/besu.pid"']);
    place.remove("besu", "config", "static-nodes.json");

    const { stdout } = await migrate(place);

    expect(stdout).toContain("`--static-nodes-file`: /config/static-nodes.json");
  });
});

function install(place: TemporaryFolder, lines: readonly string[] = []): void {
  const config = place.file("besu", "config");
  mkdirSync(config, { recursive: true });
  mkdirSync(place.file("besu", "data", "database"), { recursive: true });
  for (const file of ["static-nodes.json", "permissions_config.toml"]) {
    copyFileSync(join(QUICKSTART, file), join(config, file));
  }
  copyFileSync(join(QUICKSTART, "ibft2Genesis.json"), join(config, "genesis.json"));
  const text = readFileSync(join(QUICKSTART, "config.toml"), "utf8");
  writeFileSync(join(config, "config.toml"), `${text}\n${lines.join("\n")}\n`);
  const key = join(QUICKSTART, "networkFiles/validator1/keys/key");
  copyFileSync(key, place.file("besu", "data", "key"));
}

function migrate(place: TemporaryFolder) {
  return run(place, "migrate", "besu", "besu", "--to=plinth");
}

function run(place: TemporaryFolder, ...words: readonly string[]) {
  return runProgram(words, { folder: place.path });
}

/** Every file with its content and the time of its last change. */
function snapshot(folder: string): readonly (readonly [string, string, number])[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const { mtimeMs } = statSync(join(folder, name));
      const isFile = statSync(join(folder, name)).isFile();
      return [name, isFile ? readFileSync(join(folder, name), "utf8") : "", mtimeMs] as const;
    });
}
