import protocolEth from "@plinth/plugin-protocol-eth";
import rpcAdmin from "@plinth/plugin-rpc-admin";
import { createTestNode, FakeClock, MemoryNetwork, type TestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";

/** How often eth/69 announces the range of a chain. */
const RANGE_BLOCKS = 32;

describe.each([68, 69])("the entry of admin_peers for a peer with eth/%i", (version) => {
  it("is complete, and its head is the last block it sent", async () => {
    const { clock, start } = createNetwork(version);
    await using alice = await start("alice");
    await using bob = await start("bob");
    await clock.advance(5_000);
    expect(await peerOf(bob)).toEqual({ version, head: headOf(alice), difficulty: "0x0" });

    await alice.mine([], []);
    await clock.advance(100);

    expect(bob.node.blocks.head().number).toBe(2n);
    expect(await peerOf(bob)).toEqual({ version, head: headOf(alice), difficulty: "0x2" });
  });
});

it("the head of a peer that sends no blocks is that of its last range", async () => {
  const { clock, start } = createNetwork(69);
  await using alice = await start("alice");
  await using bob = await start("bob");
  await clock.advance(5_000);

  for (let made = 0; made < RANGE_BLOCKS; made++) {
    await alice.mine([]);
    await clock.advance(100);
  }
  await clock.advance(1_000);

  expect(headOf(bob)).toBe(headOf(alice));
  expect(await peerOf(alice)).toEqual({ version: 69, head: headOf(bob), difficulty: "0x20" });
});

function createNetwork(version: number) {
  const clock = new FakeClock(1_700_000_000_000);
  const network = new MemoryNetwork({ clock });
  const start = (name: string) =>
    createTestNode({
      plugins: [protocolEth, rpcAdmin, network.plugin(name)],
      options: { networkDriver: "memory", XethCapabilityMax: version },
      clock,
    });
  return { clock, start };
}

function headOf({ node }: TestNode): string {
  return node.blocks.head().hash;
}

async function peerOf(node: TestNode): Promise<unknown> {
  const [peer] = Object(await node.rpc("admin_peers"));
  return peer.protocols.eth;
}
