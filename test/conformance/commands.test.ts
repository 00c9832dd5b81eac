import { describe, expect, it } from "vitest";
import { isConformanceMissing, runSuite } from "../support/conformance.js";
import { PROGRAM } from "../support/program.js";

describe.skipIf(isConformanceMissing)("command vectors", () => {
  it("of `rlp` and `operator` pass", async () => {
    const cli = `${process.execPath} ${PROGRAM}`;

    const { passed, failed, output } = await runSuite("run-cli.mjs", [`--cli=${cli}`]);

    expect({ passed, failed }, output).toEqual({ passed: 16, failed: 0 });
  }, 120_000);
});
