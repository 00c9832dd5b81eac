import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { Lag } from "./chain/lag.js";
import plugin from "./index.js";
import { verifyOptions } from "./refused-options.js";
import { problemOfAddress } from "./source/address.js";

const CLOSED = "http://127.0.0.1:1";

describe("--follow", () => {
  it.each([
    ["ftp://a", "'ftp://a': expected the address of a node that begins with http:// or https://"],
    ["8545", "'8545': expected the address of a node"],
    ["http://user:secret@a", "'http://a': expected an address without a user and a password"],
    ["ftp://user:secret@a", "'…': expected the address of a node"],
    ["http://a/?key=1", "'http://a': expected an address without ? and #"],
  ])("rejects the address %s", (address, problem) => {
    expect(problemOfAddress(address)).toContain(problem);
  });

  it("accepts an address with a path", () => {
    expect(problemOfAddress("https://a.org/rpc/key")).toBeUndefined();
  });

  it("rejects an option that contradicts it by name", async () => {
    const starting = createTestNode({
      plugins: [plugin],
      options: { follow: [CLOSED], minerCoinbase: `0x${"11".repeat(20)}` },
    });

    await expect(starting).rejects.toMatchObject({
      code: "FOLLOW_CONTRADICTED",
      message:
        "--miner-coinbase and --follow contradict each other: a replica produces no blocks; leave --miner-coinbase out",
    });
  });

  it.each(["p2pEnabled", "bootnodes", "nodePrivateKeyFile", "privacyEnabled", "forkUrl"])(
    "contradicts %s, unless that is false",
    (key) => {
      const verify = (value: unknown) =>
        verifyOptions({ isOptionSet: (each) => each === key, optionValue: () => value });

      expect(() => verify(true)).toThrow("contradict each other");
      expect(() => verify(false)).not.toThrow();
    },
  );

  it("rejects a token file without a token", async () => {
    const starting = createTestNode({
      plugins: [plugin],
      options: { follow: [CLOSED], followTokenFile: "/dev/null" },
    });

    await expect(starting).rejects.toMatchObject({
      message:
        "Invalid value for option '--follow-token-file': /dev/null has no token; expected one line without spaces",
    });
  });

  it("accepts no transaction into the pool, in whatever way it comes", async () => {
    await using node = await createTestNode({
      plugins: [plugin],
      options: { follow: [CLOSED] },
    });

    await expect(node.mine([{}])).rejects.toThrow();
    expect(node.node.pool.all()).toEqual([]);
  });
});

describe("the lag", () => {
  it("is down until the replica has caught up, and if it is behind for too long", () => {
    let now = 0;
    const rotation = { followed: undefined as { name: string } | undefined, problems: ["a: gone"] };
    const clock = { now: () => now } as never;
    const lag = new Lag({ clock, rotation: rotation as never, maxSeconds: 10 });
    const health = () => lag.health();

    expect(health()).toEqual({
      ...{ status: "down", detail: "catching up for the first time: a: gone" },
    });
    rotation.followed = { name: "a" };
    lag.report({ applied: 3n, last: 5n });
    expect(health().detail).toBe("catching up for the first time, 2 blocks left: a");
    lag.report({ applied: 5n, last: 5n });
    now = 60_000;
    expect(health()).toEqual({ status: "up", detail: "0 blocks and 0 s behind: a" });
    lag.report({ applied: 5n, last: 5n });
    rotation.followed = undefined;
    now = 65_000;
    expect(health()).toEqual({ status: "degraded", detail: "0 blocks and 5 s behind: a: gone" });
    now = 71_000;
    expect(health().status).toBe("down");
    expect([lag.blocks, lag.seconds]).toEqual([0, 11]);
  });
});
