import type { LogLine, LogWriter } from "@plinth/core/kernel";
import { describe, expect, it } from "vitest";
import { LateLogWriter } from "./late-log-writer.js";

const line = (message: string): LogLine => ({
  time: new Date(0),
  level: "info",
  plugin: "test",
  message,
  fields: {},
});

function createWriter(): LogWriter & { readonly messages: string[] } {
  const messages: string[] = [];
  return { messages, write: ({ message }) => void messages.push(message) };
}

describe("log lines before there is a driver", () => {
  it("are passed on when there is one, followed by later ones", () => {
    const [usual, driver] = [createWriter(), createWriter()];
    const late = new LateLogWriter(usual);
    late.write(line("early"));
    late.open(driver);
    late.write(line("late"));

    expect(driver.messages).toEqual(["early", "late"]);
    expect(usual.messages).toEqual([]);
  });

  it("are written by default if there is none", async () => {
    const usual = createWriter();
    const late = new LateLogWriter(usual);
    late.write(line("early"));
    await late.close();

    expect(usual.messages).toEqual(["early"]);
  });

  it("are not lost if the driver fails", () => {
    const usual = createWriter();
    const late = new LateLogWriter(usual);
    late.open({
      write: () => {
        throw new Error("no disk");
      },
    });
    late.write(line("one"));
    late.write(line("two"));

    expect(usual.messages).toEqual(["the log driver failed", "one", "two"]);
  });

  it("are flushed by the driver at the end", async () => {
    let isClosed = false;
    const late = new LateLogWriter(createWriter());
    late.open({
      write: () => {},
      close: async () => {
        isClosed = true;
      },
    });
    await late.close();

    expect(isClosed).toBe(true);
  });

  it("are not lost if the driver fails later, and its failure is not one of the node", async () => {
    const usual = createWriter();
    const late = new LateLogWriter(usual);
    late.open({
      write: async () => {
        throw new Error("no disk");
      },
    });
    late.write(line("one"));
    late.write(line("two"));
    await new Promise(setImmediate);
    late.write(line("three"));

    expect(usual.messages).toEqual(["the log driver failed", "one", "two", "three"]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no disk");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no disk"))],
    ["never ends", () => new Promise<void>(() => {})],
  ])("end with a driver that is not closed: it %s", async (_, close) => {
    const usual = createWriter();
    const late = new LateLogWriter(usual, { longestCloseMs: 1 });
    late.open({ write: () => {}, close });
    await late.close();

    expect(usual.messages).toEqual(["the log driver failed"]);
  });
});
