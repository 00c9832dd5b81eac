import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { GENESIS, PROGRAM, runProgram, startNode } from "../support/program.js";
import { openProgramHost, type ProgramHost } from "../support/program-host.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const NODE = [`--genesis-file=${GENESIS}`, "--rpc-http-enabled", "--rpc-ws-enabled"];

describe("the program as a node", () => {
  it("serves HTTP and WebSocket and stops cleanly on SIGTERM", async () => {
    using folder = temporaryFolder();
    const node = await startNode(NODE, { folder: folder.path });

    expect(await node.rpc("web3_clientVersion")).toMatch(
      /^plinth\/v\d+\.\d+\.\d+\/\w+-\w+\/node-\d+$/,
    );
    expect(await node.rpc("eth_chainId")).toBe("0x7ea");
    expect(await askOverWebSocket(node.wsUrl, "net_version")).toBe("2026");
    expect(await node.rpc("net_services")).toEqual({
      jsonrpc: { host: "127.0.0.1", port: new URL(node.url).port },
      ws: { host: "127.0.0.1", port: new URL(node.wsUrl).port },
    });

    const { code, stderr } = await node.stop("SIGTERM");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(existsSync(folder.file("data", "plinth.ports"))).toBe(false);
  });

  it("stops on SIGINT too", async () => {
    using folder = temporaryFolder();
    const node = await startNode(NODE, { folder: folder.path });

    expect((await node.stop("SIGINT")).code).toBe(0);
  });

  it.runIf(existsSync("/dev/full"))(
    "continues if neither log nor standard error can be written",
    () => {
      using folder = temporaryFolder();
      writeFileSync(
        folder.file("brief.mjs"),
        `import { definePlugin } from "@plinth/core";
       export default definePlugin({ name: "brief", setup(node) {
         node.onStart(async ({ clock }) => {
           await clock.sleep(50);
           process.kill(process.pid, "SIGTERM");
         });
       } });`,
      );
      writeFileSync(folder.file("plinth.toml"), 'plugins = ["./brief.mjs"]\n');
      writeFileSync(folder.file("node.log"), Buffer.alloc(2 ** 20));
      mkdirSync(folder.file("node.log.1"));
      const full = openSync("/dev/full", "w");
      try {
        const { status } = spawnSync(
          process.execPath,
          [
            PROGRAM,
            "--config-file=plinth.toml",
            `--genesis-file=${GENESIS}`,
            "--data-path=data",
            ...["--logging-file=node.log", "--logging-file-max-mebibytes=1"],
            ...["--logging-file-count=2", "--p2p-enabled=false"],
          ],
          { cwd: folder.path, stdio: ["ignore", "ignore", full] },
        );

        expect(status).toBe(0);
        expect(readFileSync(folder.file("node.log"), "utf8")).toContain("Stopped: SIGTERM");
      } finally {
        closeSync(full);
      }
    },
  );

  it("stops cleanly when asked to while it starts", async () => {
    using folder = temporaryFolder();
    writeFileSync(
      folder.file("slow.mjs"),
      `import { definePlugin } from "@plinth/core";
       export default definePlugin({ name: "slow", setup(node) {
         node.onStart(async ({ clock }) => {
           process.kill(process.pid, "SIGTERM");
           await clock.sleep(50);
         });
       } });`,
    );
    writeFileSync(folder.file("plinth.toml"), 'plugins = ["./slow.mjs"]\n');

    const { code, stderr, stdout } = await runProgram(
      ["--config-file=plinth.toml", `--genesis-file=${GENESIS}`, "--data-path=data"],
      { folder: folder.path },
    );

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Stopped: SIGTERM");
  });

  it("stops with exit code 1 after an uncaught error of an essential plugin", async () => {
    using folder = temporaryFolder();
    writeFileSync(
      folder.file("broken.mjs"),
      `import { definePlugin } from "@plinth/core";
       export default definePlugin({ name: "broken", essential: true, setup(node) {
         node.onStart(({ clock }) => { clock.after(20, () => { throw new Error("not today"); }); });
       } });`,
    );
    writeFileSync(folder.file("plinth.toml"), 'plugins = ["./broken.mjs"]\n');

    const { code, stdout } = await runProgram(
      ["--config-file=plinth.toml", `--genesis-file=${GENESIS}`, "--data-path=data"],
      { folder: folder.path },
    );

    expect(stdout).toContain("uncaught error of broken: not today");
    expect(stdout).toContain("broken.mjs");
    expect(code).toBe(1);
  });

  it("keeps its key between two starts, readable only by its owner", async () => {
    using folder = temporaryFolder();
    const first = await startNode(NODE, { folder: folder.path });
    await first.stop();
    const key = readFileSync(folder.file("data", "key"), "utf8");
    const second = await startNode(NODE, { folder: folder.path });
    await second.stop();

    expect(readFileSync(folder.file("data", "key"), "utf8")).toBe(key);
    expect(statSync(folder.file("data", "key")).mode & 0o077).toBe(0);
    expect(second.output()).not.toContain(key.slice(2));
  });

  it("runs the development profile", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(["--profile=dev"], { folder: folder.path });

    expect(await node.rpc("eth_chainId")).toBe("0x539");
  });

  it("applies flags over variables over the file over the profile", async () => {
    using folder = temporaryFolder();
    writeFileSync(
      folder.file("plinth.toml"),
      'identity = "file"\nnetwork-id = 3\nrpc-http-api = ["WEB3", "NET"]\n',
    );
    await using node = await startNode(
      ["--profile=dev", "--config-file=plinth.toml", "--network-id=1"],
      {
        folder: folder.path,
        environment: { PLINTH_IDENTITY: "variable", BESU_NETWORK_ID: "2", BESU_IDENTITY: "besu" },
      },
    );

    expect(await node.rpc("net_version")).toBe("1");
    expect(await node.rpc("web3_clientVersion")).toContain("plinth/variable/v");
    await expect(node.rpc("eth_chainId")).rejects.toMatchObject({ code: -32604 });
    expect(await askOverWebSocket(node.wsUrl, "eth_chainId")).toBe("0x539");
  });

  it("reports why a configuration file in JavaScript cannot be loaded", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("plinth.config.mjs"), 'throw new Error("no such folder");\n');
    const { code, stderr } = await runProgram([], { folder: folder.path });

    expect(stderr).toMatch(/^Invalid JavaScript configuration: no such folder in .*\.mjs\n/);
    expect(code).toBe(2);
  });

  it("writes one JSON object per line if configured", async () => {
    using folder = temporaryFolder();
    const node = await startNode([...NODE, "--logging-format=json"], { folder: folder.path });
    const { stdout } = await node.stop();

    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const members = { time: expect.any(String), level: expect.any(String) };
    const each = { ...members, plugin: expect.any(String), message: expect.any(String) };
    for (const line of lines) expect(line).toMatchObject(each);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: "info",
        plugin: "plinth",
        message: "Ethereum main loop is up.",
      }),
    );
  });

  it("reports which options have no effect", async () => {
    using folder = temporaryFolder();
    const words = [`--genesis-file=${GENESIS}`, "--rpc-http-host=127.0.0.1"];
    const node = await startNode(words, { folder: folder.path });
    const { stdout } = await node.stop();

    expect(stdout).toContain(
      "--rpc-http-host and --rpc-http-port has been ignored because --rpc-http-enabled was not defined on the command line.",
    );
  });

  it("survives malformed bodies of every kind", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(NODE, { folder: folder.path });
    const deep = "[".repeat(990) + "]".repeat(990);
    const tooDeep = "[".repeat(10_000) + "]".repeat(10_000);
    const bodies: [string, number, number | undefined][] = [
      ["{", 400, -32700],
      [deep, 200, -32600],
      [tooDeep, 400, -32700],
      [`{"id":1,"method":"web3_sha3","params":${deep}}`, 200, -32602],
      ['{"id":1,"method":"nope","method":"web3_clientVersion"}', 200, undefined],
      ['{"id":1,"method":7}', 400, -32600],
      ['{"id":1,"method":"nobody_knows"}', 200, -32601],
      [`[${'{"id":1,"method":"web3_clientVersion"},'.repeat(4999)}1]`, 200, -32005],
    ];

    for (const [body, status, code] of bodies) {
      const response = await fetch(node.url, { method: "POST", body });
      const json = (await response.json()) as { error?: { code: number } };
      const answer = Array.isArray(json) ? json[0] : json;
      expect([response.status, answer.error?.code]).toEqual([status, code]);
    }
    const large = await fetch(node.url, { method: "POST", body: "x".repeat(10_000_000) });
    expect([large.status, await large.text()]).toEqual([413, "Request Entity Too Large"]);
    expect(await node.rpc("net_version")).toBe("2026");
  });
});

