import { describe, expect, it } from "vitest";
import { isConformanceMissing, runSuite } from "../support/conformance.js";
import { PROGRAM } from "../support/program.js";

describe.skipIf(isConformanceMissing)("command vectors", () => {
  it("of `rlp` pass", async () => {
    const cli = `${process.execPath} ${PROGRAM}`;

    const { passed, failed, output } = await runSuite("run-cli.mjs", [
      `--cli=${cli}`,
      "--only=^rlp",
    ]);

    expect({ passed, failed }, output).toEqual({ passed: 9, failed: 0 });
  });
});
