import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GENESIS, runProgram, startNode } from "../support/program.js";
import { openProgramHost, type ProgramHost } from "../support/program-host.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const CLOSING = "\nTo display full help:\nplinth [COMMAND] --help\n";
const NODE = [`--genesis-file=${GENESIS}`, "--data-path=data"];

interface BadInput {
  readonly what: string;
  readonly words?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** The first line, with the folder of the test as `{folder}`. */
  readonly message: string;
  /** The lines between it and the closing ones. */
  readonly hints?: string;
}

const plugin = (definition: string) =>
  `import { defineService, definePlugin } from "@plinth/core";\nexport default definePlugin(${definition});\n`;
const config = (...plugins: readonly string[]) => `plugins = ${JSON.stringify(plugins)}\n`;

/** How to start without a plugin that fails. */
const WITHOUT_A = 'to run without it, put without = ["a"] into the configuration file\n';

const inputs: readonly BadInput[] = [
  {
    what: "an unknown option, with similar ones",
    words: ["--rpc-htp-port=1"],
    message: "Unknown option: '--rpc-htp-port'",
    hints: "Possible solutions: --rpc-http-port, --rpc-http-host, --rpc-ws-port\n",
  },
  {
    what: "an unknown option that resembles nothing",
    words: ["--zzzzzzzzzz"],
    message: "Unknown option: '--zzzzzzzzzz'",
  },
  {
    what: "a misspelt command",
    words: ["rpl", "encode"],
    message: "Unmatched argument at index 0: 'rpl'",
    hints: "Possible solutions: rlp, up\n",
  },
  {
    what: "a value of the wrong type on the command line",
    words: ["--rpc-http-port=abc"],
    message: "Invalid value for option '--rpc-http-port': 'abc' is not an int",
  },
  {
    what: "a value of the wrong type in the environment",
    environment: { BESU_RPC_HTTP_PORT: "85450" },
    message:
      "Invalid value for option '--rpc-http-port' (from environment variable BESU_RPC_HTTP_PORT): '85450' is not in the range 0 to 65535",
  },
  {
    what: "a value of the wrong type in a file",
    files: { "plinth.config.toml": "rpc-http-enabled = 'yes'\n" },
    message:
      "Invalid value for option '--rpc-http-enabled' (from {folder}/plinth.config.toml): expected true or false without quotes but was 'yes'",
  },
  {
    what: "a value that is not one of the choices",
    words: ["--logging-format=xml"],
    message:
      "Invalid value for option '--logging-format': expected one of [console, json, terminal] (case-insensitive) but was 'xml'",
  },
  {
    what: "an option without its value",
    words: ["--data-path"],
    message: "Missing required parameter for option '--data-path' (<PATH>)",
  },
  {
    what: "an option given twice",
    words: ["--identity=a", "--identity=b"],
    message: "option '--identity' (<TEXT>) should be specified only once",
  },
  {
    what: "a configuration file named by flag and variable",
    words: ["--config-file=a.toml"],
    environment: { PLINTH_CONFIG_FILE: "b.toml" },
    message: "Both --config-file=a.toml and PLINTH_CONFIG_FILE specified. Please specify only one.",
  },
  {
    what: "an unknown namespace",
    words: [...NODE, "--rpc-http-enabled", "--rpc-http-api=ETH,FOO"],
    message:
      "Invalid value for option '--rpc-http-api': invalid entries found [FOO]; loaded plugins provide ADMIN, CLIQUE, DEBUG, EEA, ERIGON, ETH, IBFT, MINER, NET, OTS, PERM, PLINTH, PLUGINS, PRIV, PRIVX, QBFT, RPC, TRACE, TXPOOL, WEB3",
  },
  {
    what: "an unknown plugin",
    files: { "plinth.config.toml": config("not-published") },
    message:
      'unknown plugin "not-published": searched for @plinth/plugin-not-published and not-published in {folder}, {folder}/.local/share/plinth and among the shipped ones; install it with: plinth plugins install not-published',
  },
  {
    what: "a plugin path without a file",
    files: { "plinth.config.toml": config("./missing.mjs") },
    message: 'unknown plugin "./missing.mjs": there is no file {folder}/missing.mjs',
  },
  {
    what: "a name in `without` that excludes nothing",
    files: {
      "plinth.config.toml": 'preset = "none"\nplugins = ["rpc-net"]\nwithout = ["rpc-ent"]\n',
    },
    message: 'without: no plugin "rpc-ent" is loaded; loaded are rpc-net',
  },
  {
    what: "an unknown preset",
    files: { "plinth.config.toml": 'preset = "geth"\n' },
    message: 'unknown preset "geth"; there are besu and none',
  },
  {
    what: "a file that is not a plugin",
    files: { "plinth.config.toml": config("./not.mjs"), "not.mjs": "export default {};\n" },
    message:
      '"./not.mjs" is not a plugin: its default export must be made with definePlugin from @plinth/core',
  },
  {
    what: "a plugin that cannot be loaded",
    files: {
      "plinth.config.toml": config("./broken.mjs"),
      "broken.mjs": "import 'no-such-thing';\n",
    },
    message:
      "plugin \"./broken.mjs\" cannot be loaded: Cannot find package 'no-such-thing' imported from {folder}/broken.mjs",
  },
  {
    what: "a plugin made for another version of the core",
    files: {
      "plinth.config.toml": config("plinth-future"),
      "node_modules/plinth-future/package.json": JSON.stringify({
        name: "plinth-future",
        version: "3.0.0",
        type: "module",
        exports: "./index.js",
        peerDependencies: { "@plinth/core": "^7.0.0" },
      }),
      "node_modules/plinth-future/index.js": plugin("{ name: 'future', setup() {} }"),
    },
    message: 'plugin "plinth-future" 3.0.0 was made for @plinth/core ^7.0.0; this node has 0.1.0',
  },
  {
    what: "two plugins with one name",
    files: {
      "plinth.config.toml": config("./a.mjs"),
      "a.mjs": plugin("{ name: 'rpc-net', setup() {} }"),
    },
    message:
      'two plugins have the name "rpc-net"; remove one of them from `plugins`, or name it in `without`',
  },
  {
    what: "services that wait for each other",
    files: {
      "plinth.config.toml": config("./a.mjs", "./b.mjs"),
      "a.mjs": plugin(
        "{ name: 'a', provides: [defineService('a.x')], dependencies: { y: defineService('b.y') }, setup() {} }",
      ),
      "b.mjs": plugin(
        "{ name: 'b', provides: [defineService('b.y')], dependencies: { x: defineService('a.x') }, setup() {} }",
      ),
    },
    message:
      "plugins depend on each other in a cycle: a needs b.y of b, b needs a.x of a; remove one of them",
  },
  {
    what: "a service that no plugin provides",
    files: {
      "plinth.config.toml": config("./a.mjs"),
      "a.mjs": plugin(
        "{ name: 'rpc-a', dependencies: { s: defineService('b.s', { hint: 'plinth-b' }) }, setup() {} }",
      ),
    },
    message: "rpc-a needs b.s; add plinth-b",
  },
  {
    what: "an option that two plugins declare",
    files: {
      "plinth.config.toml": config("./a.mjs"),
      "a.mjs":
        "import { definePlugin, option } from '@plinth/core';\nexport default definePlugin({ name: 'a', options: { rpcHttpPort: option.port({ summary: 'Mine.' }) }, setup() {} });\n",
    },
    message: "transport-http and a both declare the option --rpc-http-port; remove one of them",
  },
  {
    what: "a plugin that fails in setup",
    words: NODE,
    files: {
      "plinth.config.toml": config("./a.mjs"),
      "a.mjs": plugin("{ name: 'a', setup() { throw new Error('no disk today'); } }"),
    },
    message: "a failed in setup: no disk today",
    hints: `at {folder}/a.mjs:2:58\n${WITHOUT_A}`,
  },
  {
    what: "a plugin that fails in onStart",
    words: NODE,
    files: {
      "plinth.config.toml": config("./a.mjs"),
      "a.mjs": plugin(
        "{ name: 'a', setup(node) { node.onStart(() => { throw new Error('no disk today'); }); } }",
      ),
    },
    message: "a failed in onStart: no disk today",
    hints: `at {folder}/a.mjs:2:83\n${WITHOUT_A}`,
  },
  {
    what: "a configuration file with a syntax error",
    words: ["--config-file=node.toml"],
    files: { "node.toml": 'identity = "a"\nrpc-http-port = = 3\n' },
    message:
      "Invalid TOML configuration: Invalid TOML document: invalid value at line 2, column 17 in {folder}/node.toml",
  },
  {
    what: "an empty configuration file",
    words: ["--config-file=node.toml"],
    files: { "node.toml": "" },
    message: "Unable to read from empty TOML configuration file.",
  },
  {
    what: "a missing configuration file",
    words: ["--config-file=node.toml"],
    message: "Unable to read TOML configuration, file not found: {folder}/node.toml",
  },
  {
    what: "a damaged JSON configuration file",
    words: ["--config-file=node.json"],
    files: { "node.json": '{ "identity": ' },
    message: "Invalid JSON configuration: Unexpected end of JSON input",
  },
  {
    what: "a configuration file in JavaScript that throws",
    words: ["--config-file=node.mjs"],
    files: { "node.mjs": 'throw new Error("no such folder");\n' },
    message: "Invalid JavaScript configuration: no such folder in {folder}/node.mjs",
  },
  {
    what: "an unknown key in a file",
    words: ["--config-file=node.toml"],
    files: { "node.toml": "rpc-http-prot = 1\n" },
    message: "Unknown option in TOML configuration file: rpc-http-prot",
    hints: "Possible solutions: rpc-http-port, rpc-http-host\n",
  },
  {
    what: "several unknown keys in a file",
    words: ["--config-file=node.toml"],
    files: { "node.toml": "aaaaaaaa = 1\n[Network]\nbbbbbbbb = 2\n" },
    message: "Unknown options in TOML configuration file: aaaaaaaa, bbbbbbbb",
  },
  {
    what: "an unknown profile",
    words: ["--profile=prod"],
    message: "Unable to load external profile: prod; there are dev",
  },
  {
    what: "no network at all",
    message:
      "No network is selected: use --genesis-file=<PATH> for an existing one, or --profile=dev for a development chain",
  },
  {
    what: "a missing genesis file",
    words: ["--genesis-file=missing.json"],
    message:
      "Unable to load genesis file. {folder}/missing.json: ENOENT: no such file or directory, open '{folder}/missing.json'",
  },
  {
    what: "a genesis file with an engine that no plugin serves",
    words: ["--genesis-file=genesis.json"],
    files: { "genesis.json": '{"config":{"chainId":5,"sundial":{}}}' },
    message:
      "Unable to load genesis file. {folder}/genesis.json: no loaded plugin serves the engine of this chain; the file names sundial, loaded plugins serve clique, dev, ethash, ibft2, qbft",
  },
  {
    what: "a genesis file with an invalid chain id",
    words: ["--genesis-file=genesis.json"],
    files: { "genesis.json": '{"config":{"chainId":-5}}' },
    message:
      "Unable to load genesis file. {folder}/genesis.json: config.chainId is -5; expected a whole number, decimal or hex",
  },
  {
    what: "an unknown storage driver",
    words: [...NODE, "--key-value-storage=papyrus"],
    message:
      "Invalid value for option '--key-value-storage': no loaded plugin offers 'papyrus'; they offer memory, leveldb",
  },
  {
    what: "a data path that is a file",
    words: [`--genesis-file=${GENESIS}`, "--data-path=data"],
    files: { data: "" },
    message: "{folder}/data: already exists and is not a directory.",
  },
  {
    what: "a key file without a key",
    words: [...NODE, "--node-private-key-file=node.key"],
    files: { "node.key": "0x1234" },
    message:
      "{folder}/node.key is not a private key: expected one line with 64 hex digits, with or without 0x",
  },
  {
    what: "a key file that cannot be read",
    words: [...NODE, "--node-private-key-file=node.key"],
    files: { "node.key/inside": "" },
    message: "{folder}/node.key",
  },
];

