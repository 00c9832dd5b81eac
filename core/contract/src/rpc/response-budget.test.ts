import { describe, expect, it } from "vitest";
import { ListenerBudget, type ResponseLimit } from "./response-budget.js";

const LIMITS = { response: 50, batch: 1000, connection: 60, total: 100 };

function setUp(limits: Partial<typeof LIMITS> = {}) {
  const exceeded: ResponseLimit[] = [];
  const disconnected: string[] = [];
  const listener = new ListenerBudget({ ...LIMITS, ...limits }, (limit) => exceeded.push(limit));
  const open = (name: string) => listener.open(() => disconnected.push(name));
  return { listener, open, exceeded, disconnected };
}

describe("the budget of a connection", () => {
  it("admits one response up to the limit", () => {
    const { open, exceeded } = setUp();
    const client = open("a");

    expect([client.claim(51), client.claim(50)]).toEqual([false, true]);
    expect(exceeded).toEqual(["response"]);
  });

  it("admits more when earlier responses were read", () => {
    const { open, exceeded } = setUp();
    const client = open("a");
    client.claim(40);

    expect(client.claim(40)).toBe(false);
    client.release(40);

    expect(client.claim(40)).toBe(true);
    expect(exceeded).toEqual(["connection"]);
  });

  it("always admits one response, however small the buffer", () => {
    const { open } = setUp({ connection: 10 });

    expect(open("a").claim(40)).toBe(true);
  });

  it("counts nothing once the connection has ended", () => {
    const { listener, open } = setUp();
    const client = open("a");
    client.claim(40);

    client.close();
    client.release(40);
    client.claim(40);

    expect([client.heldBytes, listener.heldBytes]).toEqual([0, 0]);
  });
});

describe("the budget of a listener", () => {
  it("disconnects the client that holds most when another one needs memory", () => {
    const { listener, open, disconnected, exceeded } = setUp();
    const [a, b, c] = [open("a"), open("b"), open("c")];
    a.claim(30);
    b.claim(50);

    expect(c.claim(40)).toBe(true);

    expect([disconnected, exceeded, listener.heldBytes]).toEqual([["b"], ["total"], 70]);
  });

  it("admits no more from the client that would hold most itself", () => {
    const { open, disconnected, exceeded } = setUp({ connection: 200 });
    const [a, b, c] = [open("a"), open("b"), open("c")];
    a.claim(40);
    b.claim(30);
    c.claim(25);

    expect(a.claim(10)).toBe(false);

    expect([disconnected, exceeded]).toEqual([[], ["total"]]);
  });
});
