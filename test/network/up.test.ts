import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, runProgram } from "../support/program.js";
import { report } from "../support/report.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { terminalSvg } from "../support/terminal-svg.js";
import { until } from "./network-node.js";
import {
  callNode,
  endingNodes,
  findNodeProcesses,
  type ListedNode,
  listNodes,
  ProgramProcess,
  residentMebibytes,
} from "./program-process.js";

const isLong = process.env.PLINTH_NETWORK !== undefined;
const LIMIT_MS = 120_000;
const PAGE = join(ROOT, "docs/operators/private-network.md");
const PICTURE = join(ROOT, "docs/pictures/up.svg");
const RECORDING = /(<!-- recording: .* -->\n\n```text\n)[^`]*(```\n)/;
const RICH = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

describe("plinth up", { timeout: 600_000 }, () => {
  it("runs four validators, is adopted after kill -9, continues where it was and leaves no process", async () => {
    using place = temporaryFolder();
    const folder = `${realpathSync(place.path)}/network`;
    await using _nodes = endingNodes(folder);
    const flags = ["--to=network", "--engine=qbft", "--nodes=4", "--period=1", "--base-port=0"];
    const made = await runProgram(["genesis", "create", ...flags, "--dev-accounts"], {
      folder: place.path,
    });
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(statSync(`${folder}/node1/key`).mode & 0o777).toBe(0o600);

    await using first = startUp(folder);
    await first.printed("block 2 ");
    const nodes = listNodes(folder);
    await until(async () => hasPeers(nodes, 3), LIMIT_MS);
    const status = await runProgram(["up", "status", "--data-path=network"], {
      folder: place.path,
    });
    const listed = await runProgram(["up", "status", "--data-path=network", "--json"], {
      folder: place.path,
    });
    const lines = listed.stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      nodes.map(({ name }) => ({ name, pid: expect.any(Number), peers: 3 })),
    );
    const balances = await Promise.all(
      nodes.map((node) => callNode(node, "eth_getBalance", [RICH, "latest"])),
    );
    expect(balances).toEqual(Array(4).fill("0x21e19e0c9bab2400000"));
    const again = await runProgram(["up", `--data-path=${folder}`], { folder: place.path });
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("is already run by process");
    const before = await findNodeProcesses(folder);
    await first.end("SIGKILL");
    expect(await findNodeProcesses(folder)).toEqual(before);

    await using second = startUp(folder);
    await second.printed("node4 is already running");
    await second.printed(/^block \d+ /m);
    expect(await findNodeProcesses(folder)).toEqual(before);
    const code = await second.end("SIGINT");

    expect(code).toBe(0);
    expect(readFileSync(`${folder}/node1/node.log`, "utf8")).toContain("Ethereum main loop is up.");
    expect(await findNodeProcesses(folder)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.includes("lock"))).toEqual([]);
    const page = readFileSync(PAGE, "utf8");
    expect(page).toMatch(RECORDING);
    const recording = recordingOf(
      [
        ["$ plinth up --data-path=network", ...linesOf(first, /^(QBFT|explorer: |block [12] )/)],
        ["$ plinth up status --data-path=network", ...status.stdout.trimEnd().split("\n")],
        ["^C", ...linesOf(second, /^stop/)],
      ],
      { folder, ports: nodes.map(({ rpcPort }) => rpcPort) },
    );
    const updated = page.replace(RECORDING, (_, before, after) => `${before}${recording}${after}`);
    await expect(updated).toMatchFileSnapshot(PAGE);
    await expect(terminalSvg("plinth up", recording)).toMatchFileSnapshot(PICTURE);
  });
});

describe("plinth up for every engine", { timeout: 600_000 }, () => {
  const engines = ["qbft", "ibft2", "clique"].flatMap((engine) =>
    [1, 4, 7].map((count) => [engine, count] as const),
  );

  it.runIf(isLong).each(engines)("produces blocks with %s and %i nodes", async (engine, count) => {
    using place = temporaryFolder();
    const folder = `${realpathSync(place.path)}/network`;
    await using _nodes = endingNodes(folder);
    const began = Date.now();
    const flags = [`--engine=${engine}`, `--nodes=${count}`, "--period=1", "--base-port=0"];
    await using up = startUp(folder, flags);

    await up.printed("block 1 ");
    const firstBlockMs = Date.now() - began;
    await up.printed("block 5 ");
    const memory = (await findNodeProcesses(folder)).map((pid) => residentMebibytes(pid));

    expect(memory).toHaveLength(count);
    report(`${engine}, ${count} nodes: ms to the first block, largest memory of a node in MiB`, [
      firstBlockMs,
      Math.max(...memory),
    ]);
  });

  it.runIf(isLong)(
    "is detached, shows its status, accepts another validator by snapshot and stops",
    async () => {
      using place = temporaryFolder();
      const folder = `${realpathSync(place.path)}/network`;
      await using _nodes = endingNodes(folder);
      const run = (...words: readonly string[]) => runProgram(words, { folder: place.path });
      const words = [`--data-path=${folder}`, "up"];
      await run(...words, "--nodes=4", "--period=1", "--base-port=0", "--detach");
      try {
        const status = await run(...words, "status");
        expect(status).toMatchObject({
          code: 0,
          stdout: expect.stringMatching(/node4 +up +\d+ +3 +0/),
        });

        const snapshot = `${folder}-snapshot`;
        const config = `--config-file=${folder}/node1/plinth.toml`;
        expect(await run(config, "snapshot", "create", snapshot)).toMatchObject({ code: 0 });
        const added = await run(
          ...words,
          ...["add-node", "--validator", "--base-port=0", `--snapshot=${snapshot}`],
        );
        expect(added).toMatchObject({
          code: 0,
          stdout: expect.stringContaining("node4 votes for node5"),
        });
        const [first, , , , fifth] = listNodes(folder);
        if (first === undefined || fifth === undefined) throw new Error("expected five nodes");
        const validators = () => callNode(first, "qbft_getValidatorsByBlockNumber", ["latest"]);
        await until(
          async () => ((await validators()) as readonly string[]).includes(fifth.address),
          LIMIT_MS,
        );
        const log = readFileSync(`${folder}/node5/node.log`, "utf8");
        expect(log).toContain("The node has joined its chain at block");
        const height = Number(await callNode(first, "eth_blockNumber"));
        await run(...words, "stop");
        const again = await run(...words, "--detach");
        expect(again).toMatchObject({ code: 0, stderr: "" });
        expect(Number(await callNode(first, "eth_blockNumber"))).toBeGreaterThanOrEqual(height);
      } finally {
        await run(...words, "stop");
      }
      expect(await findNodeProcesses(folder)).toEqual([]);
      expect((await run(...words, "status")).code).toBe(1);
    },
  );

  it.runIf(isLong).each([300, 600, 900, 1200, 1800, 3000])(
    "is killed %i ms after its start, and the next one runs the same four nodes",
    async (ms) => {
      using place = temporaryFolder();
      const folder = `${realpathSync(place.path)}/network`;
      await using _nodes = endingNodes(folder);
      const killed = startUp(folder, ["--nodes=4", "--period=1", "--base-port=0"]);
      await new Promise((resolve) => setTimeout(resolve, ms));
      await killed.end("SIGKILL");
      const left = await findNodeProcesses(folder);
      const run = (...words: readonly string[]) =>
        runProgram(["up", ...words, `--data-path=${folder}`], { folder: place.path });

      // If it was killed before there was a network, the next one chooses the ports.
      const flags = existsSync(`${folder}/network.json`) ? [] : ["--nodes=4", "--base-port=0"];
      const next = await run("--detach", ...flags);
      const processes = await findNodeProcesses(folder);
      await run("stop");

      expect(next).toMatchObject({ code: 0, stderr: "" });
      expect(processes).toHaveLength(4);
      expect(processes).toEqual(expect.arrayContaining([...left]));
      expect(await findNodeProcesses(folder)).toEqual([]);
    },
  );

  it.runIf(isLong)("reports a node that dies, and continues without it", async () => {
    using place = temporaryFolder();
    const folder = `${realpathSync(place.path)}/network`;
    await using _nodes = endingNodes(folder);
    await using up = startUp(folder, ["--nodes=4", "--period=1", "--base-port=0"]);
    await up.printed("block 2 ");
    const [victim = 0] = await findNodeProcesses(folder);
    process.kill(victim, "SIGKILL");

    await up.printed(/node\d has ended \(SIGKILL\); its log is /);
    await up.printed(/block [6-9] /);
  });
});

describe("a node of plinth up that is down", () => {
  it("is reported with the end of its log, and the exit code is 1", async () => {
    using place = temporaryFolder();
    const folder = `${realpathSync(place.path)}/network`;
    await using _nodes = endingNodes(folder);
    const run = (...words: readonly string[]) => runProgram(words, { folder: place.path });
    await run("genesis", "create", "--to=network", "--nodes=1", "--base-port=0");
    appendFileSync(`${folder}/node1/plinth.toml`, "color = 1\n");

    const { code, stdout } = await run("up", "--data-path=network", "--detach");

    expect(code).toBe(1);
    expect(stdout).toContain(
      `node1 has ended (exit code 2); its log is ${folder}/node1/node.log\n  Unknown option in TOML configuration file: color`,
    );
    expect(stdout).toContain("stopped before there was a block");
  });
});

describe("bad input of plinth up", () => {
  it("is reported on one line, and nothing is written", async () => {
    using place = temporaryFolder();
    const run = (...words: readonly string[]) =>
      runProgram(["up", "--data-path=network", ...words], { folder: place.path });
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { readonly port: number };

    const taken = await run(`--base-port=${port}`, "--nodes=1");
    server.close();
    const unknown = await run("--engine=raft");

    expect(taken.code).toBe(1);
    expect(taken.stderr).toContain(`port ${port} (RPC of node1) is in use`);
    expect(unknown.stderr).toContain("loaded plugins support networks with");
    expect(readdirSync(place.path)).toEqual([]);
  });

  it("is a folder of something else, or of another network", async () => {
    using place = temporaryFolder();
    mkdirSync(place.file("other"));
    writeFileSync(place.file("other", "notes.txt"), "");
    const run = (...words: readonly string[]) => runProgram(words, { folder: place.path });
    const flags = ["--to=network", "--nodes=1", "--base-port=0"];
    await run("genesis", "create", ...flags);

    const other = await run("up", "--data-path=other");
    const wrong = await run("up", "--data-path=other", "--engine=raft");
    const hosts = ["--to=far", "--nodes=2", "--hosts=10.0.0.1,10.0.0.2", "--home=/var/lib/plinth"];
    await run("genesis", "create", ...hosts);
    const far = await run("up", "--data-path=far");
    const different = await run("up", "--data-path=network", "--engine=clique");
    const again = await run("genesis", "create", ...flags);

    expect(other.stderr).toContain("contains other files (notes.txt)");
    expect(wrong.stderr).toContain("Invalid value for option '--engine'");
    expect(different.stderr).toContain("--engine is qbft there, not clique");
    expect(again.stderr).toContain("is not empty");
    expect(far.stderr).toContain("are for separate machines (node1 for 10.0.0.1)");
    expect([other.code, different.code, again.code]).toEqual([1, 1, 1]);
    expect(readdirSync(place.file("other"))).toEqual(["notes.txt"]);
  });
});

/** Whether every node responds, and has this many peers. */
async function hasPeers(nodes: readonly ListedNode[], count: number): Promise<boolean> {
  const answers = nodes.map((node) => callNode(node, "net_peerCount").catch(() => "0x0"));
  return (await Promise.all(answers)).every((answer) => Number(answer) === count);
}

function linesOf(up: ProgramProcess, pattern: RegExp): readonly string[] {
  return up
    .output()
    .split("\n")
    .filter((line) => pattern.test(line));
}

/**
 * The terminal output, with varying parts removed: producers, times, rounds, heights, ports and
 * paths.
 */
function recordingOf(
  parts: readonly (readonly string[])[],
  { folder, ports }: { readonly folder: string; readonly ports: readonly number[] },
): string {
  const text = parts
    .map((lines) => lines.join("\n"))
    .join("\n")
    .replaceAll(folder, "/home/ada/network")
    .replaceAll("`", "'")
    .replace(/^block (\d+) .*$/gm, (_, number) => {
      return `block ${number}  0 transactions  round 0  by node${number}  10:14:0${number}`;
    })
    .replace(/ up +\d+ +3 +\d+ +/g, " up     2       3      0      ");
  const shown = ports.reduce(
    (before, port, index) => before.replaceAll(String(port), String(8545 + index)),
    text,
  );
  return `${shown}\n`;
}

/** In the folder that the network is in. */
function startUp(folder: string, flags: readonly string[] = []): ProgramProcess {
  return ProgramProcess.start(["up", `--data-path=${folder}`, ...flags], dirname(folder));
}
