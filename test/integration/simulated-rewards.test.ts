import consensusEthash from "@plinth/plugin-consensus-ethash";
import rpcEth from "@plinth/plugin-rpc-eth";
import { BOB, createTestNode } from "@plinth/testing";
import { expect, it } from "vitest";

const CODE = "0x00000000000000000000000000000000000000aa";

it("the producer of a simulated block is rewarded like that of a real one", async () => {
  await using node = await createTestNode({
    plugins: [consensusEthash, rpcEth],
    genesis: {
      config: { chainId: 1, londonBlock: 0, ethash: {} },
      gasLimit: "0x1000000",
      alloc: {},
    },
  });
  // Returns the balance of the producer.
  const code = `0x73${BOB.slice(2)}3160005260206000f3`;
  const blockOverrides = { feeRecipient: BOB };
  const blockStateCalls = [
    { blockOverrides, stateOverrides: { [CODE]: { code } } },
    { blockOverrides, calls: [{ to: CODE }] },
  ];

  const [, second] = Object(await node.rpc("eth_simulateV1", [{ blockStateCalls }]));

  expect(BigInt(second.calls[0].returnData)).toBe(2n * 10n ** 18n);
});
