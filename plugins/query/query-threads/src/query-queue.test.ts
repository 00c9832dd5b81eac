import { describe, expect, it } from "vitest";
import { QueryQueue } from "./query-queue.js";

const client = (name: string) => ({ name });

function aQueue(max = 10) {
  return new QueryQueue<{ client: object; enqueuedAt: number; name: string }>(max);
}

describe("queued calls", () => {
  it("are served in order of arrival, among unknown clients", () => {
    const queue = aQueue();
    for (const [at, name] of ["a", "b", "c"].entries()) {
      queue.add({ client: client(name), enqueuedAt: at, name });
    }

    expect([queue.next()?.name, queue.next()?.name, queue.next()?.name]).toEqual(["a", "b", "c"]);
    expect(queue.next()).toBeUndefined();
  });

  it("of a client with short calls are served before those of others", () => {
    const queue = aQueue();
    const [short, long] = [client("short"), client("long")];
    for (let call = 0; call < 20; call++) queue.note(short, 1);
    for (let call = 0; call < 20; call++) queue.note(long, 5000);

    queue.add({ client: long, enqueuedAt: 0, name: "long" });
    queue.add({ client: client("new"), enqueuedAt: 1, name: "new" });
    queue.add({ client: short, enqueuedAt: 1000, name: "short" });

    expect(queue.next()?.name).toBe("short");
  });

  it("of unknown clients are expected to take as long as those of others recently, at most 5 ms", () => {
    const queue = aQueue();
    expect(queue.expectedMs(client("first"))).toBe(5);

    for (let call = 0; call < 200; call++) queue.note(client("short"), 1);
    expect(queue.expectedMs(client("new"))).toBeLessThan(1.2);

    for (let call = 0; call < 200; call++) queue.note(client("long"), 5000);
    expect(queue.expectedMs(client("new"))).toBeCloseTo(5, 0);
  });

  it("never wait more than three seconds behind those of other clients", () => {
    const queue = aQueue();
    const [short, long] = [client("short"), client("long")];
    for (let call = 0; call < 20; call++) queue.note(short, 0);
    queue.note(long, 1e9);

    queue.add({ client: long, enqueuedAt: 0, name: "long" });
    queue.add({ client: short, enqueuedAt: 3001, name: "short" });

    expect(queue.next()?.name).toBe("long");
  });

  it("are rejected if there are too many", () => {
    const queue = aQueue(1);
    const item = { client: {}, enqueuedAt: 0, name: "a" };

    expect(queue.add(item)).toBe(true);
    expect(queue.add({ ...item })).toBe(false);
    expect(queue.remove(item)).toBe(true);
    expect(queue.remove(item)).toBe(false);
    expect(queue.add({ ...item })).toBe(true);
  });
});
