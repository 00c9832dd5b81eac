import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { creationOf, PrivacyNetwork, STORE_CODE, word } from "../network/privacy-network.js";
import { clientFolder, isMissing } from "./installed.js";

const LIMIT_MS = 120_000;
const KEY = "c87509a1c067bbde78beb793e6fa76530b6382a4c0241e5e4a9ec0a0f44dc0d3";
const SENDER = "0x627306090abaB3A6e1400e9345bC60c78a8BEf57";

/** The methods of the library, by name. */
type Priv = Readonly<Record<string, (...params: readonly unknown[]) => Promise<never>>>;

describe.skipIf(isMissing("web3js-quorum"))("private transactions seen by web3js-quorum", () => {
  let network: PrivacyNetwork;
  let clients: readonly Priv[];
  const at = (index: number, method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const call = clients[index]?.[method];
    if (call === undefined) throw new Error(`the library has no ${method}`);
    return call(...params);
  };
  const keyOf = (index: number) => network.manager(index).key;

  beforeAll(async () => {
    network = await PrivacyNetwork.start();
    const { connect } = await import(join(clientFolder("web3js-quorum"), "client.mjs"));
    clients = [0, 1, 2].map((index) => connect(network.node(index).urls.http));
  }, LIMIT_MS);
  afterAll(() => network?.[Symbol.asyncDispose](), LIMIT_MS);

  /** Sends with the library, which chooses the nonce, and waits like it. */
  async function send(message: object): Promise<Record<string, never>> {
    const hash = await at(0, "generateAndSendRawTransaction", {
      privateFrom: keyOf(0),
      privateKey: KEY,
      ...message,
    });
    return (await at(0, "waitForTransactionReceipt", hash)) as Record<string, never>;
  }

  it("are sent to parties, and readable by them alone", { timeout: LIMIT_MS }, async () => {
    const privateFor = [keyOf(1)];
    const deployed = await send({ data: creationOf(STORE_CODE), privateFor });
    const to = deployed.contractAddress;
    const stored = await send({ to, data: word(42), privateFor });
    const group = stored.privacyGroupId;

    expect(stored).toMatchObject({ status: "0x1", privateFrom: keyOf(0), privateFor });
    const call = { to, data: "0x" };
    expect(await at(0, "call", group, call)).toBe(word(42));
    expect(await at(1, "call", group, call)).toBe(word(42));
    expect(await at(2, "call", group, call)).toBe("0x");
    expect(await at(0, "getEeaTransactionCount", SENDER, keyOf(0), privateFor)).toBe("0x2");
    expect(await at(0, "getLogs", group, { fromBlock: "earliest", address: to })).toHaveLength(1);
    expect(await at(2, "getLogs", group, {})).toEqual([]);
    expect(await at(2, "getPrivateTransaction", stored.commitmentHash)).toBeNull();
    await expect(at(0, "getPrivateTransaction", undefined)).rejects.toThrow("Invalid params");
  });

  it("have groups that are created, found and deleted", { timeout: LIMIT_MS }, async () => {
    const addresses = [keyOf(0), keyOf(2)];
    const group = await at(0, "createPrivacyGroup", { addresses, name: "two" });
    const again = await at(0, "createPrivacyGroup", { addresses, name: "two" });

    const idsAt = async (index: number) => {
      const groups = (await at(index, "findPrivacyGroup", addresses)) as {
        privacyGroupId: string;
      }[];
      return groups.map(({ privacyGroupId }) => privacyGroupId).sort();
    };
    expect(await idsAt(2)).toEqual([group, again].sort());
    expect(await at(1, "findPrivacyGroup", addresses)).toEqual([]);
    expect(await at(0, "deletePrivacyGroup", again)).toBe(again);
    expect(await idsAt(0)).toEqual([group]);
    await expect(at(1, "createPrivacyGroup", { addresses })).rejects.toThrow(
      "The list of members in a privacy group should include self",
    );
    const { status } = await send({ data: creationOf(STORE_CODE), privacyGroupId: group });
    expect(status).toBe("0x1");
    expect(await at(2, "getTransactionCount", SENDER, group)).toBe(1);
  });

  it("are watched by filters", { timeout: LIMIT_MS }, async () => {
    const privateFor = [keyOf(2)];
    const deployed = await send({ data: creationOf(STORE_CODE), privateFor });
    const { contractAddress: to, privacyGroupId: group } = deployed;
    const filter = await at(2, "newFilter", group, { address: to });
    await send({ to, data: word(7), privateFor });

    const poll = () => at(2, "getFilterChanges", group, filter);
    await expect.poll(poll, { timeout: LIMIT_MS }).toMatchObject([{ data: word(7) }]);
    expect(await at(2, "uninstallFilter", group, filter)).toBe(true);
  });
});
