import {
  type Address,
  decodeRlp,
  encodeRlp,
  type Hash,
  type Receipt,
  type Rlp,
  type SealedBlock,
  type SealedHeader,
} from "@plinth/core";
import {
  decodeTransaction,
  encodeReceipts,
  transactionsRoot as rootOf,
  scalarBytes,
} from "@plinth/core/blocks";
import type { FollowedBlock, ReportedAccount } from "@plinth/core/chain";
import { ALICE, BOB, createTestNode, type TestNode, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";

const OTHER: Hash = `0x${"77".repeat(32)}`;
const STRANGER: Address = `0x${"99".repeat(20)}`;
/** Creates a contract with one byte of code; sets slot 1 to 7, and slot 2 to 0. */
const CREATION = { data: "6007600155600060025560fe60005360016000f3", gasLimit: 200_000n };

/** No point of secp256k1 has this x. */
const OFF_THE_CURVE = 5n;

const EMPTY_BODY: SealedBlock["body"] = { transactions: [], uncles: [] };

describe("a block that another node executed", () => {
  it("is added with the same state, receipts and root, without a transaction being run", async () => {
    await using source = await createTestNode();
    await using replica = await createTestNode();
    await source.mine([transfer(), transfer()], [CREATION], []);

    await followAll(source, replica);

    const { blocks } = replica.node;
    expect(blocks.head()).toEqual(source.node.blocks.head());
    expect(blocks.stateAt(blocks.head()).findAccount(BOB)?.balance).toBe(2n);
    for (let number = 1n; number <= 3n; number++) {
      const header = blocks.findHeader(number) as SealedHeader;
      expect([...blocks.changesOf(header)]).toEqual([...source.node.blocks.changesOf(header)]);
      const [ours, theirs] = [replica, source].map(({ node }) =>
        encodeReceipts(node.blocks.findReceipts(header.hash) ?? []),
      );
      expect(ours).toEqual(theirs);
    }
    expect([...blocks.verifyState()].flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("is added without addresses and slots if only their hashes are reported", async () => {
    await using source = await createTestNode();
    await using replica = await createTestNode();
    await source.mine([CREATION]);
    const followed = readBlock(source, 1n);

    await replica.node.blocks.follow({
      ...followed,
      accounts: followed.accounts.map(({ slots, ...account }) => ({
        ...account,
        address: undefined,
        slots: slots.map((slot) => ({ ...slot, slot: undefined })),
      })),
    });

    expect(replica.node.blocks.head()).toEqual(source.node.blocks.head());
  });

  it("becomes the head if the engine prefers it, and otherwise stays beside the chain", async () => {
    await using source = await createTestNode();
    await using replica = await createTestNode();
    await source.mine([], []);
    await followAll(source, replica);
    const old = source.node.blocks.head();
    const branch = await source.reorganize(2);

    const placements: unknown[] = [];
    for (const { number } of branch) {
      placements.push((await replica.node.blocks.follow(readBlock(source, number))).placement);
    }

    expect(placements).toEqual(["side", "side", "head"]);
    expect(replica.node.blocks.head()).toEqual(source.node.blocks.head());
    expect(replica.node.blocks.findHeader(old.hash)).toEqual(old);
  });

  it("puts no transaction that a reorganization removes into the pool", async () => {
    await using source = await createTestNode();
    await using replica = await createTestNode();
    await source.mine([transfer()]);
    await followAll(source, replica);
    const branch = await source.reorganize(1);

    for (const { number } of branch) await replica.node.blocks.follow(readBlock(source, number));

    expect(replica.node.pool.all()).toEqual([]);
  });

  it.each<[string, string, (followed: FollowedBlock) => FollowedBlock]>([
    [
      "a balance that is another",
      "state-root",
      changeAccount(({ account, ...rest }) => ({
        ...rest,
        account: account && { ...account, balance: account.balance + 1n },
      })),
    ],
    [
      "an account too few",
      "state-root",
      (given) => ({ ...given, accounts: given.accounts.slice(1) }),
    ],
    [
      "an account twice",
      "reported-changes",
      (given) => ({ ...given, accounts: [...given.accounts, ...given.accounts.slice(0, 1)] }),
    ],
    [
      "a key of another address",
      "reported-changes",
      changeAccount((account) => ({ ...account, address: STRANGER })),
    ],
    [
      "code of another hash",
      "reported-changes",
      changeAccount((account) => ({ ...account, code: Uint8Array.of(1) })),
    ],
    [
      "a hash whose code is missing",
      "reported-changes",
      changeAccount(({ account, ...rest }) => ({
        ...rest,
        account: account && { ...account, codeHash: OTHER },
      })),
    ],
    [
      "a slot twice",
      "reported-changes",
      changeAccount((account) => ({
        ...account,
        slots: [1n, 2n].map((value) => ({ key: OTHER, slot: undefined, value })),
      })),
    ],
    ["no receipts", "reported-receipts", (given) => ({ ...given, receipts: [] })],
    ["a receipt of another type", "reported-receipts", changeReceipt({ type: 1 })],
    [
      "the bloom of other logs",
      "reported-receipts",
      changeReceipt({ logsBloom: new Uint8Array(256).fill(1) }),
    ],
    ["a receipt of a failure", "receipts-root", changeReceipt({ status: 0 })],
    ["more gas", "gas-used", changeReceipt({ cumulativeGasUsed: 21_001n })],
    [
      "another body",
      "transactions-root",
      (given) => ({ ...given, block: { ...given.block, body: EMPTY_BODY } }),
    ],
    [
      "a header that breaks a rule",
      "gas-used",
      (given) => ({
        ...given,
        block: { ...given.block, header: { ...given.block.header, gasLimit: 5000n } },
      }),
    ],
  ])("is rejected with %s, and nothing is written", async (_, rule, change) => {
    await using source = await createTestNode();
    await using replica = await createTestNode();
    await source.mine([transfer()]);
    const followed = change(readBlock(source, 1n));

    const rejected = expect(replica.node.blocks.follow(followed)).rejects;

    await rejected.toMatchObject({ code: "BLOCK_INVALID", rule });
    expect(replica.node.blocks.head().number).toBe(0n);
    await followAll(source, replica);
    expect(replica.node.blocks.head()).toEqual(source.node.blocks.head());
  });

  it("is rejected on a chain without seals if a signature has no sender", async () => {
    await using source = await createTestNode();
    await using replica = await createTestNode();
    await source.mine([transfer()]);
    const followed = signAs(readBlock(source, 1n), OFF_THE_CURVE);

    const rejected = expect(replica.node.blocks.follow(followed)).rejects;

    await rejected.toMatchObject({
      ...{ code: "BLOCK_INVALID", rule: "sender" },
      message: expect.stringContaining("block 1: transaction 0: transaction.signature: "),
    });
    expect(replica.node.blocks.head().number).toBe(0n);
  });

  it("is rejected if its parent is unknown", async () => {
    await using source = await createTestNode();
    await using replica = await createTestNode();
    await source.mine([], []);

    await expect(replica.node.blocks.follow(readBlock(source, 2n))).rejects.toMatchObject({
      rule: "unknown-parent",
    });
  });
});

/** Changes what is reported of the sender. */
function changeAccount(change: (account: ReportedAccount) => ReportedAccount) {
  return (given: FollowedBlock): FollowedBlock => ({
    ...given,
    accounts: given.accounts.map((each) => (each.address === ALICE.address ? change(each) : each)),
  });
}

function changeReceipt(change: Partial<Receipt>) {
  return (given: FollowedBlock): FollowedBlock => ({
    ...given,
    receipts: given.receipts.map((receipt) => ({ ...receipt, ...change })),
  });
}

/** The block with another `r` in the signature of its only transaction; its header commits to that. */
function signAs({ block: { header, body }, ...rest }: FollowedBlock, r: bigint): FollowedBlock {
  const fields = decodeRlp(body.transactions[0]?.raw ?? new Uint8Array()) as Rlp[];
  const transactions = [decodeTransaction(encodeRlp(fields.with(-2, scalarBytes(r))))];
  const transactionsRoot = rootOf(transactions);
  return {
    ...rest,
    block: { header: { ...header, transactionsRoot }, body: { ...body, transactions } },
  };
}

/** A block as a node that executed it reports it. */
function readBlock({ node: { blocks } }: TestNode, number: bigint): FollowedBlock {
  const block = blocks.findBlock(number) as SealedBlock;
  return {
    block,
    receipts: blocks.findReceipts(block.header.hash) ?? [],
    accounts: [...blocks.changesOf(block.header)],
  };
}

async function followAll(source: TestNode, replica: TestNode): Promise<void> {
  const { number: head } = source.node.blocks.head();
  for (let number = 1n; number <= head; number++) {
    await replica.node.blocks.follow(readBlock(source, number));
  }
}
