import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { namedNetworks } from "@plinth/core/genesis";
import { describe, expect, it } from "vitest";
import { readFates, type ValueFate } from "../support/besu-fates.js";
import { BESU_OPTIONS, type BesuOption } from "../support/besu-options.js";
import { GENESIS, type RunSettings, runProgram, startNode } from "../support/program.js";
import { openProgramHost } from "../support/program-host.js";
import { registerShippedNode } from "../support/shipped-plugins.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A development chain has no seals that prove a state: its values are warned of there. */
const OF_SEALED_CHAINS = "sync-mode";
const TIME_LIMIT_MS = 120_000;
/** Ports and addresses that may be taken, and options of other chains or of another pool. */
const NEEDS_MORE =
  /port|host|interface|poa-|tx-pool-(max-size|limit-by|retention)|contract-version/;
/** Options whose values are rejected one by one. */
const LATER = ["nat-method", "network"];
const variableOf = (prefix: string, name: string) =>
  `${prefix}${name.replaceAll("-", "_").toUpperCase()}`;

/** That of `PLINTH_TEST_STATES` would have precedence over files, and over variables of Besu. */
const NO_LAYOUT = { PLINTH_DATA_STORAGE_FORMAT: undefined };

describe("every option of Besu", () => {
  it.each<[string, string, (option: BesuOption) => string]>([
    ["its name", "name", ({ name }) => name],
    ["its last alias", "alias", ({ name, aliases }) => aliases.at(-1) ?? name],
  ])(
    "is read from a flag, a variable and a file, by %s, and shown with its source",
    async (_title, _kind, nameOf) => {
      using folder = temporaryFolder();
      const file = folder.file("besu.toml");
      writeFileSync(file, BESU_OPTIONS.map((each) => tomlOf(nameOf(each), each.value)).join("\n"));
      const flags = BESU_OPTIONS.map((each) => `--${nameOf(each)}=${each.text}`);
      const environment = Object.fromEntries(
        BESU_OPTIONS.map((each) => [variableOf("BESU_", nameOf(each)), each.text]),
      );
      const read = (args: string[], variables: RunSettings["environment"]) =>
        readConfig(args, { folder: folder.path, environment: { ...NO_LAYOUT, ...variables } });

      const shown = await Promise.all([
        read(flags, {}),
        read([], environment),
        read([`--config-file=${file}`], {}),
      ]);

      const expected = (source: string, fromOf: (option: BesuOption) => string) =>
        Object.fromEntries(
          BESU_OPTIONS.map((each) => [
            each.name,
            { value: each.value, source, from: fromOf(each) },
          ]),
        );
      expect(shown[0]).toEqual(expected("command line", ({ name }) => `--${name}`));
      expect(shown[1]).toEqual(
        expected(
          "environment",
          (each) => `environment variable ${variableOf("BESU_", nameOf(each))}`,
        ),
      );
      expect(shown[2]).toEqual(expected("file", () => file));
    },
    TIME_LIMIT_MS,
  );

  it("has an invalid value, and all of them are reported at once", async () => {
    using folder = temporaryFolder();
    const file = folder.file("wrong.toml");
    writeFileSync(file, BESU_OPTIONS.map(({ name, wrong }) => tomlOf(name, wrong)).join("\n"));

    const { code, stdout } = await runProgram(["validate-config", `--config-file=${file}`], {
      folder: folder.path,
    });

    const named = [...stdout.matchAll(/^Invalid value for option '--([\w-]+)'/gm)];
    expect(new Set(named.map(([, name]) => name))).toEqual(
      new Set(BESU_OPTIONS.map(({ name }) => name)),
    );
    expect(code).toBe(2);
  });

  it("prefers the variable of Plinth to that of Besu", async () => {
    using folder = temporaryFolder();
    const environment = { BESU_RPC_HTTP_PORT: "1", PLINTH_RPC_HTTP_PORT: "2" };

    const { "rpc-http-port": port } = await readConfig([], { folder: folder.path, environment });

    expect(port).toMatchObject({ value: 2, source: "environment" });
  });

  it("is reported with the nearest one if it is misspelled", async () => {
    using folder = temporaryFolder();

    const { code, stderr } = await runProgram(["--rpc-htp-enabled"], { folder: folder.path });

    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^Unknown option: '--rpc-htp-enabled'\nPossible solutions: --rpc-http-enabled/,
    );
  });
});

