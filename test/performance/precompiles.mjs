// `npm run bench precompiles`: 30 M gas of each precompile, in its worst cases, against those of EthereumJS, which run
// less gas, because they would need minutes.
import { createHash } from "node:crypto";
import { runSteps } from "@plinth/core/async";
import { precompilesAt } from "@plinth/kit-precompiles";
import { openStockPrecompiles } from "./peers/stock-precompiles.mjs";

const GAS = 30_000_000;
const PEER_GAS = 100_000;
const ROUNDS = 2;
const MAX_MS = 2000;
const PROOF =
  "564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306" +
  "24d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1" +
  "8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca2" +
  "5f26936857bc3a7c2539ea8ec3a952b7" +
  "873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612" +
  "fbeafdad446cbc7bcdbdcd780af2c16a";
const BN254_G2 =
  "198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2" +
  "1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed" +
  "090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b" +
  "12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa";

const contracts = new Map(
  precompilesAt("prague").map((contract) => [Number(BigInt(contract.address)), contract]),
);

/**
 * The cases, and how the input for an amount of gas is created; one input is repeated until the gas
 * is spent.
 */
const CASES = [
  ["blake2f", 9, (gas) => blake2f(gas)],
  ["modexp, modulus of 8 bytes, exponent of up to 2 MiB", 5, (gas) => modexp(8, gas, "odd")],
  ["modexp, 32 bytes", 5, (gas) => modexp(32, gas, "odd")],
  ["modexp, 32 bytes, even", 5, (gas) => modexp(32, gas, "even")],
  ["modexp, 64 bytes", 5, (gas) => modexp(64, gas, "odd")],
  ["modexp, 128 bytes", 5, (gas) => modexp(128, gas, "odd")],
  ["modexp, 1024 bytes", 5, (gas) => modexp(1024, gas, "odd")],
  ["modexp, 1024 bytes, even", 5, (gas) => modexp(1024, gas, "even")],
  ["modexp, 32 bytes, price of 200", 5, () => modexp(32, 200, "odd")],
  ["bn254 add", 6, async () => [await bn1(3), await bn1(4)]],
  ["bn254 mul", 7, async () => [await bn1(3), "ff".repeat(32)]],
  ["bn254 pairing", 8, (gas) => repeat((gas - 45_000) / 34_000, bnPair)],
  ["bn254 pairing, one pair", 8, () => repeat(1, bnPair)],
  ["point evaluation", 10, () => pointEvaluation()],
  ["BLS12-381 G1 add", 11, async () => [await g1(1), await g1(2)]],
  ["BLS12-381 G1 msm", 12, (gas) => repeat(gas / 6228, g1Term)],
  ["BLS12-381 G1 msm, 128 pairs", 12, () => repeat(128, g1Term)],
  ["BLS12-381 G1 msm, one pair", 12, () => repeat(1, g1Term)],
  ["BLS12-381 G2 add", 13, async () => [await g2(1), await g2(2)]],
  ["BLS12-381 G2 msm", 14, (gas) => repeat(gas / 11_790, g2Term)],
  ["BLS12-381 G2 msm, 128 pairs", 14, () => repeat(128, g2Term)],
  ["BLS12-381 G2 msm, one pair", 14, () => repeat(1, g2Term)],
  ["BLS12-381 pairing", 15, (gas) => repeat((gas - 37_700) / 32_600, blsPair)],
  ["BLS12-381 pairing, one pair", 15, () => repeat(1, blsPair)],
  ["BLS12-381 map to G1", 16, () => [element(7)]],
  ["BLS12-381 map to G2", 17, () => [element(7), element(8)]],
];

/**
 * Returns a row for every case: both rates in Mgas/s, their ratio, and the time for 30 M gas
 * against its bound.
 */
export async function benchPrecompiles() {
  const stock = await openStockPrecompiles();
  const rows = [];
  for (const [what, number, make] of CASES) {
    const compute = await contracts.get(number).load();
    const run = (data) => runSteps(compute(data));
    const ours = await measure({ number, run, data: await inputOf(make, GAS), gas: GAS });
    const peerRun = (data) => stock(number, data);
    const peerData = await inputOf(make, PEER_GAS);
    const peer = await measure({ number, run: peerRun, data: peerData, gas: PEER_GAS });
    const ms = GAS / 1000 / ours;
    rows.push({ what, ours, peer, ms, maxMs: MAX_MS });
    console.log(
      `${what}: ${ours.toFixed(1)} against ${peer.toFixed(2)} Mgas/s, ${ms.toFixed(0)} ms for 30 M gas`,
    );
  }
  return rows;
}

async function inputOf(make, gas) {
  return Uint8Array.from(Buffer.from([...(await make(gas))].flat().join(""), "hex"));
}

/** The best rate of several rounds. */
async function measure({ number, run, data, gas }) {
  const price = Number(contracts.get(number).gas(data));
  const calls = Math.max(1, Math.floor(gas / price));
  let best = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (let call = 0; call < calls; call++) await run(data);
    const elapsed = performance.now() - start;
    best = Math.max(best, (calls * price) / 1000 / elapsed);
  }
  return best;
}

function blake2f(gas) {
  return [gas.toString(16).padStart(8, "0"), "5a".repeat(208), "01"];
}

/** EIP-2565: the exponent that the gas pays for, with all bits set. */
function modexp(bytes, gas, parity) {
  const words = Math.ceil(bytes / 8);
  const bits = Math.max(8, Math.floor((3 * gas) / (words * words)));
  const exponentBytes = Math.min(2 ** 21, Math.floor(bits / 8));
  const modulus = `${"ff".repeat(bytes - 1)}${parity === "odd" ? "f1" : "f8"}`;
  const lengths = [bytes, exponentBytes, bytes].map((length) => word(length));
  return [...lengths, "fe".repeat(bytes), "ff".repeat(exponentBytes), modulus];
}

function pointEvaluation() {
  const commitment = PROOF.slice(128, 224);
  const hash = createHash("sha256").update(commitment, "hex").digest("hex");
  return [`01${hash.slice(2)}`, PROOF];
}

async function repeat(count, make) {
  const parts = [];
  for (let index = 0; index < Math.floor(count); index++) parts.push(...(await make(index + 1)));
  return parts;
}

const bnPair = async (index) => [await bn1(index), BN254_G2];
const blsPair = async (index) => [await g1(index), await g2(index)];
const g1Term = async (index) => [await g1(index), scalar(index)];
const g2Term = async (index) => [await g2(index), scalar(index)];

const bn1 = remember((index) => runText(7, `${word(1)}${word(2)}${word(index)}`));
const g1 = remember((index) => runText(16, element(index)));
const g2 = remember((index) => runText(17, `${element(index)}${element(1)}`));

function remember(make) {
  const known = new Map();
  return async (index) => {
    if (!known.has(index)) known.set(index, await make(index));
    return known.get(index);
  };
}

async function runText(number, hex) {
  const compute = await contracts.get(number).load();
  const steps = compute(Uint8Array.from(Buffer.from(hex, "hex")));
  return Buffer.from(runSteps(steps)).toString("hex");
}

function scalar(index) {
  return createHash("sha256").update(String(index)).digest("hex");
}

function element(index) {
  return index.toString(16).padStart(128, "0");
}

function word(value) {
  return value.toString(16).padStart(64, "0");
}
