import { FakeClock, recordLogs } from "@plinth/testing";
import { expect, it } from "vitest";
import { JoinProgress } from "./join-progress.js";

it("logs rate and time left every five seconds, for headers and the state apart", async () => {
  const clock = new FakeClock(0);
  const logs = recordLogs();
  const progress = new JoinProgress({ log: logs.for("test"), clock });
  for (let number = 0n; number <= 60n; number += 10n) {
    progress.headers(number, 100n);
    await clock.advance(1_000);
  }
  const account = { key: new Uint8Array(32), account: {} as never, slots: [] };
  for (const byte of [0x40, 0x41, 0x42, 0x80]) {
    progress.state({ accounts: [account] }, Buffer.alloc(32).fill(byte, 0, 1));
    await clock.advance(1_000);
  }

  expect(logs.entries.map(({ message }) => message)).toEqual([
    "Joining by peers: 50 of 100 headers (50.0 %, 10.0 % per second, about 5 s left)",
    "Joining by peers: state, 4 accounts and 0 slots (50.0 %, 8.3 % per second, about 6 s left)",
  ]);
});
