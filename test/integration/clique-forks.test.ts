import { toHex } from "@plinth/core";
import consensusClique from "@plinth/plugin-consensus-clique";
import consensusPos from "@plinth/plugin-consensus-pos";
import evmPlinth from "@plinth/plugin-evm-plinth";
import rpcClique from "@plinth/plugin-rpc-clique";
import { createTestNode, FakeClock } from "@plinth/testing";
import { expect, it } from "vitest";
import { cliqueGenesis, SIGNERS } from "../support/clique-chain.js";
import { CliqueNetwork } from "../support/clique-network.js";

const START_SECONDS = 1_700_000_000;
const [OWN] = SIGNERS;

it("passes London, with a base fee under the seal", async () => {
  await using network = await CliqueNetwork.start({
    signers: 3,
    config: { londonBlock: 4, arrowGlacierBlock: 6, grayGlacierBlock: 7 },
  });

  await network.until(() => network.heads().every(({ number }) => number >= 9n), 60_000);

  const { blocks } = network.node(0).node;
  const fees = [3n, 4n, 9n].map((number) => blocks.findHeader(number)?.baseFeePerGas !== undefined);
  expect(fees).toEqual([false, true, true]);
});

it("ends when proof of stake takes over, and still has its signers", async () => {
  const clock = new FakeClock(START_SECONDS * 1000);
  await using test = await createTestNode({
    plugins: [evmPlinth, consensusClique, consensusPos, rpcClique],
    key: toHex(OWN.key),
    genesis: cliqueGenesis({
      signers: [OWN],
      config: { londonBlock: 0, terminalTotalDifficulty: 7 },
      timestamp: START_SECONDS,
    }),
    clock,
  });
  const { blocks } = test.node;
  while (blocks.head().number < 3n) await clock.advance(500);

  await clock.advance(60_000);

  // Block 0 has difficulty 1, each block of the only signer 2.
  expect(blocks.head().number).toBe(3n);
  expect(await test.rpc("clique_getSigners")).toEqual([OWN.address]);
});

it("produces a block when there are transactions, with a period of 0 as in geth", async () => {
  const clock = new FakeClock(START_SECONDS * 1000);
  await using test = await createTestNode({
    plugins: [consensusClique],
    key: toHex(OWN.key),
    genesis: cliqueGenesis({ signers: [OWN], clique: { period: 0 }, timestamp: START_SECONDS }),
    clock,
  });

  await clock.advance(60_000);

  expect(test.node.blocks.head().number).toBe(0n);
});