/** Separate processes: one fails before there is a node, the other has a node to stop. */
const PROCESS_INPUTS = ["an unknown option, with similar ones", "a plugin that fails in onStart"];

describe("bad input", () => {
  let host: ProgramHost;
  beforeAll(() => {
    host = openProgramHost();
  });
  afterAll(() => host[Symbol.asyncDispose]());

  it.each(inputs)("is rejected with exit code 2: $what", async (input) => {
    using folder = temporaryFolder();
    writeFiles(folder, input.files ?? {});

    const run = PROCESS_INPUTS.includes(input.what) ? runProgram : host.run;
    const { code, stderr } = await run(input.words ?? [], {
      folder: folder.path,
      environment: input.environment ?? {},
    });

    const message = input.message.replaceAll("{folder}", folder.path);
    const hints = (input.hints ?? "").replaceAll("{folder}", folder.path);
    const [first = ""] = stderr.split("\n");
    expect(first.slice(0, message.length)).toBe(message);
    expect(stderr.slice(first.length + 1)).toBe(`${hints}${CLOSING}`);
    expect(code).toBe(2);
  });

  it("is rejected with exit code 2: a port in use", async () => {
    using folder = temporaryFolder();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;

    const { code, stderr } = await runProgram(
      [...NODE, "--rpc-http-enabled", `--rpc-http-port=${port}`],
      { folder: folder.path },
    );

    server.close();
    expect(stderr).toBe(
      `Port(s) '[${port}]' already in use. Check for other processes using the port(s), or choose another with --rpc-http-port.\n${CLOSING}`,
    );
    expect(code).toBe(2);
  });

  it("is rejected with exit code 2: a data folder that a running node has locked", async () => {
    using folder = temporaryFolder();
    await using _node = await startNode([`--genesis-file=${GENESIS}`], { folder: folder.path });

    const { code, stderr } = await runProgram(NODE, { folder: folder.path });

    expect(stderr).toBe(
      `${folder.file("data", "database")} is in use by another process; stop it or choose another --data-path\n${CLOSING}`,
    );
    expect(code).toBe(2);
  });

  it("never shows the content of a key file", async () => {
    using folder = temporaryFolder();
    writeFiles(folder, { "node.key": "c0ffee".repeat(20) });

    const { stdout, stderr } = await host.run([...NODE, "--node-private-key-file=node.key"], {
      folder: folder.path,
    });

    expect(stdout + stderr).not.toContain("c0ffee");
  });
});

function writeFiles(folder: TemporaryFolder, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(folder.file(name, ".."), { recursive: true });
    writeFileSync(folder.file(name), content);
  }
}
