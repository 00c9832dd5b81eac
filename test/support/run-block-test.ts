import {
  type Address,
  type BlockReader,
  definePlugin,
  hexToBytes,
  InvalidBlock,
  InvalidTransaction,
  RlpError,
  toHex,
} from "@plinth/core";
import { decodeBlock } from "@plinth/core/blocks";
import type { BlockWriter } from "@plinth/core/chain";
import type { Evm } from "@plinth/core/evm";
import ethash from "@plinth/plugin-consensus-ethash";
import pos from "@plinth/plugin-consensus-pos";
import { createTestEvm, createTestNode, type EvmName } from "@plinth/testing";
import { type BlockTest, mustBeRefused, type TestAccount, type TestBlock } from "./block-tests.js";
import { configOf } from "./test-networks.js";
import { unsealed } from "./unsealed.js";

/** What a test runs on. */
export interface BlockTestNode {
  readonly evm: EvmName;
  /** The layout of states. */
  readonly states: "BONSAI" | "FOREST";
}

/** Runs a test on a separate node; returns what went wrong, or nothing. */
export async function runBlockTest(
  test: BlockTest,
  node: BlockTestNode,
): Promise<string | undefined> {
  await using chain = await openChain(test, node);
  const { blocks } = chain;
  const { hash } = test.genesisBlockHeader;
  if (blocks.head().hash !== hash) return `genesis is ${blocks.head().hash}, not ${hash}`;
  for (const [index, block] of test.blocks.entries()) {
    const refusal = await importBlock(blocks, block);
    if (mustBeRefused(block) === (refusal !== undefined)) continue;
    return `block entry ${index}: ${refusal ?? "taken, though it is wrong"}`;
  }
  if (blocks.head().hash !== test.lastblockhash) {
    return `the head is ${blocks.head().hash}, not ${test.lastblockhash}`;
  }
  return findDifference(blocks, test);
}

async function openChain(
  { network, pre, genesisBlockHeader: header }: BlockTest,
  { evm, states }: BlockTestNode,
) {
  const node = await createTestNode({
    plugins: [SHARED_EVMS, ethash, pos, unsealed],
    options: { evm, dataStorageFormat: states },
    genesis: {
      ...header,
      mixHash: header.mixHash ?? header.mixhash,
      config: { ...configOf(network), ethash: {} },
      alloc: pre,
    },
  });
  const { blocks } = node.node;
  return { blocks, [Symbol.asyncDispose]: () => node.stop() };
}

const made = new Map<EvmName, Promise<Evm>>();

/**
 * One EVM for all tests, which all have one chain id: creating it takes longer than most of them.
 */
const SHARED_EVMS = definePlugin({
  name: "evm-shared",
  setup(node) {
    for (const name of ["plinth", "ethereumjs"] as const) {
      node.evm.driver({
        name,
        create(chain) {
          const evm = made.get(name) ?? createTestEvm(chain, name);
          made.set(name, evm);
          return evm;
        },
      });
    }
  },
});

/** The reason why a block was rejected. */
async function importBlock(
  blocks: BlockReader & BlockWriter,
  { rlp }: TestBlock,
): Promise<string | undefined> {
  try {
    const { awaits } = await blocks.import(decodeBlock(hexToBytes(rlp)), { origin: "file" });
    return awaits === undefined ? undefined : `it awaits its ${awaits}`;
  } catch (error) {
    const isRefusal =
      error instanceof InvalidBlock ||
      error instanceof InvalidTransaction ||
      error instanceof RlpError;
    if (isRefusal) return error.message;
    throw error;
  }
}

function findDifference(blocks: BlockReader & BlockWriter, test: BlockTest): string | undefined {
  const { stateRoot } = blocks.head();
  if (test.postStateHash !== undefined && test.postStateHash !== stateRoot) {
    return `the state is ${stateRoot}, not ${test.postStateHash}`;
  }
  for (const [address, account] of Object.entries(test.postState ?? {})) {
    const found = readAccount(blocks, address as Address, account);
    if (JSON.stringify(found) === JSON.stringify(normalise(account))) continue;
    return `account ${address} is ${JSON.stringify(found)}, not ${JSON.stringify(account)}`;
  }
  return undefined;
}

/** An account with the slots of the test. */
function readAccount(
  blocks: BlockReader & BlockWriter,
  address: Address,
  { storage }: TestAccount,
) {
  const state = blocks.stateAt(blocks.head());
  const account = state.findAccount(address);
  return normalise({
    balance: String(account?.balance ?? -1n),
    nonce: String(account?.nonce ?? -1n),
    code: toHex(state.getCode(address)),
    storage: Object.fromEntries(
      Object.keys(storage).map((slot) => [slot, String(state.getStorage(address, toSlot(slot)))]),
    ),
  });
}

function normalise({ balance, nonce, code, storage }: TestAccount) {
  return {
    balance: BigInt(balance).toString(),
    nonce: BigInt(nonce).toString(),
    code: code.toLowerCase(),
    storage: Object.entries(storage).map(([slot, value]) => [toSlot(slot), String(BigInt(value))]),
  };
}

function toSlot(slot: string): `0x${string}` {
  return `0x${BigInt(slot).toString(16).padStart(64, "0")}`;
}
