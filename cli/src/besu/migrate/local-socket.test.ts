import { describe, expect, it } from "vitest";
import { withLocalSocket } from "./local-socket.js";

const option = (name: string, value: unknown) => ({ name, value, isPath: false });
const ENABLED = option("Xrpc-ipc-enabled", true);

describe("the socket of a node that replaces a Besu node", () => {
  it.each([
    [
      "is enabled with the namespaces of the status",
      [option("miner-enabled", false)],
      "/var/lib/plinth/data",
      [
        option("miner-enabled", false),
        ENABLED,
        option("Xrpc-ipc-api", ["ETH", "NET", "WEB3", "PLINTH"]),
      ],
    ],
    [
      "keeps its namespaces",
      [option("Xrpc-ipc-enabled", false), option("Xrpc-ipc-api", ["DEBUG", "PLINTH"])],
      "/data",
      [ENABLED, option("Xrpc-ipc-api", ["DEBUG", "PLINTH"])],
    ],
    ["is omitted if its path is too long", [], `/${"d".repeat(100)}`, []],
  ])("%s", (_, options, dataPath, expected) => {
    expect(withLocalSocket(options, dataPath)).toEqual(expected);
  });
});
