// A database with the tries of all states: writes one (`write`), converts it to flat states by opening it (`convert`), and
// reads every account at the first and at the last block (`verify`).
import { silentLogs } from "@plinth/core/kernel";
import storageLevel from "@plinth/plugin-storage-level";
import { createTestNode, DEV_GENESIS, transfer } from "@plinth/testing";

const [what, dataPath, words] = process.argv.slice(2);
const count = Number(words);
const BLOCKS = 30;

await { write, convert, verify }[what]();

async function write() {
  const node = await open("FOREST");
  for (let block = 0; block < BLOCKS; block++) {
    await node.mine([transfer({ to: addressOf(block), value: 1n })]);
  }
  await node.stop();
}

async function convert() {
  const log = { ...silentLogs.for(""), info: (line) => process.stdout.write(`${line}\n`) };
  const node = await open("BONSAI", { ...silentLogs, for: () => log });
  await node.stop();
}

async function verify() {
  const node = await open("BONSAI");
  let whole = 0;
  for (let n = 0; n < count; n++) {
    const read = (block) => node.rpc("eth_getBalance", [addressOf(n), block]);
    const [first, last] = [await read("0x0"), await read("latest")].map(BigInt);
    if (first === balanceOf(n) && last === first + (n < BLOCKS ? 1n : 0n)) whole += 1;
  }
  for (const { problems } of node.node.blocks.verifyState()) {
    if (problems.length > 0) throw new Error(problems[0].problem);
  }
  await node.stop();
  process.stdout.write(String(whole));
}

function open(dataStorageFormat, logs = silentLogs) {
  const alloc = Object.fromEntries(
    Array.from({ length: count }, (_, n) => [addressOf(n), { balance: String(balanceOf(n)) }]),
  );
  const genesis = { ...DEV_GENESIS, alloc: { ...DEV_GENESIS.alloc, ...alloc } };
  const options = { keyValueStorage: "leveldb", dataPath, dataStorageFormat };
  return createTestNode({ plugins: [storageLevel], options, genesis, logs });
}

function addressOf(n) {
  return `0x${(n + 0xabc000).toString(16).padStart(40, "0")}`;
}

function balanceOf(n) {
  return BigInt(n) + 1n;
}
