import { describe, expect, it } from "vitest";
import { RequestSlots } from "./request-slots.js";

const from = (host: number) => ({ remoteAddress: `127.0.0.${host}` });
const user = (name: string) => ({ ...from(1), identity: { name, permissions: [] } });

describe("the requests for ranges at a time", () => {
  it("are eight of one caller, whose slots do not count for others", () => {
    const slots = new RequestSlots();
    const ends = Array.from({ length: 8 }, () => slots.take(from(1)));

    expect(() => slots.take(from(1))).toThrow(
      "At most 8 requests for changes at a time by one caller",
    );
    slots.take(from(2));
    slots.take(user("alice"));
    slots.take(user("bob"));

    ends[0]?.();
    slots.take(from(1));
    expect(() => slots.take(from(1))).toThrow("by one caller");
  });

  it("are 32 of all", () => {
    const slots = new RequestSlots();
    const ends = [1, 2, 3, 4].flatMap((host) =>
      Array.from({ length: 8 }, () => slots.take(from(host))),
    );

    expect(() => slots.take(from(5))).toThrow("At most 32 requests for changes at a time");
    for (const end of ends) end();
    for (let count = 0; count < 8; count++) slots.take(from(5));
  });
});
