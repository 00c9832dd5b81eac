import type { FileEntry } from "@plinth/kit-snapshot";
import { FakeClock, recordLogs } from "@plinth/testing";
import { expect, it } from "vitest";
import { JoinProgress } from "./join-progress.js";

const MIB = 2 ** 20;
const FILES = Array.from(
  { length: 10 },
  (_, index) => ({ name: `state-${index}`, compressedBytes: MIB }) as FileEntry,
);

it("logs rate and time left every five seconds, without what an earlier start had read", async () => {
  const clock = new FakeClock(0);
  const logs = recordLogs();
  const progress = new JoinProgress(FILES, { log: logs.for("test"), clock });
  for (const file of FILES.slice(2)) {
    progress.taken(file);
    await clock.advance(2_000);
  }

  expect(logs.entries.map(({ message }) => message)).toEqual([
    "Joining by snapshot: 5.0 of 10.0 MiB (50 %), 0.5 MiB/s, about 10 s left",
    "Joining by snapshot: 8.0 of 10.0 MiB (80 %), 0.5 MiB/s, about 4 s left",
  ]);
});
