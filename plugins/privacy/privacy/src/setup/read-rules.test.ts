import { expect, it } from "vitest";
import { readRules } from "./read-rules.js";

it.each([
  [false, true],
  [true, false],
])(
  "private nonces increase after failures if enabled, except in flexible groups (%s)",
  (isFlexible, goesUp) => {
    const rules = readRules(
      {},
      {
        privacyNonceAlwaysIncrements: true,
        privacyGasCap: undefined,
        privacyFlexibleGroupsEnabled: isFlexible,
      },
    );

    expect(rules).toMatchObject({ isFlexible, nonceAlwaysIncrements: goesUp });
  },
);
