import { expect, it } from "vitest";
import { verifyOptions, verifyWholeChain } from "./verify-options.js";

it.each([
  [9n, 0n, "--blocks-retained has removed the bodies of those before block 9"],
  [0n, 7n, "--history has removed those before block 7"],
])("bodies from block %s and states from block %s are too few", (bodies, values, problem) => {
  const blocks = { firstRetained: () => bodies, oldestStates: () => ({ values, tries: values }) };

  expect(() => verifyWholeChain(blocks)).toThrow(problem);
});

it("all bodies and states are enough, however few proofs there are", () => {
  const blocks = { firstRetained: () => 0n, oldestStates: () => ({ values: 0n, tries: 9n }) };

  expect(() => verifyWholeChain(blocks)).not.toThrow();
});

it("a snapshot is refused, because it has no old states", () => {
  const find = (key: string) => (key === "snapshot" ? ["/snapshot"] : undefined);
  const config = { privacyEnabled: true } as Parameters<typeof verifyOptions>[0];

  expect(() => verifyOptions(config, { find, log: { warn() {} } })).toThrow(
    "--snapshot cannot be used with privacy",
  );
});
