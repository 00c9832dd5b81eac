import { describe, expect, it } from "vitest";
import { type HealthStatus, runCheck, worst } from "./health.js";

describe("worst", () => {
  it.each<[HealthStatus[], HealthStatus]>([
    [[], "up"],
    [["up", "up"], "up"],
    [["up", "degraded", "up"], "degraded"],
    [["degraded", "down", "degraded"], "down"],
    [["down", "up"], "down"],
  ])("of %j is %s", (statuses, status) => {
    expect(worst(statuses)).toBe(status);
  });
});

describe("runCheck", () => {
  it("passes the runtime to the check and returns its result", async () => {
    const runtime = { peers: 3 };

    const health = await runCheck(({ peers }) => ({ status: "up", detail: `${peers}` }), runtime);

    expect(health).toEqual({ status: "up", detail: "3" });
  });

  it("waits for an asynchronous check", async () => {
    expect(await runCheck(async () => ({ status: "degraded" }), {})).toEqual({
      status: "degraded",
    });
  });

  it.each<[string, () => never | Promise<never>]>([
    [
      "throws",
      () => {
        throw new Error("no answer");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no answer"))],
  ])("reports a check that %s as down, with the reason", async (_, check) => {
    expect(await runCheck(check, {})).toEqual({ status: "down", detail: "no answer" });
  });
});
