import { createHash } from "node:crypto";
import type { Address } from "@plinth/core";
import { runSteps } from "@plinth/core/async";
import { describe, expect, it } from "vitest";
import { type NativeContract, nativeContractsAt } from "./native-contracts.js";

const GAS = 10n ** 9n;

describe.each([
  ["sha256", 2],
  ["ripemd160", 3],
])("the contract of %s", (algorithm, number) => {
  it.each([0, 1, 2 ** 20, 2 ** 20 + 1, 3 * 2 ** 20])("hashes %s bytes", async (length) => {
    const contract = await load(number);
    const data = Uint8Array.from({ length }, (_, index) => index % 251);

    const { output } = runSteps(contract.run({ data, gas: GAS }));

    const hash = createHash(algorithm).update(data).digest("hex");
    expect(Buffer.from(output).toString("hex")).toBe(hash.padStart(64, "0"));
  });

  it("takes several steps for a long input", async () => {
    const contract = await load(number);

    const steps = contract.run({ data: new Uint8Array(2 ** 20 + 1), gas: GAS });

    expect(steps.next().done).toBe(false);
  });
});

describe("the identity contract", () => {
  it.each([0, 1, 1024, 4096, 2 ** 20, 2 ** 20 + 1])(
    "returns %s bytes that stay when the input changes",
    async (length) => {
      const contract = await load(4);
      const data = Uint8Array.from({ length }, (_, index) => index % 251);
      const before = data.slice();

      const outputs = [1, 2].map(() => runSteps(contract.run({ data, gas: GAS })).output);
      data.fill(0xff);

      expect(outputs.map((output) => Buffer.compare(output, before))).toEqual([0, 0]);
    },
  );
});

async function load(number: number): Promise<NativeContract> {
  const address: Address = `0x${number.toString(16).padStart(40, "0")}`;
  const contract = nativeContractsAt("cancun").get(address) ?? expect.fail();
  await contract.load?.();
  return contract;
}
