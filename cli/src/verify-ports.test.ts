import { Configuration } from "@plinth/core/kernel";
import { describe, expect, it } from "vitest";
import { verifyPorts } from "./verify-ports.js";

describe("verifyPorts", () => {
  it("rejects a port of two listeners", () => {
    const config = aConfig({
      rpcHttpEnabled: true,
      rpcHttpPort: 99,
      p2pEnabled: true,
      p2pPort: 99,
    });

    expect(() => verifyPorts(config)).toThrow(
      "Port number '99' has been specified multiple times. Please review the supplied configuration.",
    );
  });

  it.each([
    ["port 0", { rpcHttpEnabled: true, rpcHttpPort: 0, rpcWsEnabled: true, rpcWsPort: 0 }],
    ["a listener that is off", { rpcHttpEnabled: true, rpcHttpPort: 9, rpcWsPort: 9 }],
    [
      "WebSockets on the HTTP port",
      {
        rpcHttpEnabled: true,
        rpcHttpPort: 9,
        rpcWsEnabled: true,
        rpcWsPort: 9,
        rpcWsOnHttpPort: true,
      },
    ],
  ])("accepts %s", (_, values) => {
    expect(() => verifyPorts(aConfig(values))).not.toThrow();
  });
});

function aConfig(values: Readonly<Record<string, unknown>>): Configuration {
  const entries = Object.entries(values).map(
    ([key, value]) => [key, { value, isSet: true }] as const,
  );
  return Configuration.restore(new Map(entries));
}
