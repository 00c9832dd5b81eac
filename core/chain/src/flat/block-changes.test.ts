import {
  type Address,
  definePlugin,
  hexToBytes,
  keccak256,
  loadCrypto,
  type SealedHeader,
  toHex,
  ZERO_HASH,
} from "@plinth/core";
import { type ChangedAccount, readChanges, type StoredAccount } from "@plinth/core/chain";
import {
  CAROL,
  createTestNode,
  DEV_GENESIS,
  type TestNode,
  toJson,
  transfer,
} from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";

const FACTORY: Address = `0x${"fa".repeat(20)}`;
/** Destroys itself when it is called without data, otherwise writes 5 to slot 1 and 0 to slot 0. */
const RUNTIME = "3660065733ff5b600560015560006000550000";
/** Writes 1 to slot 0, and returns the code above. */
const INIT = `60016000557f${RUNTIME}${"00".repeat(13)}60005260136000f3`;
/** Creates that contract, always at one address. */
const FACTORY_CODE = `0x7f${INIT.padEnd(64, "0").slice(0, 64)}6000527f${INIT.slice(64).padEnd(64, "0")}602052600760${(INIT.length / 2).toString(16).padStart(2, "0")}60006000f500`;
const GENESIS = {
  ...DEV_GENESIS,
  // Before Cancun (EIP-6780).
  config: { chainId: 1337, shanghaiTime: 0, dev: {} },
  alloc: { ...DEV_GENESIS.alloc, [FACTORY]: { balance: "0", code: FACTORY_CODE } },
};
const GAS = { gasLimit: 200_000n };

beforeAll(loadCrypto);

describe("the changes of a block", () => {
  it("lead from the state of its parent to its own, whatever it does to contracts", async () => {
    await using node = await start();
    const create = { to: FACTORY, ...GAS };
    const destroy = { to: contract(), ...GAS };
    const write = { ...destroy, data: "0x01" };
    const replica = new Replica(node, node.node.blocks.head());

    for (const transactions of [
      [transfer()],
      [create],
      [write],
      [],
      [destroy],
      [transfer({ from: CAROL }), create],
      [destroy, create, write],
      [destroy, create],
    ]) {
      const [header] = await node.mine(transactions);
      replica.apply(header as SealedHeader);
      expect(replica.state).toEqual(readState(node, header as SealedHeader));
    }
    expect(Object.keys(replica.state)).toContain(contract());
  });

  it("have the code of accounts that have another one than before, and no other", async () => {
    await using node = await start();
    const [created, written] = await node.mine(
      [{ to: FACTORY, ...GAS }],
      [{ to: contract(), data: "0x01", ...GAS }],
    );

    const codeAfter = (header?: SealedHeader) =>
      changesOf(node, header as SealedHeader).find(({ address }) => address === contract())?.code;
    expect(Buffer.from(codeAfter(created) ?? []).toString("hex")).toBe(RUNTIME);
    expect(codeAfter(written)).toBeUndefined();
  });

  it("stay the same once the block is off the canonical chain, or back on it", async () => {
    await using node = await start();
    const [created, destroyed] = await node.mine(
      [{ to: FACTORY, ...GAS }],
      [{ to: contract(), ...GAS }, transfer()],
    );
    const headers = [created, destroyed] as SealedHeader[];
    const read = () => toJson(headers.map((header) => changesOf(node, header)));
    const readAccounts = () =>
      headers.map((header) => [...node.node.blocks.changesOf(header, { slots: false })]);
    const before = read();
    const accounts = headers.map((header) =>
      changesOf(node, header).map((each) => ({ ...each, slots: [] })),
    );

    await node.reorganize(2, [transfer()], [], []);
    const off = read();
    await node.node.blocks.setHead((destroyed as SealedHeader).hash);

    expect(off).toEqual(before);
    expect(readAccounts()).toEqual(accounts);
    expect(read()).toEqual(before);
  });

  it("are of one block, also if it leaves the chain while they are read", async () => {
    await using node = await start();
    const [header] = await node.mine([transfer(), { to: FACTORY, ...GAS }]);
    const expected = changesOf(node, header as SealedHeader);

    const reading = node.node.blocks.changesOf(header as SealedHeader);
    const first = reading.next().value;
    await node.reorganize(1);

    expect(toJson([first, ...reading])).toEqual(toJson(expected));
  });
});

