import { describe, expect, it } from "vitest";
import { Failures } from "./failures.js";

const idOf = (number: number) => `0x${String(number).padStart(128, "0")}` as const;
const nodeOf = (number: number) => ({ id: idOf(number), host: "192.0.2.1", tcpPort: number });

describe("the reason for a lack of peers", () => {
  it("covers the nodes that the operator named, regardless of unknown peers", () => {
    const failures = new Failures((id) => id === idOf(1));

    failures.note(nodeOf(1), "no connection");
    for (let number = 2; number < 500; number++) failures.note(nodeOf(number), "no slot is free");

    expect(failures.describe()).toMatch(/^0x0{16}… at 192\.0\.2\.1:1: no connection; /);
    expect(failures.describe()).toMatch(/at 192\.0\.2\.1:499: .+:498: .+; and 98 more$/);
  });

  it("has a readable length", () => {
    const failures = new Failures(() => false);

    failures.note(nodeOf(1), "x".repeat(100_000));

    expect(failures.describe()?.length).toBeLessThan(400);
  });
});
