// `npm run long -- bench-evm`: loops inside contracts on the EVMs of this node and on geth's, in
// one run. Only the ratios are meaningful. geth is skipped if `npm run long -- geth-evm` has not
// been run.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { evmDrivers } from "@plinth/core/evm";
import { createNode } from "@plinth/node";
import evmEthereumJs from "@plinth/plugin-evm-ethereumjs";
import evmPlinth from "@plinth/plugin-evm-plinth";
import { createMemoryState } from "./evm/memory-state.mjs";
import { compareNodes } from "./evm-node.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const GETH = here("../../node_modules/.cache/geth/v1.13.15/evm");
/** The best of them counts: others may use the machine as well. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SENDER = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const CONTRACT = "0x00000000000000000000000000000000000000cc";
const GAS = 2_000_000_000n;
const LOOPS = JSON.parse(readFileSync(here("evm/loops.json"), "utf8"));
/** Counts down from ten million in 26 gas per round. */
const COUNTING = "0x629896805b600190038060045700";

/** Required speedup of each row over EthereumJS and over geth. */
const ROWS = [
  { what: "counting loop", code: COUNTING, stock: 8, geth: 2 },
  { what: "checked arithmetic", name: "arithmetic(uint256)", rounds: 60_000, stock: 8, geth: 2 },
  { what: "ERC-20 transfer", name: "erc20(uint256)", rounds: 8_000, stock: 8, geth: 0.8 },
  { what: "256-bit multiply and exp", name: "wide(uint256)", rounds: 130_000, stock: 2, geth: 1 },
  { what: "keccak", name: "hash(uint256)", rounds: 80_000, stock: 2, geth: 0.8 },
  { what: "memory copy", name: "copy(uint256)", rounds: 34_000, stock: 2, geth: 0.8 },
  { what: "storage loop", name: "storing(uint256)", rounds: 40_000, stock: 8, geth: 0.8 },
  { what: "sorting", name: "sorting(uint256)", rounds: 500, stock: 8, geth: 1 },
];
/** Required geometric mean of the speedups over geth. */
const MEAN = 1.3;

const BLOCK = {
  fork: "london",
  number: 1n,
  timestamp: 1n,
  gasLimit: GAS,
  difficulty: 1n,
  mixHash: `0x${"00".repeat(32)}`,
  feeRecipient: `0x${"00".repeat(20)}`,
  baseFeePerGas: 0n,
  hashOf: () => `0x${"00".repeat(32)}`,
};

const node = await createNode({ plugins: [evmPlinth, evmEthereumJs] });
const evms = {
  plinth: await node.driver(evmDrivers, "plinth").create({ chainId: 1n }),
  ethereumjs: await node.driver(evmDrivers, "ethereumjs").create({ chainId: 1n }),
};
const results = [];
for (const row of ROWS) results.push(await measure(row));
console.table(
  results.map(({ what, gas, own, stock, geth }) => ({
    what,
    Mgas: Number((Number(gas) / 1e6).toFixed(1)),
    "plinth ms": Math.round(own),
    "EthereumJS ms": Math.round(stock),
    "geth ms": geth === undefined ? "-" : Math.round(geth),
    "x EthereumJS": Number((stock / own).toFixed(1)),
    "x geth": geth === undefined ? "-" : Number((geth / own).toFixed(2)),
  })),
);
const slow = results.filter(({ row, own, stock, geth = Number.POSITIVE_INFINITY }) => {
  return stock / own < row.stock || geth / own < (row.geth ?? 0);
});
const overGeth = results.flatMap(({ own, geth }) => (geth === undefined ? [] : [geth / own]));
if (overGeth.length > 0) {
  const mean = Math.exp(overGeth.reduce((sum, each) => sum + Math.log(each), 0) / overGeth.length);
  console.log(`x geth, geometric mean: ${mean.toFixed(2)}`);
  if (mean < MEAN) slow.push({ what: "the geometric mean" });
}
const slowNodes = await compareNodes();
for (const { what } of [...slow, ...slowNodes]) console.log(`too slow: ${what}`);
process.exitCode = slow.length + slowNodes.length === 0 ? 0 : 1;

async function measure(row) {
  const code = row.code ?? LOOPS.code;
  const data = row.name === undefined ? "0x" : inputOf(row);
  const times = [];
  let gas;
  // The first round warms up the JIT compiler.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const own = await run(evms.plinth, code, data);
    gas = own.gas;
    if (round > 0) times.push(own.ms);
  }
  const stock = await run(evms.ethereumjs, code, data);
  if (stock.gas !== gas) throw new Error(`${row.what}: ${gas} and ${stock.gas} gas`);
  const geth = existsSync(GETH)
    ? Math.min(...Array.from({ length: ROUNDS }, () => runGeth(code, data)))
    : undefined;
  return {
    row,
    what: row.what,
    gas,
    own: Math.min(...times),
    stock: stock.ms,
    geth,
  };
}

function inputOf({ name, rounds }) {
  return `0x${LOOPS.selectors[name]}${rounds.toString(16).padStart(64, "0")}`;
}

async function run(evm, code, data) {
  const state = createMemoryState({ [SENDER]: { balance: 1n }, [CONTRACT]: { code } });
  const message = {
    from: SENDER,
    to: CONTRACT,
    data: Buffer.from(data.slice(2), "hex"),
    value: 0n,
    gasLimit: GAS,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
  };
  const start = performance.now();
  const { outcome, gasBeforeRefund } = await evm.runMessage(message, { block: BLOCK, state });
  const ms = performance.now() - start;
  if (outcome !== "success") throw new Error(`the loop was ${outcome}`);
  return { ms, gas: gasBeforeRefund };
}

function runGeth(code, data) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-evm-"));
  try {
    const file = join(folder, "code");
    writeFileSync(file, code.slice(2));
    const words = ["--bench", "--codefile", file, "--input", data, "--gas", String(GAS), "run"];
    const { stderr, stdout, status } = spawnSync(GETH, words, { encoding: "utf8" });
    const [, amount, unit] = /execution time:\s+([\d.]+)(ms|µs|s)/.exec(stderr + stdout) ?? [];
    if (status !== 0 || amount === undefined) throw new Error(`geth's evm failed: ${stderr}`);
    return Number(amount) * { s: 1000, ms: 1, µs: 0.001 }[unit];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
