import { expect, it } from "vitest";
import { Mailbox } from "./mailbox.js";

it("rejects droppable events above the limits, and accepts the rest", async () => {
  const mailbox = new Mailbox<string>({ count: 3, bytes: 100 });

  expect(mailbox.offer("large", 200)).toBe(true);
  expect(mailbox.offer("small", 1)).toBe(false);
  mailbox.put("timer");
  expect(await take(mailbox, 2)).toEqual(["large", "timer"]);
  expect(mailbox.offer("a", 60)).toBe(true);
  expect(mailbox.offer("b", 60)).toBe(false);
  expect(mailbox.offer("c", 40)).toBe(true);
  expect(mailbox.offer("d", 0)).toBe(true);
  expect(mailbox.offer("e", 0)).toBe(false);
  expect(await take(mailbox, 3)).toEqual(["a", "c", "d"]);
});

async function take(mailbox: Mailbox<string>, count: number): Promise<readonly string[]> {
  const taken: string[] = [];
  for await (const event of mailbox.events(new AbortController().signal)) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}
