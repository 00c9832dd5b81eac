import { expect, it } from "vitest";
import { readRules } from "./read-rules.js";

it.each([
  [false, true],
  [true, false],
])(
  "private nonces go up after failures where that is asked for, but for flexible groups (%s)",
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
