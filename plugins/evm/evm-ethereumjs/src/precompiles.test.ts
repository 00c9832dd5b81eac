import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Address, loadCrypto, parseHex, toHex } from "@plinth/core";
import type { BlockContext, Evm, EvmResult, WorldState } from "@plinth/core/evm";
import { beforeAll, describe, expect, it } from "vitest";
import { createEvm } from "./driver.js";

const NAMED = process.env.PLINTH_CONFORMANCE;
const REPOSITORY = fileURLToPath(new URL("../../../../", import.meta.url));
const FOLDER = resolve(REPOSITORY, NAMED ?? "../shared/conformance", "precompiles");
const isMissing = NAMED === undefined && !existsSync(FOLDER);

const POINT_EVALUATION = 0x0a;
const G1_ADD = 0x0b;
const PAIRING = 0x0f;
const FP_TO_G1 = 0x10;
const TIMEOUT_MS = 60_000;

/** Versioned hash, point, value, commitment, proof. */
const PROOF =
  "01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b" +
  "564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306" +
  "24d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1" +
  "8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca2" +
  "5f26936857bc3a7c2539ea8ec3a952b7" +
  "873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612" +
  "fbeafdad446cbc7bcdbdcd780af2c16a";

let evm: Evm;
beforeAll(async () => {
  await loadCrypto();
  evm = await createEvm({ chainId: 1n });
});

describe("the point evaluation of EIP-4844", () => {
  it("accepts only proofs of the ceremony's trusted setup", async () => {
    expect((await call(POINT_EVALUATION, PROOF)).outcome).toBe("success");
    expect((await call(POINT_EVALUATION, PROOF.replace("8f59a8d2", "8f59a8d3"))).outcome).toBe(
      "halted",
    );
    expect((await call(POINT_EVALUATION, PROOF.replace("564c0a11", "564c0a12"))).outcome).toBe(
      "halted",
    );
  });
});

describe.skipIf(isMissing)("precompiled contracts", () => {
  it(
    "evaluate points of polynomials like reference implementations (EIP-4844)",
    async () => {
      const { PrecompileReturnValue: value, TestCases: cases } = JSON.parse(
        readFileSync(join(FOLDER, "pointEvaluationPrecompile.json"), "utf8"),
      );
      const counts = { valid: 0, invalid: 0 };

      for (const { Input, Valid } of cases) {
        const { outcome, returnValue } = await call(POINT_EVALUATION, Input);
        expect({ Input, outcome }).toEqual({ Input, outcome: Valid ? "success" : "halted" });
        if (Valid) expect(toHex(returnValue)).toBe(`0x${value}`);
        counts[Valid ? "valid" : "invalid"] += 1;
      }

      expect(counts).toEqual({ valid: 1, invalid: 3 });
    },
    TIMEOUT_MS,
  );

  it.each([
    ["g1_add.csv", G1_ADD, 104],
    ["fp_to_g1.csv", FP_TO_G1, 102],
    ["pairing.csv", PAIRING, 103],
  ])(
    "compute on BLS12-381 like reference implementations: %s (EIP-2537)",
    async (file, precompile, count) => {
      const cases = readCases(file);

      for (const { input, result } of cases) {
        const { outcome, returnValue } = await call(precompile, input);
        const found = outcome === "success" ? toHex(returnValue).slice(2) : outcome;
        expect({ input, found }).toEqual({ input, found: result === "" ? "halted" : result });
      }

      expect(cases).toHaveLength(count);
    },
    TIMEOUT_MS,
  );
});

function readCases(file: string) {
  const [, ...lines] = readFileSync(join(FOLDER, file), "utf8").trim().split("\n");
  return lines.map((line) => {
    const [input = "", result = ""] = line.split(",");
    return { input, result };
  });
}

function call(precompile: number, input: string): Promise<EvmResult> {
  return evm.runMessage(
    {
      from: `0x${"11".repeat(20)}`,
      to: `0x${precompile.toString(16).padStart(40, "0")}`,
      data: parseHex(input) ?? expect.fail(`not hex: ${input}`),
      value: 0n,
      gasLimit: 20_000_000n,
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
    },
    { block: BLOCK, state: emptyState() },
  );
}

const BLOCK: BlockContext = {
  fork: "prague",
  number: 1n,
  timestamp: 1n,
  gasLimit: 30_000_000n,
  difficulty: 0n,
  mixHash: `0x${"00".repeat(32)}`,
  feeRecipient: `0x${"22".repeat(20)}`,
  baseFeePerGas: 0n,
  blobBaseFee: 1n,
  hashOf: () => `0x${"00".repeat(32)}`,
};

/** Discards all writes. */
function emptyState(): WorldState {
  const forget = (_address?: Address) => {};
  return {
    findAccount: () => undefined,
    getCode: () => new Uint8Array(),
    getStorage: () => 0n,
    hasStorage: () => false,
    setAccount: forget,
    setCode: forget,
    setStorage: forget,
    clearStorage: forget,
    deleteAccount: forget,
    checkpoint: forget,
    commit: forget,
    revert: forget,
  };
}