describe("options of parts that are not implemented", () => {
  it.each([
    ["--miner-stratum-enabled", "Stratum is not implemented"],
    ["--Xp2p-tls-enabled", "TLS between peers is not implemented"],
    ["--engine-rpc-enabled", "the engine API is not implemented"],
  ])("prevent the start: %s", async (option, reason) => {
    using folder = temporaryFolder();

    const { code, stderr } = await runProgram([`--genesis-file=${GENESIS}`, option], {
      folder: folder.path,
    });

    expect(code).toBe(2);
    expect(stderr.split("\n")[0]).toMatch(new RegExp(`^${option}: ${reason}`));
    expect(stderr).not.toContain("Possible solutions");
  });

  it("prevent the start from a variable and a file, and report their source", async () => {
    using folder = temporaryFolder();
    const file = folder.file("node.toml");
    writeFileSync(file, `genesis-file = "${GENESIS}"\nminer-stratum-enabled = true`);

    const { code, stderr } = await runProgram([`--config-file=${file}`], {
      folder: folder.path,
      environment: { BESU_ENGINE_RPC_ENABLED: "true" },
    });

    expect(code).toBe(2);
    expect(stderr).toContain(`--miner-stratum-enabled (from ${file}): Stratum`);
    expect(stderr).toContain(
      "--engine-rpc-enabled (from environment variable BESU_ENGINE_RPC_ENABLED): the engine API",
    );
  });
});

describe("the table of options by value", async () => {
  await using host = openProgramHost();
  using readFolder = temporaryFolder();
  const networks = (await registerShippedNode())
    .contributions(namedNetworks)
    .map(({ name }) => name);
  const fates = await readFates(host.run, readFolder.path, networks);
  const isMixed = ({ name }: ValueFate) =>
    new Set(fates.filter((each) => each.name === name).map(({ fate }) => fate)).size > 1;
  // Others are files, need a switch and its requirements, or apply to other chains only.
  const canStart = (each: ValueFate) =>
    (isMixed(each) && each.name !== OF_SEALED_CHAINS) ||
    each.value === "false" ||
    (/^[\d.]+$/.test(each.value) && !NEEDS_MORE.test(each.name));
  const flagOf = ({ name, value }: ValueFate) => `--${name}=${value}`;

  it.each(roundsOf(fates.filter(({ fate }) => fate === "warned")))(
    "is right about warnings of a start, round %i",
    async (_, warned) => {
      const lines = await warningsOf(warned.map(flagOf));

      const silent = warned.filter(({ name }) => !lines.some((line) => names(line, name)));
      expect(silent.map(flagOf)).toEqual([]);
    },
    TIME_LIMIT_MS,
  );

  it.each(roundsOf(fates.filter((each) => each.fate === "served" && canStart(each))))(
    "is right about the absence of warnings of a start, round %i",
    async (_, served) => {
      const lines = await warningsOf(served.map(flagOf));

      // Options that need a switch that is off are ignored.
      const others = lines.filter((line) => !line.includes("has been ignored because"));
      const loud = served.filter(({ name }) => others.some((line) => names(line, name)));
      expect(loud.map(flagOf)).toEqual([]);
    },
    TIME_LIMIT_MS,
  );

  it.each(roundsOf(fates.filter(({ fate, name }) => fate === "refused" && !LATER.includes(name))))(
    "is right about what a start rejects, and when, round %i",
    async (_, refused) => {
      const { code, stderr } = await refusal([...refused.map(flagOf), "--privacy-enabled"]);

      expect(code).toBe(2);
      const missing = refused.filter(({ name, reason }) => {
        const [line = ""] = stderr.split("\n");
        return !names(line, name) || !line.includes(reason);
      });
      expect(missing.map(flagOf)).toEqual([]);
    },
  );

  it.each(fates.filter(({ fate, name }) => fate === "refused" && LATER.includes(name)))(
    "is right about --$name=$value",
    async ({ name, value, reason }) => {
      const { code, stderr } = await refusal([`--${name}=${value}`], name !== "network");

      expect(code).toBe(2);
      const [line] = stderr.split("\n");
      expect(line).toContain(`Invalid value for option '--${name}': `);
      expect(line).toContain(`'${value}'`);
      expect(line).toContain(reason);
    },
  );

  it("has a status for every option", () => {
    const named = new Set(fates.map(({ name }) => name));

    expect(BESU_OPTIONS.filter(({ name }) => !named.has(name))).toEqual([]);
  });
});

