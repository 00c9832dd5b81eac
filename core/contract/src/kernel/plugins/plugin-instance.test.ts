import { describe, expect, it } from "vitest";
import { markPlugin } from "./plugin.js";
import { PluginInstance } from "./plugin-instance.js";
import type { TaskFailure } from "./tasks.js";

describe("PluginInstance", () => {
  it("is active from the beginning", () => {
    const instance = anInstance();

    expect(instance).toMatchObject({ name: "audit", active: true, disabled: false });
    expect(instance.signal.aborted).toBe(false);
  });

  it("is essential only if its plugin declares it", () => {
    expect(anInstance().essential).toBe(false);
    expect(anInstance({ essential: true }).essential).toBe(true);
  });

  it("is inactive while idle, but not disabled", () => {
    const instance = anInstance();

    instance.idle = "another engine runs here";

    expect(instance).toMatchObject({ active: false, disabled: false });
    expect(instance.signal.aborted).toBe(false);
  });

  it("is inactive and ends its work once it is disabled", () => {
    const instance = anInstance();

    instance.disable();

    expect(instance).toMatchObject({ active: false, disabled: true });
    expect(instance.signal.aborted).toBe(true);
  });

  it("can end its work and stay active", () => {
    const instance = anInstance();

    instance.abort();

    expect(instance).toMatchObject({ active: true, disabled: false });
    expect(instance.signal.aborted).toBe(true);
  });

  it("passes its own signal to its tasks", () => {
    const instance = anInstance();
    let given: AbortSignal | undefined;

    instance.tasks.run("watch", async (signal) => {
      given = signal;
    });

    expect(given).toBe(instance.signal);
  });

  it("keeps and reports failed tasks, oldest first", async () => {
    const reported: [unknown, TaskFailure][] = [];
    const instance = anInstance({}, (...report) => reported.push(report));
    const [first, second] = [new Error("first"), new Error("second")];

    instance.tasks.run("a", () => Promise.reject(first));
    instance.tasks.run("b", () => Promise.reject(second));
    await instance.tasks.ended();

    const failures = [
      { name: "a", error: first },
      { name: "b", error: second },
    ];
    expect(instance.failures).toEqual(failures);
    expect(reported).toEqual(failures.map((failure) => [instance, failure]));
  });
});

function anInstance(
  settings: { readonly essential?: boolean } = {},
  failed: (instance: PluginInstance<object>, failure: TaskFailure) => void = () => {},
) {
  return new PluginInstance<object>(
    markPlugin({ name: "audit", setup: () => {}, ...settings }),
    failed,
  );
}
