import { createTestNode, DEV_GENESIS } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { deriveAccounts } from "./derive-accounts.js";
import devGenesis from "./index.js";

const FIRST = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const ETHER = 10n ** 18n;

async function start(options: Record<string, unknown>, genesis: object = DEV_GENESIS) {
  const node = await createTestNode({ plugins: [devGenesis], options, genesis });
  const state = () => node.node.blocks.stateAt(node.node.blocks.head());
  return { ...node, balanceOf: (address: `0x${string}`) => state().findAccount(address)?.balance };
}

describe("accounts of a mnemonic", () => {
  it("match those that wallets derive", async () => {
    await using _ = await createTestNode();

    const [first, second] = deriveAccounts(`${"test ".repeat(11)}junk`, 2);

    expect(first).toEqual({
      address: FIRST,
      privateKey: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
    });
    expect(second?.address).toBe("0x70997970c51812dc3a010c7d01b50e0d17dc79c8");
  });

  it.each(["m/44'/60'/0'/0/", "m/44'/60'/0'/0"])("are the children of %s", (path) => {
    expect(deriveAccounts(`${"test ".repeat(11)}junk`, 1, path)[0]?.address).toBe(FIRST);
  });
});

describe("the options of a development chain", () => {
  it("set the number and balance of accounts", async () => {
    await using chain = await start({ accounts: 3, balance: 7 });

    const accounts = deriveAccounts(`${"test ".repeat(11)}junk`, 4);

    const ether = accounts.map(({ address }) => (chain.balanceOf(address) ?? 0n) / ETHER);
    expect(ether).toEqual([7n, 7n, 7n, 0n]);
  });

  it("replace the accounts with keys, and keep the others", async () => {
    const keyed = { balance: "0x1", privateKey: `0x${"11".repeat(32)}` };
    const address = `0x${"22".repeat(20)}` as const;
    const alloc = { [address]: keyed, [FIRST]: keyed, [`0x${"33".repeat(20)}`]: { balance: "9" } };
    await using chain = await start({ accounts: 1 }, { ...DEV_GENESIS, alloc });

    expect(chain.balanceOf(address)).toBeUndefined();
    expect(chain.balanceOf(FIRST)).toBe(10_000n * ETHER);
    expect(chain.balanceOf(`0x${"33".repeat(20)}`)).toBe(9n);
  });

  it("set the derivation path of the accounts", async () => {
    await using chain = await start({ derivationPath: "m/44'/60'/1'/0/" });
    const [first] = deriveAccounts(`${"test ".repeat(11)}junk`, 1, "m/44'/60'/1'/0/");

    expect(chain.balanceOf(first?.address ?? "0x")).toBe(10_000n * ETHER);
    expect(chain.balanceOf(FIRST)).toBeUndefined();
  });

  it.each([
    [{}, "0x0"],
    [{ codeSizeLimit: 30_000 }, "0x1"],
  ])("set the code size limit: %j", async (options, status) => {
    await using chain = await start(options);

    // Returns 30,000 zero bytes as code.
    await chain.mine([{ data: "6175306000f3", gasLimit: 10_000_000n }]);

    const { transactions } = Object(await chain.rpc("eth_getBlockByNumber", ["latest", false]));
    expect(await chain.rpc("eth_getTransactionReceipt", [transactions[0]])).toMatchObject({
      status,
    });
  });

  it("set the chain id and the gas limit", async () => {
    await using chain = await start({ chainId: 31_337, gasLimit: 9_000_000 });

    expect(await chain.rpc("eth_chainId")).toBe("0x7a69");
    expect(chain.node.blocks.head().gasLimit).toBe(9_000_000n);
  });

  it.each([
    { mnemonic: "too few words" },
    { accounts: 0 },
    { gasLimit: 1 },
    { chainId: 0 },
    { codeSizeLimit: 49_153 },
    { derivationPath: "44/60" },
    { derivationPath: "m/x" },
    { derivationPath: "m/2147483648" },
  ])("are rejected if they are invalid: %j", async (options) => {
    await expect(start(options)).rejects.toMatchObject({ code: "OPTION_INVALID" });
  });
});
