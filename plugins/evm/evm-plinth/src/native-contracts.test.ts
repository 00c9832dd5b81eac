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
  const address: Address = `0x${number.toString(16).padStart(40, "0")}`;

  it.each([0, 1, 2 ** 20, 2 ** 20 + 1, 3 * 2 ** 20])("hashes %s bytes", async (length) => {
    const contract = await load();
    const data = Uint8Array.from({ length }, (_, index) => index % 251);

    const { output } = runSteps(contract.run({ data, gas: GAS }));

    const hash = createHash(algorithm).update(data).digest("hex");
    expect(Buffer.from(output).toString("hex")).toBe(hash.padStart(64, "0"));
  });

  it("takes several steps for a long input", async () => {
    const contract = await load();

    const steps = contract.run({ data: new Uint8Array(2 ** 20 + 1), gas: GAS });

    expect(steps.next().done).toBe(false);
  });

  async function load(): Promise<NativeContract> {
    const contract = nativeContractsAt("cancun").get(address) ?? expect.fail();
    await contract.load?.();
    return contract;
  }
});
