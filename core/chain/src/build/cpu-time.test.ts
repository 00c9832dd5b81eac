import { describe, expect, it, vi } from "vitest";
import { CpuTime } from "./cpu-time.js";

describe("the CPU time", () => {
  it("is read once for many transactions, and again after some milliseconds", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const read = vi.spyOn(process, "cpuUsage");
    try {
      const time = new CpuTime();
      for (let call = 0; call < 100; call++) time.recentMs();
      expect(read).toHaveBeenCalledTimes(1);

      vi.advanceTimersByTime(6);
      time.recentMs();
      expect(read).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
      read.mockRestore();
    }
  });

  it("measures the difference to an earlier reading", () => {
    const time = new CpuTime();
    const before = time.recentMs();

    for (let n = 0; n < 3e6; n++) Math.sqrt(n);

    expect(time.sinceMs(before)).toBeGreaterThan(0);
  });
});
