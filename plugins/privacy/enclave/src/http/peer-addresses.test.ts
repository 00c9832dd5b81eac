import { FakeClock, recordLogs } from "@plinth/testing";
import { expect, it } from "vitest";
import { PeerAddresses } from "./peer-addresses.js";

function create(urls: readonly string[]) {
  const logs = recordLogs();
  return {
    addresses: new PeerAddresses(urls, { clock: new FakeClock(), log: logs.for("test") }),
    logs,
  };
}

it.each([
  ["http://127.0.0.7:9001/", "127.0.0.7", true],
  ["http://127.0.0.7:9001/", "::ffff:127.0.0.7", true],
  ["http://127.0.0.7:9001/", "127.0.0.8", false],
  ["http://127.0.0.7:9001/", "", false],
  ["http://localhost:9001/", "127.0.0.1", true],
  ["http://[::1]:9001/", "::1", true],
])(
  "decides for %s and a caller at %s whether they are the same: %s",
  async (url, caller, isSame) => {
    expect(await create([url]).addresses.has(caller)).toBe(isSame);
  },
);

it("skips a name that cannot be resolved, and logs it", async () => {
  // One character too long, so that no server is queried for it.
  const name = "a".repeat(64);
  const { addresses, logs } = create([`http://${name}:9001/`, "http://127.0.0.7/"]);

  expect(await addresses.has("127.0.0.7")).toBe(true);
  expect(logs.entries.map(({ message }) => message)).toEqual([
    expect.stringContaining(`the manager at ${name} is not served: `),
  ]);
});