/** The values of each option in turn: the first of each, the second of each. */
function roundsOf(
  fates: readonly ValueFate[],
): readonly (readonly [number, readonly ValueFate[]])[] {
  const rounds: ValueFate[][] = [];
  for (const fate of fates) {
    const round = rounds.find((each) => each.every(({ name }) => name !== fate.name));
    if (round === undefined) rounds.push([fate]);
    else round.push(fate);
  }
  return rounds.map((round, index) => [index + 1, round]);
}

function names(line: string, name: string): boolean {
  return new RegExp(`--${name}(?![\\w-])`).test(line);
}

/** The warnings of a start with these options. */
async function warningsOf(flags: readonly string[]): Promise<readonly string[]> {
  using folder = temporaryFolder();
  const isNamed = flags.some((flag) => flag.startsWith("--network="));
  const file = isNamed ? [] : [`--genesis-file=${GENESIS}`];
  await using node = await startNode([...file, ...flags], { folder: folder.path });
  return node
    .output()
    .split("\n")
    .filter((line) => line.includes("WARN"));
}

/** How a start with these options ends, before there is a database. */
async function refusal(flags: readonly string[], hasFile = true) {
  using folder = temporaryFolder();
  const data = folder.file("data");
  const ended = await runProgram(
    [...(hasFile ? [`--genesis-file=${GENESIS}`] : []), `--data-path=${data}`, ...flags],
    {
      folder: folder.path,
    },
  );
  expect(existsSync(data)).toBe(false);
  return ended;
}

describe("a node with options of Besu", () => {
  it("applies them, and reports what has no effect", async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.file("data"));
    writeFileSync(folder.file("data/permissions_config.toml"), "nodes-allowlist = []");
    const pidPath = folder.file("pid");
    const node = await startNode(
      [
        `--genesis-file=${GENESIS}`,
        `--pid-path=${pidPath}`,
        "--override-genesis-config=chainid=99",
        "--bonsai-historical-block-limit=600",
        "--Xplugin-rocksdb-high-spec-enabled",
        "--privacy-url=http://127.0.0.1:9",
        "--rpc-http-enabled",
        "--json-pretty-print-enabled",
      ],
      { folder: folder.path },
    );

    expect(readFileSync(pidPath, "utf8")).toBe(String(node.pid));
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
    const response = await fetch(node.url, { method: "POST", body });
    expect(await response.text()).toBe(
      '{\n  "jsonrpc" : "2.0",\n  "id" : 1,\n  "result" : "0x63"\n}',
    );
    for (const line of [
      "--bonsai-historical-block-limit has been ignored because --bonsai-limit-trie-logs-enabled was not defined",
      "--Xplugin-rocksdb-high-spec-enabled has no effect: the database is LevelDB",
      "--privacy-url has been ignored because --privacy-enabled was not defined on the command line.",
      "permissions_config.toml is not used: neither --permissions-accounts-config-file-enabled",
    ]) {
      expect(node.output().split(line)).toHaveLength(2);
    }
    const { code } = await node.stop();
    expect(code).toBe(0);
    expect(existsSync(pidPath)).toBe(false);
  });

  it.each<[string, readonly string[], string]>([
    [
      "one port for two listeners",
      ["--rpc-http-enabled", "--rpc-ws-enabled", "--rpc-http-port=9", "--rpc-ws-port=9"],
      "Port number '9' has been specified multiple times. Please review the supplied configuration.",
    ],
    [
      "a file for the process id that cannot be written",
      ["--pid-path=/no/such/folder/pid", "--p2p-enabled=false"],
      "--pid-path: cannot write /no/such/folder/pid: ",
    ],
  ])("does not start with %s", async (_, options, message) => {
    using folder = temporaryFolder();

    const { code, stderr } = await runProgram([`--genesis-file=${GENESIS}`, ...options], {
      folder: folder.path,
    });

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

type Shown = Readonly<Record<string, object>>;

/** What `plinth config` shows of the options of Besu. */
async function readConfig(flags: readonly string[], settings: RunSettings): Promise<Shown> {
  const { code, stdout, stderr } = await runProgram(
    [...flags, "config", "--format=json"],
    settings,
  );
  expect(stderr).toBe("");
  expect(code).toBe(0);
  const names = new Set(BESU_OPTIONS.map(({ name }) => name));
  const entries = Object.entries<{ value: unknown; source: string; from: string }>(
    JSON.parse(stdout),
  );
  return Object.fromEntries(
    entries
      .filter(([name]) => names.has(name))
      .map(([name, { value, source, from }]) => [name, { value, source, from }]),
  );
}

function tomlOf(name: string, value: unknown): string {
  return `${name} = ${JSON.stringify(value)}`;
}
