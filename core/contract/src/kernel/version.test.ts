import { describe, expect, it } from "vitest";
import { coreVersion, formatClientVersion } from "./version.js";

describe("the client version", () => {
  it("is name, version, platform and runtime", () => {
    expect(formatClientVersion("1.2.3")).toMatch(/^plinth\/v1\.2\.3\/[a-z0-9]+-\w+\/node-\d+$/);
  });

  it("has the identity after the name", () => {
    expect(formatClientVersion("1.2.3", "validator-1")).toMatch(/^plinth\/validator-1\/v1\.2\.3\//);
  });

  it("is the version of the package", () => {
    expect(coreVersion()).toMatch(/^\d+\.\d+\.\d+/);
  });
});
