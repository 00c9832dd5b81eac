// The second part of `npm run long -- bench-evm`: blocks of token transfers imported by a node, and
// calls of `balanceOf`, in one process with either EVM.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { encodeBlock, loadCrypto, parseHex } from "@plinth/core";
import { decodeBlock, decodeTransaction, signTransaction } from "@plinth/core/blocks";
import { evmDrivers } from "@plinth/core/evm";
import { keccakHash } from "@plinth/core/primitives";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmEthereumJs from "@plinth/plugin-evm-ethereumjs";
import evmPlinth from "@plinth/plugin-evm-plinth";
import { median } from "./measured.mjs";

const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 5);
const CALLS = 5_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const PER_BLOCK = 500;
const KEY = parseHex("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const ALICE = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const TOKEN = "0x00000000000000000000000000000000000000cc";
const { code, selectors } = JSON.parse(
  readFileSync(fileURLToPath(new URL("evm/token.json", import.meta.url)), "utf8"),
);
const PLUGINS = [evmPlinth, evmEthereumJs, consensusDev];
const NAMES = ["plinth", "ethereumjs"];

/** Required speedup of a node with its own EVM. */
const LEAST = { "import of ERC-20 blocks": 3, "eth_call of balanceOf": 8 };

/** Measures both and prints a table; returns what is too slow. */
export async function compareNodes() {
  await loadCrypto();
  const blocks = await makeBlocks();
  const rows = [
    { what: "import of ERC-20 blocks", ...(await both((name) => importAll(name, blocks))) },
    { what: "eth_call of balanceOf", ...(await both(callAll)) },
  ];
  console.table(
    rows.map(({ what, plinth, ethereumjs }) => ({
      what,
      "plinth /s": Math.round(plinth),
      "EthereumJS /s": Math.round(ethereumjs),
      "x EthereumJS": Number((plinth / ethereumjs).toFixed(1)),
    })),
  );
  return rows.filter(({ what, plinth, ethereumjs }) => plinth / ethereumjs < LEAST[what]);
}

/** Alternates, so that both have the same conditions; the first round warms up. */
async function both(measure) {
  const rates = { plinth: [], ethereumjs: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of NAMES) {
      const rate = await measure(name);
      if (round > 0) rates[name].push(rate);
    }
  }
  return { plinth: median(rates.plinth), ethereumjs: median(rates.ethereumjs) };
}

function genesis() {
  const slot = keccakHash(parseHex(ALICE.slice(2).padStart(64, "0") + "0".repeat(64)));
  return {
    config: { chainId: 1337, londonBlock: 0, dev: {} },
    gasLimit: "0x5f5e100",
    baseFeePerGas: "0x7",
    alloc: {
      [ALICE]: { balance: String(10n ** 24n) },
      [TOKEN]: { code, balance: "0", storage: { [slot]: `0x${(10n ** 30n).toString(16)}` } },
    },
  };
}

async function openNode(evm) {
  const options = { keyValueStorage: "memory", evm };
  const node = await createNode({ plugins: PLUGINS, options, genesis: genesis() });
  await node.open();
  return node;
}

async function makeBlocks() {
  const node = await openNode("plinth");
  const made = [];
  for (let block = 0; block < BLOCKS; block += 1) {
    const candidates = Array.from({ length: PER_BLOCK }, (_, index) =>
      transferOf(BigInt(block * PER_BLOCK + index)),
    );
    const built = await node.blocks.build({ timestamp: BigInt(block + 1), candidates });
    await node.blocks.submit(built);
    const { receipts } = built.execution;
    if (receipts.length < PER_BLOCK || receipts.some(({ status }) => status !== 1)) {
      throw new Error("a transaction of the benchmark failed");
    }
    made.push(encodeBlock(built.block));
  }
  await node.stop();
  return made;
}

function transferOf(nonce) {
  const to = (nonce % 5000n).toString(16).padStart(40, "f").padStart(64, "0");
  const data = parseHex(`${selectors["transfer(address,uint256)"]}${to}${"1".padStart(64, "0")}`);
  const fields = { chainId: 1337n, nonce, gasPrice: 10n ** 9n, gasLimit: 80_000n, value: 0n };
  return decodeTransaction(signTransaction({ ...fields, to: TOKEN, data }, KEY));
}

/** Transactions per second; their senders are recovered on threads meanwhile. */
async function importAll(name, blocks) {
  const node = await openNode(name);
  const decoded = blocks.map((bytes) => decodeBlock(bytes));
  for (const { body } of decoded) for (const { sender } of body.transactions) void sender;
  const begun = performance.now();
  for (const block of decoded) await node.blocks.import(block, { origin: "file" });
  const seconds = (performance.now() - begun) / 1000;
  await node.stop();
  return (BLOCKS * PER_BLOCK) / seconds;
}

/** Calls per second, on the state that a node's `eth_call` opens. */
async function callAll(name) {
  const node = await openNode(name);
  const evm = await node.driver(evmDrivers, name).create({ chainId: 1337n });
  const { states, contextOf } = node.blocks.simulation;
  const head = node.blocks.head();
  const block = { ...contextOf(head), baseFeePerGas: 0n };
  const data = parseHex(`${selectors["balanceOf(address)"]}${ALICE.slice(2).padStart(64, "0")}`);
  const message = {
    from: ALICE,
    to: TOKEN,
    data,
    value: 0n,
    gasLimit: 1_000_000n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
  };
  const begun = performance.now();
  for (let call = 0; call < CALLS; call += 1) {
    const state = states.open(head);
    const { returnValue } = await evm.runMessage(message, { block, state });
    if (returnValue.length !== 32) throw new Error("balanceOf failed");
  }
  const seconds = (performance.now() - begun) / 1000;
  await node.stop();
  return CALLS / seconds;
}
