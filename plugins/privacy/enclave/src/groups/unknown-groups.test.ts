import { FakeClock } from "@plinth/testing";
import { expect, it } from "vitest";
import { UnknownGroups } from "./unknown-groups.js";

const key = (number: number) => {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32BE(number);
  return bytes;
};

it("keeps capacity for others, regardless of how many groups one sender names", () => {
  const unknown = new UnknownGroups(new FakeClock(0));
  unknown.add(key(1), key(7));
  for (let id = 1000; id < 1500; id++) unknown.add(key(id), key(8));

  const names = unknown.all().map(({ privacyGroupId }) => privacyGroupId);

  expect(names).toHaveLength(100);
  expect(names).toContain(key(1).toString("base64"));
  expect(names).toContain(key(1499).toString("base64"));
});

it("looks up those first that have waited the longest", async () => {
  const clock = new FakeClock(0);
  const unknown = new UnknownGroups(clock);
  for (const id of [1, 2, 3]) {
    unknown.add(key(id), key(7));
    await clock.advance(1000);
  }
  const take = () => unknown.takeDue(2).map(({ id }) => Buffer.from(id).readUInt32BE());

  expect([take(), take(), take()]).toEqual([[1, 2], [3], []]);
});

it("looks up a group less and less often, and never once it is known", async () => {
  const clock = new FakeClock(0);
  const unknown = new UnknownGroups(clock);
  unknown.add(key(1), key(7));
  const times: number[] = [];
  while (clock.now() < 250_000) {
    if (unknown.takeDue(1).length > 0) times.push(clock.now());
    await clock.advance(1000);
  }

  expect(times).toEqual([1000, 6000, 16_000, 36_000, 76_000, 136_000, 196_000]);
  unknown.forget(() => true);
  expect(unknown.nextDue).toBeUndefined();
});
