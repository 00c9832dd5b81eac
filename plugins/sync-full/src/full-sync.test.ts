import { FakeClock, MemoryNetwork } from "@plinth/core/testing";
import protocolEth from "@plinth/plugin-protocol-eth";
import { createTestNode, type TestNode, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import syncFull from "./index.js";

function createNetwork(conditions: object = {}) {
  const clock = new FakeClock(1_700_000_000_000);
  const network = new MemoryNetwork({ clock, ...conditions });
  const start = (name: string) =>
    createTestNode({
      plugins: [protocolEth, syncFull, network.plugin(name)],
      options: { networkDriver: "memory" },
      clock,
    });
  return { clock, network, start };
}

const headOf = (node: TestNode) => node.node.blocks.head();

async function mineEmpty(node: TestNode, count: number): Promise<void> {
  for (let made = 0; made < count; made++) await node.mine([]);
}

describe("full synchronization", () => {
  it("fetches and executes the chain of a peer", async () => {
    const { clock, start } = createNetwork();
    await using alice = await start("alice");
    await mineEmpty(alice, 420);
    await alice.mine([transfer()], [transfer(), transfer()]);
    await using bob = await start("bob");

    await clock.advance(20_000);

    expect(headOf(bob)).toEqual(headOf(alice));
    expect(bob.node.blocks.hasState(headOf(bob))).toBe(true);
  });

  it("follows new blocks as they are made", async () => {
    const { clock, start } = createNetwork();
    await using alice = await start("alice");
    await using bob = await start("bob");
    await using carol = await start("carol");
    await clock.advance(5_000);

    await alice.mine([transfer()]);
    await bob.node.blocks.head();
    await clock.advance(100);

    expect(headOf(bob)).toEqual(headOf(alice));
    expect(headOf(carol)).toEqual(headOf(alice));
  });

  it("goes over to a longer chain after a partition", async () => {
    const { clock, network, start } = createNetwork();
    await using alice = await start("alice");
    await using bob = await start("bob");
    await clock.advance(5_000);
    await alice.mine([transfer()]);
    await clock.advance(100);
    network.partition(["alice"], ["bob"]);
    await mineEmpty(alice, 5);
    await mineEmpty(bob, 7);
    await clock.advance(40_000);

    network.heal();
    await clock.advance(60_000);

    expect(headOf(alice)).toEqual(headOf(bob));
    expect(headOf(alice).number).toBe(8n);
  });
});
