import { describe, expect, it } from "vitest";
import { RecoveredSenders } from "./recovered-senders.js";

describe("RecoveredSenders", () => {
  it("finds the sender of a hash", () => {
    const senders = new RecoveredSenders();
    senders.add("0x01", "0xaa");
    expect(senders.find("0x01")).toBe("0xaa");
    expect(senders.find("0x02")).toBeUndefined();
  });

  it("evicts the oldest", () => {
    const senders = new RecoveredSenders(2);
    for (const hash of ["0x01", "0x02", "0x03"] as const) senders.add(hash, "0xaa");
    expect(senders.find("0x01")).toBeUndefined();
    expect(senders.find("0x02")).toBe("0xaa");
    expect(senders.find("0x03")).toBe("0xaa");
  });
});
