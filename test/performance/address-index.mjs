// `npm run bench addresses`: a chain of 100,000 transfers of a token by one account, synchronized by a node with and
// without the address index, in one run; then pages of the transactions of that account.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeBlock, loadCrypto, parseHex } from "@plinth/core";
import { decodeTransaction, signTransaction } from "@plinth/core/blocks";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmPlinth from "@plinth/plugin-evm-plinth";
import { median } from "./measured.mjs";
import { PROGRAM, pause, startNode } from "./node-process.mjs";
import { slotOf, TOKEN, TOKEN_CODE, tokenTransferTo } from "./token.mjs";

const BLOCKS = Number(process.env.BENCH_ADDRESS_BLOCKS ?? 500);
const PER_BLOCK = 200;
const ROUNDS = Number(process.env.BENCH_ADDRESS_ROUNDS ?? 3);
const PAGES = 21;
const PAGE_SIZE = 25;
const KEY = parseHex("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const ALICE = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const genesisOf = () => ({
  config: { chainId: 1337, shanghaiTime: 0, dev: {} },
  gasLimit: "0x5f5e100",
  baseFeePerGas: "0x7",
  alloc: {
    [ALICE]: { balance: String(10n ** 24n) },
    [TOKEN]: { code: TOKEN_CODE, storage: { [slotOf(ALICE)]: `0x${"f".repeat(32)}` } },
  },
});

/** Rows of `[what, value, bound]`: the time of a synchronization with the index, and of a page. */
export async function benchAddressIndex() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-addresses-"));
  try {
    return await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder) {
  await loadCrypto();
  const genesis = join(folder, "genesis.json");
  const file = join(folder, "chain.rlp");
  writeFileSync(genesis, JSON.stringify(genesisOf()));
  writeFileSync(file, Buffer.concat(await makeBlocks()));
  const words = (name) => [`--genesis-file=${genesis}`, `--data-path=${join(folder, name)}`];
  const env = { ...process.env, PLINTH_P2P_ENABLED: "false" };
  const command = [PROGRAM, ...words("full"), "blocks", "import", file];
  const imported = spawnSync(process.execPath, command, { env });
  if (imported.status !== 0) throw new Error(String(imported.stderr));
  const full = await startNode(words("full"));
  const times = { with: [], without: [] };
  let pages = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.without.push(await timeSync(full, words(`without-${round}`)));
    const indexed = [...words(`with-${round}`), "--address-index-enabled"];
    times.with.push(
      await timeSync(full, indexed, async (node) => {
        if (round === 0) pages = await timePages(node);
      }),
    );
  }
  await full.stop();
  // Of pairs, one after the other: the speed of a machine changes between rounds.
  const multiples = times.with.map((seconds, round) => seconds / times.without[round]);
  console.log(`with the address index ${describe(times.with)}, without ${describe(times.without)}`);
  return [
    ["time of a synchronization with the address index, as a multiple", median(multiples), 1 / 0.9],
    [`ms of a page of ${BLOCKS * PER_BLOCK} transactions`, median(pages), 300],
  ];
}

function describe(seconds) {
  const rates = seconds.map((each) => Math.round((BLOCKS * PER_BLOCK) / each));
  return `${rates.join(", ")} transactions/s`;
}

/** Seconds until an empty node has the chain of another. */
async function timeSync(full, words, use = async () => {}) {
  const node = await startNode(words, 0, "ETH,NET,ADMIN,OTS");
  const began = performance.now();
  await node.rpc("admin_addPeer", [await full.rpc("net_enode", [])]);
  while (Number(await node.rpc("eth_blockNumber", [])) < BLOCKS) await pause(20);
  const seconds = (performance.now() - began) / 1000;
  await use(node);
  await node.stop();
  return seconds;
}

/** Milliseconds of pages at random places of all transactions of the account. */
async function timePages(node) {
  const began = performance.now();
  while (!(await isIndexed(node))) await pause(200);
  console.log(`indexed ${((performance.now() - began) / 1000).toFixed(1)} s after the import`);
  const times = [];
  for (let page = 0; page < PAGES; page++) {
    const block = Math.floor((page * BLOCKS) / PAGES);
    const asked = performance.now();
    const { txs } = await node.rpc("ots_searchTransactionsBefore", [ALICE, block, PAGE_SIZE]);
    times.push(performance.now() - asked);
    if (txs.length !== (block === 1 ? 0 : PER_BLOCK)) throw new Error(`${txs.length} transactions`);
  }
  return times;
}

/** Fails with its progress until then. */
async function isIndexed(node) {
  try {
    await node.rpc("ots_getContractCreator", [ALICE]);
    return true;
  } catch (error) {
    if (!error.message.includes("catching up")) throw error;
    return false;
  }
}

/** The genesis file of the chain, and the account that sends every transaction. */
export const CHAIN = { genesisOf, sender: ALICE };

/** Encoded blocks with 100,000 transfers of one account. */
export async function makeBlocks() {
  const node = await createNode({
    plugins: [evmPlinth, consensusDev],
    options: { keyValueStorage: "memory" },
    genesis: genesisOf(),
  });
  await node.open();
  const made = [];
  let nonce = 0n;
  for (let number = 1; number <= BLOCKS; number++) {
    const candidates = Array.from({ length: PER_BLOCK }, () => transfer(nonce++));
    const built = await node.blocks.build({ timestamp: BigInt(number), candidates });
    if (built.block.body.transactions.length < PER_BLOCK) throw new Error("a block is not full");
    const { block } = await node.blocks.submit(built);
    made.push(encodeBlock(block));
  }
  await node.stop();
  return made;
}

function transfer(nonce) {
  const to = `0x${(nonce % 5000n).toString(16).padStart(40, "f")}`;
  const fields = { chainId: 1337n, nonce, gasPrice: 1_000_000_000n };
  return decodeTransaction(signTransaction({ ...fields, ...tokenTransferTo(to) }, KEY));
}
