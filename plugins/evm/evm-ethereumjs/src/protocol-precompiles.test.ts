import { createEVM, type EVM } from "@ethereumjs/evm";
import { loadCrypto } from "@plinth/core";
import { runSteps } from "@plinth/core/async";
import type { Fork } from "@plinth/core/evm";
import { type Compute, InvalidInput, precompilesAt } from "@plinth/kit-precompiles";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { createRules } from "./common.js";

const GAS_LIMIT = 3_000_000n;
const RUNS = Number(process.env.PLINTH_PRECOMPILE_RUNS ?? 8);
const SLOW_MS = 60_000 + 200 * RUNS;

/** Input points, from the maps of EIP-2537 and the generators of bn254. */
const points = { g1: [] as Uint8Array[], g2: [] as Uint8Array[], bn1: [] as Uint8Array[] };
const BN254_G2 = hex(
  "198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2" +
    "1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed" +
    "090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b" +
    "12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa",
);

beforeAll(async () => {
  await loadCrypto();
  const [multiply, toG1, toG2] = [await load(0x07), await load(0x10), await load(0x11)];
  for (let index = 0; index < 4; index++) {
    const element = word(BigInt(index), 64);
    points.g1.push(runSteps(toG1(element)));
    points.g2.push(runSteps(toG2(Uint8Array.from([...element, ...word(5n, 64)]))));
    const input = [...word(1n), ...word(2n), ...word(BigInt(index))];
    points.bn1.push(runSteps(multiply(Uint8Array.from(input))));
  }
  points.g1.push(new Uint8Array(128));
  points.g2.push(new Uint8Array(256));
});

/** The input format of a precompile: kinds of pieces, and their minimum and maximum repetition. */
const INPUTS: Readonly<Record<number, readonly [readonly Piece[], number, number]>> = {
  5: [["lengths", "bytes"], 1, 1],
  6: [["bn1", "bn1"], 1, 1],
  7: [["bn1", "scalar"], 1, 1],
  8: [["bn1", "bn2"], 0, 3],
  9: [["blake2f"], 1, 1],
  11: [["g1", "g1"], 1, 1],
  12: [["g1", "scalar"], 0, 4],
  13: [["g2", "g2"], 1, 1],
  14: [["g2", "scalar"], 0, 3],
  15: [["g1", "g2"], 0, 2],
  16: [["element"], 1, 1],
  17: [["element", "element"], 1, 1],
};

type Piece = "lengths" | "bytes" | "bn1" | "bn2" | "g1" | "g2" | "scalar" | "blake2f" | "element";

describe.each<[Fork, readonly number[]]>([
  ["byzantium", [5, 6, 7, 8]],
  ["istanbul", [5, 6, 7, 8, 9]],
  ["berlin", [5]],
  ["prague", [5, 8, 9, 11, 12, 13, 14, 15, 16, 17]],
  ["osaka", [5]],
])("precompiles at %s", (fork, numbers) => {
  it.each(numbers.map((number) => [number]))(
    "return, fail and cost as in EthereumJS: %i",
    async (number) => {
      const rules = createRules({ fork, chainId: 1n, crypto: await loadCrypto() });
      const evm = (await createEVM({ common: rules })) as EVM;
      const compute = await load(number, fork);
      await fc.assert(
        fc.asyncProperty(inputOf(number), mutation, async (input, mutate) => {
          const data = mutate(input);
          const ours = runOurs({ number, fork, data, compute });
          expect({ data, ...ours }).toEqual({ data, ...(await runTheirs(evm, number, data)) });
        }),
        { numRuns: RUNS },
      );
    },
    SLOW_MS,
  );
});

function runOurs({
  number,
  fork,
  data,
  compute,
}: {
  number: number;
  fork: Fork;
  data: Uint8Array;
  compute: Compute;
}) {
  const gas = find(number, fork).gas(data);
  if (gas > GAS_LIMIT) return { gas: GAS_LIMIT, output: undefined };
  try {
    return { gas, output: toText(runSteps(compute(data))) };
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return { gas: GAS_LIMIT, output: undefined };
  }
}

async function runTheirs(evm: EVM, number: number, data: Uint8Array) {
  const precompile = evm.precompiles.get(toText(word(BigInt(number), 20)));
  if (precompile === undefined) return expect.fail(`EthereumJS has no precompile ${number}`);
  const {
    executionGasUsed: gas,
    returnValue,
    exceptionError,
  } = await precompile({
    data: data.slice(),
    gasLimit: GAS_LIMIT,
    common: evm.common,
    _EVM: evm,
  });
  return { gas, output: exceptionError === undefined ? toText(returnValue) : undefined };
}

function inputOf(number: number): fc.Arbitrary<Uint8Array> {
  const [pieces = [], minLength = 0, maxLength = 0] = INPUTS[number] ?? [];
  return fc
    .array(fc.tuple(...pieces.map(pieceOf)), { minLength, maxLength })
    .map((parts) => Uint8Array.from(Buffer.concat(parts.flat())));
}

function pieceOf(piece: Piece): fc.Arbitrary<Uint8Array> {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const pick = (list: () => readonly Uint8Array[]) =>
    fc.nat(100).map((index) => list()[index % list().length] ?? new Uint8Array());
  switch (piece) {
    case "lengths":
      return fc
        .array(fc.constantFrom(0n, 1n, 8n, 31n, 32n, 33n, 64n, 65n), { minLength: 3, maxLength: 3 })
        .map((lengths) => Uint8Array.from(lengths.flatMap((length) => [...word(length)])));
    case "bytes":
      return fc.uint8Array({ maxLength: 200 });
    case "scalar":
      return fc.oneof(bytes(32), fc.constantFrom(word(0n), word(1n), word(2n ** 256n - 1n)));
    case "element":
      return bytes(47).map((low) => Uint8Array.from([...new Uint8Array(17), ...low]));
    case "blake2f":
      return bytes(212).map((rest) => Uint8Array.from([0, 0, 0, ...rest.slice(0, 209), 1]));
    case "bn2":
      return fc.constantFrom(BN254_G2, new Uint8Array(128));
    default:
      return pick(() => points[piece]);
  }
}

/** Mostly none; a flipped bit, a truncated end, or additional bytes. */
const mutation = fc
  .record({ kind: fc.nat(9), at: fc.nat(), extra: fc.uint8Array({ maxLength: 40 }) })
  .map(({ kind, at, extra }) => (input: Uint8Array): Uint8Array => {
    const place = input.length === 0 ? 0 : at % input.length;
    if (kind === 0) return input.map((byte, index) => (index === place ? byte ^ 1 : byte));
    if (kind === 1) return input.slice(0, place);
    return kind === 2 ? Uint8Array.from([...input, ...extra]) : input;
  });

function find(number: number, fork: Fork) {
  const found = precompilesAt(fork).find(({ address }) => BigInt(address) === BigInt(number));
  return found ?? expect.fail(`no precompile ${number} at ${fork}`);
}

function load(number: number, fork: Fork = "prague"): Promise<Compute> {
  return find(number, fork).load();
}

function word(value: bigint, length = 32): Uint8Array {
  return hex(value.toString(16).padStart(2 * length, "0"));
}

function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
