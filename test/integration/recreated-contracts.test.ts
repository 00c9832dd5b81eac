import { type Address, hexToBytes, keccak256, loadCrypto, toHex } from "@plinth/core";
import rpcEth from "@plinth/plugin-rpc-eth";
import { createTestNode, DEV_GENESIS, type TestNode } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";

const FACTORY: Address = `0x${"fa".repeat(20)}`;
/** Destroys itself when it is called without data, otherwise writes 5 to slot 1. */
const RUNTIME = "3660065733ff5b600560015500";
/** Writes 1 to slot 0, and returns the code above. */
const INIT = `60016000556c${RUNTIME}600052600d6013f3`;
/** Creates that contract, always at one address. */
const FACTORY_CODE = `0x7a${INIT}6000526007601b60056000f500`;
const SALT = `${"00".repeat(31)}07`;
const GAS = { gasLimit: 200_000n };

beforeAll(() => loadCrypto());

/** Before Cancun (EIP-6780). */
describe("a contract that is destroyed and created again in one block", () => {
  it.each([1, 2])("has the slots of a new one, even if they are equal: %i times", async (times) => {
    await using node = await createTestNode({
      plugins: [rpcEth],
      eth: false,
      genesis: {
        ...DEV_GENESIS,
        config: { chainId: 1337, shanghaiTime: 0, dev: {} },
        alloc: { ...DEV_GENESIS.alloc, [FACTORY]: { balance: "0", code: FACTORY_CODE } },
      },
    });
    const [create, destroy] = [
      { to: FACTORY, ...GAS },
      { to: contract(), ...GAS },
    ];
    await node.mine([create]);
    const fresh = await accountOf(node);
    expect(fresh.slots).toEqual(["0x1", "0x0"]);
    await node.mine([{ ...destroy, data: "0x01" }]);
    expect((await accountOf(node)).slots).toEqual(["0x1", "0x5"]);
    await node.mine(Array.from({ length: times }, () => [destroy, create]).flat());

    expect(await accountOf(node)).toEqual(fresh);
    await node.restart();
    expect(await accountOf(node)).toEqual(fresh);
  });
});

async function accountOf(node: TestNode) {
  const proof = (await node.rpc("eth_getProof", [contract(), ["0x0", "0x1"], "latest"])) as {
    readonly storageHash: string;
    readonly codeHash: string;
    readonly storageProof: readonly { readonly value: string }[];
  };
  const { storageHash, codeHash, storageProof } = proof;
  return { storageHash, codeHash, slots: storageProof.map(({ value }) => value) };
}

/** EIP-1014. */
function contract(): Address {
  const init = keccak256(hexToBytes(`0x${INIT}`));
  const hash = keccak256(hexToBytes(`0xff${FACTORY.slice(2)}${SALT}${toHex(init).slice(2)}`));
  return toHex(hash.slice(12));
}
