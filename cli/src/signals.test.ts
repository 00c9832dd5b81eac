import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { onSignals } from "./signals.js";

describe("signals", () => {
  it("stop on the first and force on the second", () => {
    const process = new EventEmitter();
    const seen: string[] = [];
    onSignals(process as NodeJS.Process, {
      stop: (signal) => seen.push(`stop ${signal}`),
      force: (signal) => seen.push(`force ${signal}`),
    });

    process.emit("SIGTERM", "SIGTERM");
    process.emit("SIGINT", "SIGINT");

    expect(seen).toEqual(["stop SIGTERM", "force SIGINT"]);
  });

  it("are no longer handled once the handlers are removed", () => {
    const process = new EventEmitter();
    const remove = onSignals(process as NodeJS.Process, { stop: () => {}, force: () => {} });

    remove();

    expect(process.listenerCount("SIGTERM") + process.listenerCount("SIGINT")).toBe(0);
  });
});
