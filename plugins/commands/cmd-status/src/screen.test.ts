import { describe, expect, it } from "vitest";
import { findProblems, findUnseen } from "./find-problems.js";
import type { NodeStatus } from "./node-status.js";
import { formatScreen } from "./screen.js";

const HASH = `0x${"ab".repeat(32)}`;

const GIB = 2 ** 30;

const NODE: NodeStatus = {
  clientVersion: "plinth/v0.1.0/linux-x86_64/node-20",
  chainId: 1337n,
  head: { number: 1_234_567n, hash: HASH, timestamp: 0n },
  headAge: 3,
  health: { status: "up", checks: [] },
  inside: {
    networkId: 2018n,
    genesisHash: HASH,
    pending: 1200,
    setAside: [],
    peers: 3,
    sync: { syncing: true, highest: 2_000n },
    disk: { totalBytes: 3 * GIB, freeBytes: 20 * GIB, bytesPerDay: 2 * GIB, daysLeft: 10 },
    plugins: ["rpc-eth", "rpc-net"],
  },
};

const WELL = { troubles: [], hasColors: false };

describe("the screen", () => {
  it("starts with the verdict, green or red if colors are supported", () => {
    const lines = (troubles: readonly string[], hasColors: boolean) =>
      formatScreen("http://127.0.0.1/", NODE, { troubles, hasColors }).split("\n");

    expect(lines([], false).slice(0, 3)).toEqual(["No problems.", "", "Health    up"]);
    expect(lines([], true)[0]).toBe("\u001b[32mNo problems.\u001b[39m");
    expect(lines(["it is late"], true)[1]).toBe("\u001b[31m- it is late\u001b[39m");
  });

  it("has a row for each item, none longer than a terminal", () => {
    const plugins = Array.from({ length: 40 }, (_, index) => `plugin-${index}`);
    const node = { ...NODE, inside: NODE.inside && { ...NODE.inside, plugins } };

    const lines = formatScreen("http://127.0.0.1:8545/", node, WELL).split("\n");

    expect(lines).toContain("Peers     3");
    expect(lines).toContain("Pool      1,200 transactions");
    expect(lines).toContain(
      "Disk      3.00 GiB, 2.00 GiB more per day, disk full in about 10 days",
    );
    expect(lines).toContain("Head      block 1,234,567, 3 s old,");
    expect(lines).toContain(`          ${HASH}`);
    expect(lines.filter(({ length }) => length > 100)).toEqual([]);
  });

  it.each([
    [0, "0 s"],
    [59, "59 s"],
    [60, "1 min"],
    [725, "12 min 5 s"],
    [14_520, "4 h 2 min"],
    [788_400, "9 d 3 h"],
  ])("shows an age of %i seconds as %s", (headAge, text) => {
    expect(formatScreen("http://127.0.0.1/", { ...NODE, headAge }, WELL)).toContain(
      `, ${text} old`,
    );
  });
});

describe("the problems", () => {
  const withHealth = (status: string, checks: NodeStatus["health"]["checks"] = []) => ({
    ...NODE,
    health: { status, checks },
  });

  it.each([
    [NODE, undefined, []],
    [NODE, 3, []],
    [NODE, 2, ["block 1234567 is 3 s old, more than 2 s"]],
    [withHealth("not ready"), undefined, ["it is not ready"]],
    [
      withHealth("down", [
        { plugin: "a", name: "disk", status: "down", detail: "full" },
        { plugin: "b", name: "peers", status: "up", detail: undefined },
        { plugin: "c", name: "clock", status: "degraded", detail: undefined },
      ]),
      undefined,
      ["a is down: disk: full", "c is degraded: clock"],
    ],
  ])("%#", (node, maxHeadAge, troubles) => {
    expect(findProblems(node, maxHeadAge)).toEqual(troubles);
  });
});

describe("a node without namespace plinth", () => {
  const outside = { peers: 3, sync: { syncing: false, highest: 0n }, period: 2 };
  const seen: NodeStatus = { ...NODE, inside: undefined, outside };

  it.each([
    [3, outside, undefined, []],
    [30, outside, undefined, []],
    [
      65,
      outside,
      undefined,
      ["block 1234567 is 65 s old; the previous blocks were at most 2 s apart"],
    ],
    [65, outside, 90, []],
    [65, { ...outside, period: 7 }, undefined, []],
    [65, { ...outside, period: undefined }, undefined, []],
  ])("is judged by its last blocks, %#", (headAge, known, maxHeadAge, troubles) => {
    expect(findProblems({ ...seen, headAge, outside: known }, maxHeadAge)).toEqual(troubles);
  });

  it("is not in sync without peers, regardless of what it reports", () => {
    const alone = { ...seen, outside: { ...outside, peers: 0 } };

    expect(formatScreen("http://127.0.0.1/", alone, WELL)).toContain(
      "Peers     0\nSync      no peers: later blocks would be unknown\n",
    );
  });

  it("is shown with what is not visible", () => {
    const screen = formatScreen("http://127.0.0.1/", seen, WELL);

    expect(screen).toContain("Peers     3\nSync      in sync\n");
    expect(screen).toContain("No problems in what eth_ and net_ show.");
    expect(screen).toContain("Not visible: transaction pool, plugins and the health");
    expect(findUnseen({ ...seen, outside: { ...outside, period: undefined } })[0]).toBe(
      "whether the head block is late",
    );
  });
});

describe("transactions that are set aside", () => {
  it("are named with the reason", () => {
    const setAside = [{ hash: HASH, message: "it was still running after 750 ms" }];
    const node = { ...NODE, inside: NODE.inside && { ...NODE.inside, setAside } };

    const screen = formatScreen("http://127.0.0.1:8545/", node, WELL).replace(/\s+/g, " ");

    expect(screen).toContain(`set aside: ${HASH}: it was still running after 750 ms`);
  });
});
