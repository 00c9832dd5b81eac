import { describe, expect, it } from "vitest";
import { withLocalSocket } from "./local-socket.js";

const option = (name: string, value: unknown) => ({ name, value, isPath: false });
const ENABLED = option("Xrpc-ipc-enabled", true);

describe("the socket of a node that takes the place of a Besu node", () => {
  it.each([
    [
      "is enabled with what the status needs",
      [option("miner-enabled", false)],
      "/var/lib/plinth/data",
      [
        option("miner-enabled", false),
        ENABLED,
        option("Xrpc-ipc-api", ["ETH", "NET", "WEB3", "PLINTH"]),
      ],
    ],
    [
      "keeps the namespaces that it had",
      [option("Xrpc-ipc-enabled", false), option("Xrpc-ipc-api", ["DEBUG", "PLINTH"])],
      "/data",
      [ENABLED, option("Xrpc-ipc-api", ["DEBUG", "PLINTH"])],
    ],
    ["is left out where its path is too long", [], `/${"d".repeat(100)}`, []],
  ])("%s", (_, options, dataPath, expected) => {
    expect(withLocalSocket(options, dataPath)).toEqual(expected);
  });
});
