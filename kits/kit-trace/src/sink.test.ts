import { describe, expect, it } from "vitest";
import { Abandoned } from "./abandoned.js";
import { readWhileMade } from "./sink.js";

const FOREVER = new AbortController().signal;

describe("text that is read while it is produced", () => {
  it("arrives in order, and ends", async () => {
    const made = await readWhileMade(async (sink) => {
      await sink.write("a");
      await new Promise((resolve) => setImmediate(resolve));
      await sink.write("b");
    }, FOREVER);

    expect(await read(made)).toBe("ab");
  });

  it("makes the writer wait for a reader that is behind", async () => {
    let written = 0;
    const made = await readWhileMade(async (sink) => {
      for (; written < 20; written++) await sink.write("x".repeat(100_000));
    }, FOREVER);

    await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBeLessThan(8);
    expect((await read(made)).length).toBe(2_000_000);
  });

  it("rejects if producing it fails early, and is truncated if the buffer was exceeded before", async () => {
    const failing = (first: string) =>
      readWhileMade(async (sink) => {
        if (first !== "") await sink.write(first);
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error("no more");
      }, FOREVER);

    await expect(failing("")).rejects.toThrow("no more");
    await expect(failing("some")).rejects.toThrow("no more");
    const begun = await failing("x".repeat(300_000));
    await expect(read(begun)).rejects.toThrow("no more");
  });

  it("does not wait for all of it if it is produced slowly", async () => {
    let isOver = false;
    const made = await readWhileMade(async (sink) => {
      while (!isOver) {
        await sink.write("x");
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }, FOREVER);
    const { value } = await made.next();
    isOver = true;

    expect(value).toMatch(/^x+$/);
    expect((await read(made)).length).toBeLessThan(10);
  });

  it("is not produced any further when the reader or the caller disconnects", async () => {
    const ends: unknown[] = [];
    const endless = (signal: AbortSignal) =>
      readWhileMade(async (sink) => {
        try {
          for (;;) {
            await sink.write("x".repeat(300_000));
            await new Promise((resolve) => setImmediate(resolve));
          }
        } catch (error) {
          ends.push(error);
          throw error;
        }
      }, signal);

    const left = await endless(FOREVER);
    await left.next();
    await left.return(undefined);
    const caller = new AbortController();
    const closed = await endless(caller.signal);
    caller.abort();
    await expect(read(closed)).rejects.toThrow(Abandoned);

    expect(ends).toEqual([expect.any(Abandoned), expect.any(Abandoned)]);
  });
});

async function read(made: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of made) text += piece;
  return text;
}
