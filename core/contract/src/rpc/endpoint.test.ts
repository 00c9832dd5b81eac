import { describe, expect, it } from "vitest";
import { Endpoint, type Exposure } from "./endpoint.js";

describe("Endpoint", () => {
  it.each<[Exposure, "any" | "duplex", string, boolean, boolean]>([
    // exposure, caller, what the listener is, served when listed, served when not listed
    ["listed", "any", "one-way", true, false],
    ["listed", "any", "duplex", true, false],
    ["listed", "duplex", "one-way", false, false],
    ["listed", "duplex", "duplex", true, false],
    ["always", "any", "one-way", true, true],
    ["always", "any", "duplex", true, true],
    ["always", "duplex", "one-way", false, false],
    ["always", "duplex", "duplex", true, true],
    ["always-duplex", "any", "one-way", true, false],
    ["always-duplex", "any", "duplex", true, true],
    ["always-duplex", "duplex", "one-way", false, false],
    ["always-duplex", "duplex", "duplex", true, true],
  ])(
    "serves methods exposed %s for %s callers on a %s listener: listed %s, not listed %s",
    (exposure, caller, listener, whenListed, whenNotListed) => {
      const duplex = listener === "duplex";
      const entry = { namespace: "eth", exposure, method: { caller } };

      expect(anEndpoint({ duplex, namespaces: ["eth"] }).offers(entry)).toBe(whenListed);
      expect(anEndpoint({ duplex, namespaces: ["net"] }).offers(entry)).toBe(whenNotListed);
    },
  );

  it("also serves a method under another namespace", () => {
    const method = { caller: "any", alsoIn: "eea" } as const;
    const entry = { namespace: "priv", exposure: "listed", method } as const;

    expect(anEndpoint({ namespaces: ["EEA"] }).offers(entry)).toBe(true);
    expect(anEndpoint({ namespaces: ["eth"] }).offers(entry)).toBe(false);
  });

  it("accepts names in any case, each once, in the given order", () => {
    const endpoint = anEndpoint({ namespaces: ["NET", "eth", "Net", "ETH", "web3"] });

    expect(endpoint.namespaces).toEqual(["net", "eth", "web3"]);
  });

  it("has an address once it listens", () => {
    const endpoint = anEndpoint();
    expect(endpoint.address).toBeUndefined();

    endpoint.listening({ host: "127.0.0.1", port: 8545 });

    expect(endpoint.address).toEqual({ host: "127.0.0.1", port: 8545 });
  });
});

function anEndpoint(settings: { duplex?: boolean; namespaces?: readonly string[] } = {}): Endpoint {
  return new Endpoint({
    name: "json-rpc",
    transport: "http",
    namespaces: [],
    duplex: false,
    maxBatchSize: 0,
    ...settings,
  });
}
