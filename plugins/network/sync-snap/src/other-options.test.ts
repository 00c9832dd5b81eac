import { expect, it } from "vitest";
import { readOtherOptions } from "./other-options.js";

const VALIDATOR = `0x${"0a".repeat(20)}`;

function read(values: Readonly<Record<string, unknown>>) {
  return readOtherOptions("SNAP", (key) => values[key]);
}

it("validators that the operator trusts are used", () => {
  expect(read({ trustedValidators: [VALIDATOR] }).trustedValidators).toEqual([VALIDATOR]);
  expect(read({ trustedValidators: [] }).trustedValidators).toBeUndefined();
});

it("peers that a contract allows need a state", () => {
  expect(read({ permissionsNodesContractEnabled: true }).obstacle).toContain(
    "--permissions-nodes-contract-enabled",
  );
  expect(read({}).obstacle).toBeUndefined();
});

it("a snapshot is another way to join", () => {
  expect(() => read({ snapshot: ["/mnt/stick"] })).toThrow("leave one of them out");
});
