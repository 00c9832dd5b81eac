import { describe, expect, it } from "vitest";
import { SupervisedTasks, type TaskFailure } from "./tasks.js";

describe("tasks", () => {
  it("start immediately, with the signal that ends them", () => {
    const { tasks, stop } = setUp();
    let given: AbortSignal | undefined;

    tasks.run("watch", async (signal) => {
      given = signal;
    });

    expect(given).toBe(stop.signal);
  });

  it.each<[string, () => Promise<void>]>([
    ["rejects", () => Promise.reject(new Error("broken"))],
    [
      "throws synchronously",
      () => {
        throw new Error("broken");
      },
    ],
  ])("are reported by name when one %s", async (_, task) => {
    const { tasks, failures } = setUp();

    tasks.run("watch", task);
    await tasks.ended();

    expect(failures).toEqual([{ name: "watch", error: new Error("broken") }]);
  });

  it("that end by themselves are not reported", async () => {
    const { tasks, failures } = setUp();

    tasks.run("once", async () => {});
    await tasks.ended();

    expect(failures).toEqual([]);
  });

  it("that end on abort are not reported", async () => {
    const { tasks, stop, failures } = setUp();
    tasks.run("loop", (signal) => untilAborted(signal));

    stop.abort();
    await tasks.ended();

    expect(failures).toEqual([]);
  });

  it("are independent of each other", async () => {
    const { tasks, failures } = setUp();
    let done = false;

    tasks.run("broken", () => Promise.reject(new Error("broken")));
    tasks.run("sound", async () => {
      await Promise.resolve();
      done = true;
    });
    await tasks.ended();

    expect(done).toBe(true);
    expect(failures).toHaveLength(1);
  });

  it("are awaited until the last has ended", async () => {
    const { tasks } = setUp();
    const gates = [aGate(), aGate()];
    let ended = false;
    for (const { opened } of gates) tasks.run("wait", () => opened);
    const waiting = tasks.ended().then(() => {
      ended = true;
    });

    gates[0]?.open();
    await settled();
    expect(ended).toBe(false);
    gates[1]?.open();
    await waiting;

    expect(ended).toBe(true);
  });

  it("resolve immediately if there are none", async () => {
    await expect(setUp().tasks.ended()).resolves.toBeUndefined();
  });
});

function setUp() {
  const stop = new AbortController();
  const failures: TaskFailure[] = [];
  const tasks = new SupervisedTasks(stop.signal, (failure) => failures.push(failure));
  return { tasks, stop, failures };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

function aGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