describe("the changes of earlier blocks", () => {
  it("are kept as long as tries can be had", async () => {
    await using node = await start({ historyProofsBlocks: 3 });
    await node.mine(...Array.from({ length: 6 }, () => [transfer()]));

    expect(lengthOf(node, 4n)).toBe(3);
    expect(() => lengthOf(node, 3n)).toThrow(
      "the changes of block 3 are no longer kept: --history-proofs-blocks limits how many are",
    );
  });

  it("are kept as long as a plugin requires, also of blocks off the canonical chain", async () => {
    await using node = await start({ historyProofsBlocks: 3 }, 40);
    const [side] = await node.mine([transfer()]);
    await node.reorganize(1, [transfer({ value: 2n })], []);
    await node.mine(...Array.from({ length: 36 }, () => []));

    expect(lengthOf(node, 1n)).toBe(3);
    expect(changesOf(node, side as SealedHeader)).toHaveLength(3);

    await node.mine(...Array.from({ length: 3 }, () => []));

    expect(() => lengthOf(node, 1n)).toThrow("the changes of block 1 are no longer kept");
  });

  it("are not kept longer than values, and the error names the option", async () => {
    await using node = await start({ history: "3", historyProofsBlocks: 2 }, 40);
    await node.mine(...Array.from({ length: 6 }, () => [transfer()]));

    expect(lengthOf(node, 4n)).toBe(3);
    expect(() => lengthOf(node, 2n)).toThrow("--history keeps those from block 3 on");
  });

  it.each([
    ["of block 0", {}, "the changes of block 0 are no longer kept"],
    ["with FOREST", { dataStorageFormat: "FOREST" }, "--data-storage-format=FOREST"],
  ])("are not known %s", async (_, options, problem) => {
    await using node = await start(options);

    expect(() => lengthOf(node, 0n)).toThrow(problem);
  });
});

/** What a reader of changes knows. */
interface Known {
  readonly account: StoredAccount;
  readonly code: string;
  readonly slots: Readonly<Record<string, bigint>>;
}

/** A copy of a state that executes nothing. */
class Replica {
  readonly #node: TestNode;
  state: Readonly<Record<string, Known>>;

  constructor(node: TestNode, start: SealedHeader) {
    this.#node = node;
    this.state = readState(node, start);
  }

  apply(header: SealedHeader): void {
    for (const change of changesOf(this.#node, header)) {
      const { [String(change.address)]: before, ...others } = this.state;
      this.state =
        change.account === undefined
          ? others
          : { ...others, [String(change.address)]: next(before, change, change.account) };
    }
  }
}

function next(before: Known | undefined, change: ChangedAccount, account: StoredAccount): Known {
  const slots = new Map(Object.entries(change.isCleared ? {} : (before?.slots ?? {})));
  for (const { key, value } of change.slots) {
    if (value === 0n) slots.delete(key);
    else slots.set(key, value);
  }
  const code = change.code === undefined ? (before?.code ?? "0x") : toHex(change.code);
  return { account, code, slots: Object.fromEntries(slots) };
}

/** All of the state after a block. */
function readState({ node: { blocks } }: TestNode, header: SealedHeader): Record<string, Known> {
  const state = blocks.stateAt(header);
  const known: Record<string, Known> = {};
  for (const { address } of blocks.accountsFrom(header, ZERO_HASH)) {
    if (address === undefined) throw new Error("a key without its address");
    const { account } = blocks.prove(header, { address, slots: [] });
    if (account === undefined) throw new Error("an account that does not exist");
    const slots = [...blocks.slotsAt(header, { address, start: ZERO_HASH })];
    known[address] = {
      account,
      code: toHex(state.getCode(address)),
      slots: Object.fromEntries(slots.map(({ key, value }) => [key, value])),
    };
  }
  return known;
}

function changesOf({ node }: TestNode, header: SealedHeader): readonly ChangedAccount[] {
  return [...node.blocks.changesOf(header)];
}

function lengthOf(node: TestNode, number: bigint): number {
  return changesOf(node, node.node.blocks.findHeader(number) as SealedHeader).length;
}

function start(options: object = {}, kept = 0): Promise<TestNode> {
  const reader = definePlugin({
    name: "reader",
    setup: (node) => node.contribute(readChanges, kept),
  });
  return createTestNode({
    plugins: [reader],
    genesis: GENESIS,
    options: { dataStorageFormat: "BONSAI", ...options },
  });
}

/** EIP-1014. */
function contract(): Address {
  const init = keccak256(hexToBytes(INIT));
  const salt = "07".padStart(64, "0");
  const hash = keccak256(hexToBytes(`0xff${FACTORY.slice(2)}${salt}${toHex(init).slice(2)}`));
  return toHex(hash.slice(12));
}
