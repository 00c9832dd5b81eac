import type { PluginTable } from "@plinth/core";
import {
  type Address,
  createMemoryStorageDriver,
  definePlugin,
  EMPTY_ROOT,
  type Hash,
  hexToBytes,
} from "@plinth/core";
import type { PluginState } from "@plinth/core/chain";
import type { Message } from "@plinth/core/evm";
import { ReadOnlyAccount } from "@plinth/core/evm";
import { ALICE, createInside, createTestNode, DEV_GENESIS, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { PluginStates } from "./plugin-state.js";
import { StateStore } from "./state-store.js";

const PUBLIC: Address = "0x00000000000000000000000000000000000000aa";
const READER: Address = "0x00000000000000000000000000000000000000bb";
const WRITER: Address = "0x00000000000000000000000000000000000000cc";
const SLOT_0: Hash = `0x${"00".repeat(32)}`;

/** Returns its slot 0, or writes its calldata into it. */
const PUBLIC_CODE = "36600f5760005460005260206000f35b60003560005500";
/** Adds 1 to the result of the public contract and stores it in its slot 0. */
const READER_CODE = `602060006000600073${PUBLIC.slice(2)}5afa5060005160010160005500`;
/** Stores 1 in its slot 0 if it could not write to the public contract, 2 if it could. */
const WRITER_CODE = `60076000526000600060206000600073${PUBLIC.slice(2)}61c350f160010160005500`;

const GENESIS = {
  ...DEV_GENESIS,
  alloc: {
    ...DEV_GENESIS.alloc,
    [PUBLIC]: { code: `0x${PUBLIC_CODE}`, storage: { [SLOT_0]: "0x29" }, balance: "0x5" },
  },
};

describe("a plugin's state over the public one", () => {
  it("runs code that reads both, and has its own root", async () => {
    await using site = await openSite();
    const { state, run } = site.open();

    const result = await run(READER);

    expect(result.outcome).toBe("success");
    expect(state.getStorage(READER, SLOT_0)).toBe(0x2an);
    expect(state.update().root).toBe(
      await rootOf((expected) => {
        expected.setCode(READER, bytes(READER_CODE));
        expected.setCode(WRITER, bytes(WRITER_CODE));
        expected.setStorage(READER, SLOT_0, 0x2an);
        expected.setAccount(ALICE.address, { nonce: 1n, balance: 1n });
      }),
    );
    expect(site.publicState().getStorage(PUBLIC, SLOT_0)).toBe(0x29n);
  });

  it("fails the call that changes a public account, and continues", async () => {
    await using site = await openSite();
    const { state, run } = site.open();

    const result = await run(WRITER);

    expect(result.outcome).toBe("success");
    expect(state.getStorage(WRITER, SLOT_0)).toBe(1n);
    expect(state.getStorage(PUBLIC, SLOT_0)).toBe(0x29n);
  });

  it("lets code change the same account if it is the plugin's own", async () => {
    await using site = await openSite();
    const { state, run } = site.open();
    state.own.setCode(PUBLIC, bytes(PUBLIC_CODE));

    await run(WRITER);

    expect(state.getStorage(WRITER, SLOT_0)).toBe(2n);
    expect(state.getStorage(PUBLIC, SLOT_0)).toBe(7n);
  });

  it("is stored with the block, without changing it", async () => {
    await using plain = await createTestNode({ genesis: GENESIS });
    await using site = await openSite();
    const [expected] = await plain.mine([transfer()]);

    const [block] = await site.mine([transfer()]);

    expect(block?.stateRoot).toBe(expected?.stateRoot);
    const root = site.keptRoot();
    const reopened = new PluginStates().open({ table: site.table, root });
    expect(reopened.getStorage(READER, SLOT_0)).toBe(0x2an);
    expect(reopened.getCode(READER)).toEqual(bytes(READER_CODE));
    expect(reopened.update().root).toBe(root);
  });

  it.each<[string, (state: PluginState) => void]>([
    ["balance", (state) => state.setAccount(PUBLIC, { balance: 6n })],
    ["code", (state) => state.setCode(PUBLIC, bytes("00"))],
    ["slot", (state) => state.setStorage(PUBLIC, SLOT_0, 1n)],
    ["storage", (state) => state.clearStorage(PUBLIC)],
    ["account", (state) => state.deleteAccount(PUBLIC)],
  ])("rejects changing the %s of a public account", async (_, change) => {
    await using site = await openSite();
    const { state } = site.open();

    expect(() => change(state)).toThrow(ReadOnlyAccount);
    expect(() => state.setAccount(PUBLIC, { balance: 5n })).not.toThrow();
  });

  it("can hide a public account behind its own, until that is reverted", async () => {
    await using site = await openSite();
    const { state } = site.open();

    state.checkpoint();
    state.own.setAccount(PUBLIC, { nonce: 1n });
    state.setStorage(PUBLIC, SLOT_0, 1n);
    expect(state.isReadOnly(PUBLIC)).toBe(false);
    expect(state.findAccount(PUBLIC)?.balance).toBe(0n);
    expect(state.getCode(PUBLIC)).toHaveLength(0);
    state.revert();

    expect(state.isReadOnly(PUBLIC)).toBe(true);

    expect(state.findAccount(PUBLIC)?.balance).toBe(5n);
    expect(state.getStorage(PUBLIC, SLOT_0)).toBe(0x29n);
  });

  it("does not hide a public account behind its own empty one", async () => {
    await using site = await openSite();
    const { state } = site.open();

    state.own.setAccount(PUBLIC, {});

    expect(state.findAccount(PUBLIC)?.balance).toBe(5n);
    expect(state.own.findAccount(PUBLIC)?.balance).toBe(0n);
    expect(() => state.setStorage(PUBLIC, SLOT_0, 1n)).toThrow(ReadOnlyAccount);
  });
});

/** A node with a plugin that runs the reader with every block, and stores the resulting state. */
async function openSite() {
  const inside = createInside();
  let table: PluginTable | undefined;
  let kept: Hash = EMPTY_ROOT;
  const open = (root: Hash) => {
    const { state, evm, chain } = inside.runtime();
    if (table === undefined || chain.blocks === undefined) throw new Error("there is no chain");
    const header = chain.blocks.head();
    const under = chain.blocks.stateAt(header);
    const own = state.open({ table, root, under });
    own.own.setAccount(ALICE.address, { balance: 1n });
    own.setCode(READER, bytes(READER_CODE));
    own.setCode(WRITER, bytes(WRITER_CODE));
    const run = async (to: Address) => {
      const result = await evm?.run(messageTo(to), { header, state: own });
      if (result === undefined) throw new Error("there is no EVM");
      return result;
    };
    return { state: own, run };
  };
  const keeper = definePlugin({
    name: "keeper",
    setup(node) {
      table = node.storage.table("state");
      node.hooks.chain.commit.tap(async ({ batch }) => {
        const { state, run } = open(kept);
        await run(READER);
        const update = state.update();
        update.writeTo(batch);
        kept = update.root;
      });
    },
  });
  const node = await createTestNode({ genesis: GENESIS, plugins: [inside.plugin, keeper] });
  if (table === undefined) throw new Error("the plugin has no table");
  return {
    mine: node.mine,
    table,
    open: () => open(EMPTY_ROOT),
    keptRoot: () => kept,
    publicState() {
      const { blocks } = node.node;
      return blocks.stateAt(blocks.head());
    },
    [Symbol.asyncDispose]: () => node.stop(),
  };
}

function messageTo(to: Address): Message {
  return {
    from: ALICE.address,
    to,
    data: new Uint8Array(),
    value: 0n,
    gasLimit: 200_000n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
  };
}

async function rootOf(fill: (state: ReturnType<StateStore["open"]>) => void): Promise<Hash> {
  const states = new StateStore(await createMemoryStorageDriver().open({ folder: "" }));
  const state = states.open({ stateRoot: EMPTY_ROOT });
  fill(state);
  return states.update(state).root;
}

function bytes(hex: string): Uint8Array {
  return hexToBytes(hex);
}
