import { randomBytes } from "node:crypto";
import { type Address, type Hex, toHex } from "@plinth/core";
import {
  encodeAddition,
  encodeRemoval,
  PROXY_ADDRESS,
  SELECTORS,
} from "@plinth/plugin-privacy/api";
import { expect, it } from "vitest";
import { until } from "./network-node.js";
import { creationOf, PrivacyNetwork, STORE_CODE, word } from "./privacy-network.js";

const LIMIT_MS = 60_000;

/** A change of a group, and the node that is killed during it. */
interface Step {
  readonly name: string;
  readonly to?: Address;
  readonly data: Hex;
  readonly killed: number;
  /** The nodes whose keys are members afterwards. */
  readonly members: readonly number[];
}

/** `PLINTH_NETWORK=1`: it takes half a minute. */
const isLong = process.env.PLINTH_NETWORK !== undefined;

it.runIf(isLong)(
  "members of a flexible group agree after every step, whatever node is killed in it",
  async () => {
    await using network = await PrivacyNetwork.start({
      words: ["--privacy-flexible-groups-enabled"],
    });
    const group = randomBytes(32).toString("base64");
    const keyOf = (index: number) => Buffer.from(network.manager(index).key, "base64");
    let nonce = 0;
    const take = async ({ name, to = PROXY_ADDRESS, data, killed, members }: Step) => {
      const hash = await network.send(0, { nonce: nonce++, data, for: group, ...(to && { to }) });
      await network.node(killed).kill();
      await network.node(killed).start();
      const receipt = await network.receipt(0, hash);
      const { blockNumber = "", status } = receipt ?? {};
      expect([name, status]).toEqual([name, "0x1"]);
      for (const index of members) await network.receipt(index, hash);
      const roots = await Promise.all(
        members.map((index) => network.root(index, group, blockNumber)),
      );
      expect([name, new Set(roots).size]).toEqual([name, 1]);
      return receipt;
    };

    await take({
      name: "create",
      data: toHex(encodeAddition([0, 1].map(keyOf))),
      killed: 1,
      members: [0, 1],
    });
    const hash = await network.send(0, {
      nonce: nonce++,
      data: creationOf(STORE_CODE),
      for: group,
    });
    const { contractAddress } = (await network.receipt(0, hash)) ?? {};
    const contract = contractAddress ?? expect.fail("no contract");
    const valueAt = async (index: number) =>
      Number(
        await network.node(index).rpc("priv_call", [group, { to: contract, data: "0x" }, "latest"]),
      );
    const store = (value: number, killed: number, members: readonly number[]) =>
      take({ name: `store ${value}`, to: contract, data: word(value), killed, members });

    await store(1, 0, [0, 1]);
    await take({ name: "lock", data: SELECTORS.lock, killed: 1, members: [0, 1] });
    await take({
      name: "add",
      data: toHex(encodeAddition([keyOf(2)])),
      killed: 2,
      members: [0, 1, 2],
    });
    expect(await valueAt(2)).toBe(1);
    await store(2, 2, [0, 1, 2]);
    await take({
      name: "remove",
      data: toHex(encodeRemoval(keyOf(1))),
      killed: 1,
      members: [0, 2],
    });
    await store(3, 0, [0, 2]);

    await until(async () => (await valueAt(2)) === 3, LIMIT_MS);
    expect(await valueAt(1)).toBe(2);
  },
  240_000,
);