describe("the program with subcommands", () => {
  let host: ProgramHost;
  beforeAll(() => {
    host = openProgramHost();
  });
  afterAll(() => host[Symbol.asyncDispose]());

  it("prints the public key and the address of the node's key", async () => {
    using folder = temporaryFolder();
    const key = "0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63";
    writeFileSync(folder.file("key"), key);

    const address = await runProgram(["--data-path=.", "public-key", "export-address"], {
      folder: folder.path,
    });
    const publicKey = await runProgram(
      ["public-key", "export", "--node-private-key-file=key", "--to=key.pub"],
      { folder: folder.path },
    );

    expect(address.stdout).toBe("0xfe3b557e8fb62b89f4916b721be55ceb828dbd73\n");
    expect(publicKey).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(folder.file("key.pub"), "utf8")).toMatch(/^0x[0-9a-f]{128}$/);
  });

  it("lists the plugins in order", async () => {
    using folder = temporaryFolder();
    const { code, stdout } = await runProgram(["plugins", "order"], { folder: folder.path });

    expect(code).toBe(0);
    expect(stdout).toMatch(/^ \d\d {2}storage-level +loaded +--key-value-storage is leveldb$/m);
    expect(stdout).toMatch(/^ \d\d {2}privacy +not loaded +after enclave, uses enclave;/m);
    const json = await runProgram(["plugins", "order", "--json"], { folder: folder.path });
    expect(JSON.parse(json.stdout)).toContainEqual({
      name: "storage-level",
      loaded: true,
      reason: "--key-value-storage is leveldb",
      after: [],
    });
  });

  it.each([
    [["rlp"], "USAGE\n  $ plinth rlp COMMAND"],
    [["rlp", "--help"], "COMMANDS\n  rlp decode  Lists"],
    [["--help"], "Commands (plinth COMMAND --help):\n"],
    [["help"], "Commands (plinth COMMAND --help):\n"],
    [["help", "rlp", "encode"], "USAGE\n  $ plinth rlp encode"],
    [["--help", "dev"], "Usage: plinth dev [OPTIONS]"],
    [["--help=http"], "Options of transport-http:"],
    [["--help=all"], "Options of transport-http:"],
    [["--Xhelp"], "--Xhttp-timeout-seconds"],
    [["--config-file=missing.toml", "--help=core"], "Options of core:"],
    [["--version"], "plinth/v"],
  ])("prints help for %j", async (words, text) => {
    using folder = temporaryFolder();
    const { code, stdout } = await host.run(words, { folder: folder.path });

    expect(stdout).toContain(text);
    expect(code).toBe(0);
  });

  it("prints help that fits on a screen, without experimental options", async () => {
    using folder = temporaryFolder();
    const { stdout } = await host.run(["--help"], { folder: folder.path });

    const lines = stdout.split("\n");
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(stdout).not.toContain("--X");
  });

  it("has no experimental options in the help with all of them", async () => {
    using folder = temporaryFolder();
    const { stdout } = await host.run(["--help=all"], { folder: folder.path });

    expect(stdout.replace("-X, --Xhelp", "")).not.toMatch(/^ *--X/m);
    expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(102);
  });

  it.each([
    [["--hlep"], "Unknown option: '--hlep'\nPossible solutions: --help\n"],
    [["hlep"], "Unmatched argument at index 0: 'hlep'\nPossible solutions: help"],
    [["up", "--hlep"], "Unknown option: '--hlep'\nPossible solutions: --help\n"],
    [["--help=transport-htp"], "Possible solutions: --help=transport-http"],
  ])("suggests a correction of %j", async (words, text) => {
    using folder = temporaryFolder();
    const { code, stderr } = await host.run(words, { folder: folder.path });

    expect(stderr).toContain(text);
    expect(code).toBe(2);
  });

  it.runIf(process.getuid?.() === 0)("runs one for a user unknown to the system", () => {
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, "rlp", "encode"], {
      cwd: "/",
      env: { PATH: process.env.PATH, HOME: "/nowhere" },
      uid: 54_321,
      gid: 54_321,
      input: "[]",
      encoding: "utf8",
    });

    expect(stdout).toMatch(/^0xe9a0/);
    expect(status).toBe(0);
  });

  it.each(["--json", "--format=json"])("prints the configuration as JSON: %s", async (flag) => {
    using folder = temporaryFolder();
    const { stdout } = await host.run(["--identity=a", "config", flag], { folder: folder.path });

    expect(JSON.parse(stdout).identity).toMatchObject({ value: "a" });
  });

  it("prints help for one of them", async () => {
    using folder = temporaryFolder();
    const { code, stdout } = await runProgram(["rlp", "encode", "--help"], { folder: folder.path });

    expect(stdout).toMatch(/^Encodes a JSON list .*\n\nUSAGE\n {2}\$ plinth rlp encode \[/);
    expect(code).toBe(0);
  });
});

async function askOverWebSocket(url: string, method: string): Promise<unknown> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
  const answer = new Promise<string>((resolve) =>
    socket.on("message", (message) => resolve(String(message))),
  );
  socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method }));
  const { result } = JSON.parse(await answer);
  socket.close();
  return result;
}
