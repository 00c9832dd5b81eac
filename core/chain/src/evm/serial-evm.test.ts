import type { Evm, EvmResult, Message, RunContext } from "@plinth/core/evm";
import { describe, expect, it } from "vitest";
import { serialEvm } from "./serial-evm.js";

describe("a serial EVM", () => {
  it("starts a job at once if it is created and idle", async () => {
    const { evm, started } = setUp();
    await evm.load();

    void run(evm, "first");

    expect(started).toEqual(["first"]);
  });

  it("is created once, by the first job", async () => {
    const { evm, started, finish, created } = setUp();

    const results = [run(evm, "first"), run(evm, "second")];
    await finish("first");
    await finish("second");
    await Promise.all(results);

    expect(started).toEqual(["first", "second"]);
    expect(created()).toBe(1);
  });

  it("runs jobs one after another, in the order of their calls", async () => {
    const { evm, started, finish } = setUp();
    await evm.load();
    const results = [run(evm, "first"), run(evm, "second"), run(evm, "third")];

    expect(started).toEqual(["first"]);
    await finish("first");
    expect(started).toEqual(["first", "second"]);
    const fourth = run(evm, "fourth");
    await finish("second");
    await finish("third");
    await finish("fourth");
    await Promise.all([...results, fourth]);

    expect(started).toEqual(["first", "second", "third", "fourth"]);
  });

  it("continues after a job that failed", async () => {
    const { evm, started, fail, finish } = setUp();
    await evm.load();
    const first = run(evm, "first");
    const second = run(evm, "second");

    await fail("first");
    await expect(first).rejects.toThrow("first failed");
    await finish("second");
    await second;

    void run(evm, "third");
    expect(started).toEqual(["first", "second", "third"]);
  });
});

it("a job that another one starts at once waits for it", async () => {
  const order: string[] = [];
  const evm: Evm = serialEvm(async () => inner);
  const inner = {
    async runMessage(message: Message) {
      const { name } = message as unknown as { name: string };
      order.push(`begin ${name}`);
      if (name === "outer") nested = run(evm, "inner");
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`end ${name}`);
      return {} as EvmResult;
    },
  } as unknown as Evm;
  let nested: Promise<EvmResult> | undefined;
  await run(evm, "first");

  await run(evm, "outer");
  await nested;

  expect(order.slice(2)).toEqual(["begin outer", "end outer", "begin inner", "end inner"]);
});

it("a job that throws is rejected, and does not hold up the next one", async () => {
  let isBroken = false;
  const inner = {
    runMessage() {
      if (isBroken) throw new Error("broken");
      return Promise.resolve({} as EvmResult);
    },
  } as unknown as Evm;
  const evm = serialEvm(async () => inner);
  await run(evm, "first");

  isBroken = true;
  await expect(run(evm, "second")).rejects.toThrow("broken");
  isBroken = false;
  await expect(run(evm, "third")).resolves.toEqual({});
});

function run(evm: Evm, name: string): Promise<EvmResult> {
  return evm.runMessage({ name } as unknown as Message, {} as RunContext);
}

function setUp() {
  const started: string[] = [];
  const jobs = new Map<string, { resolve(): void; reject(error: Error): void }>();
  let created = 0;
  const inner = {
    runMessage: (message: Message) =>
      new Promise<EvmResult>((resolve, reject) => {
        const { name } = message as unknown as { name: string };
        started.push(name);
        jobs.set(name, { resolve: () => resolve({} as EvmResult), reject });
      }),
  } as unknown as Evm;
  const evm = serialEvm(async () => {
    created += 1;
    return inner;
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    evm,
    started,
    created: () => created,
    finish: async (name: string) => {
      await settled();
      jobs.get(name)?.resolve();
      await settled();
    },
    fail: async (name: string) => {
      jobs.get(name)?.reject(new Error(`${name} failed`));
      await settled();
    },
  };
}
