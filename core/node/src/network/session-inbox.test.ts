import { describe, expect, it } from "vitest";
import { SessionInbox } from "./session-inbox.js";

const EMPTY = new Uint8Array();
const settle = () => new Promise((resolve) => setImmediate(resolve));

function createInbox(received: (code: number) => void | Promise<void>) {
  const failures: unknown[] = [];
  const failed = (error: unknown) => void failures.push(error);
  const inbox = new SessionInbox({ session: { received }, admit: undefined, failed });
  return { inbox, failures };
}

describe("the messages of a session", () => {
  it("are handled one at a time and in order", async () => {
    const log: string[] = [];
    const { inbox } = createInbox(async (code) => {
      log.push(`begin ${code}`);
      await settle();
      log.push(`end ${code}`);
    });

    for (const code of [1, 2, 3]) void inbox.receive(code, EMPTY);
    for (let n = 0; n < 6; n++) await settle();

    expect(log).toEqual(["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"]);
  });

  it.each([
    ["messages", 512, EMPTY],
    ["bytes", 8, new Uint8Array(2 ** 19)],
  ])("pause the peer when there are too many %s", async (_, count, payload) => {
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const { inbox } = createInbox(() => gate);

    for (let n = 1; n < count; n++) expect(inbox.receive(0, payload)).toBeUndefined();
    const space = inbox.receive(0, payload);
    expect(space).toBeInstanceOf(Promise);
    go();

    await expect(space).resolves.toBeUndefined();
    await settle();
    expect(inbox.receive(0, payload)).toBeUndefined();
  });

  it.each([
    ["throws", () => Promise.reject(new Error("bad"))],
    [
      "throws synchronously",
      () => {
        throw new Error("bad");
      },
    ],
  ])("end with the first that %s", async (_, received) => {
    const { inbox, failures } = createInbox(received);

    void inbox.receive(0, EMPTY);
    await settle();

    expect(failures).toEqual([new Error("bad")]);
  });

  it("are dropped when the session is closed, and let the driver resume reading", async () => {
    const seen: number[] = [];
    const { inbox } = createInbox(async (code) => {
      seen.push(code);
      await settle();
    });
    void inbox.receive(1, EMPTY);
    void inbox.receive(2, EMPTY);

    inbox.close();
    for (let n = 0; n < 4; n++) await settle();

    expect(seen).toEqual([1]);
    expect(inbox.receive(3, EMPTY)).toBeUndefined();
  });
});
