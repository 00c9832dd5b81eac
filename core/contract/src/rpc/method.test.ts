import { describe, expect, it } from "vitest";
import { t } from "../codec/ethereum.js";
import { method, RawResult, raw, StreamResult, stream } from "./method.js";

describe("method", () => {
  it("requires nothing special of its callers by default", () => {
    const made = method({ summary: "Says hello.", result: t.text, handle: () => "hello" });

    expect(made).toMatchObject({
      summary: "Says hello.",
      params: {},
      exactParams: false,
      caller: "any",
      cost: 1,
      permission: undefined,
    });
    expect(made.result).toBe(t.text);
  });

  it("keeps its declaration", () => {
    const made = method({
      summary: "Says hello.",
      params: { name: t.text },
      result: t.text,
      exactParams: true,
      caller: "duplex",
      cost: 5,
      permission: "say:hello",
      handle: ({ name }) => `hello ${name}`,
    });

    expect(made).toMatchObject({
      exactParams: true,
      caller: "duplex",
      cost: 5,
      permission: "say:hello",
    });
    expect(Object.keys(made.params)).toEqual(["name"]);
  });

  it("passes the parameters and the call to its handler", () => {
    const made = method({
      summary: "Says hello.",
      params: { name: t.text },
      result: t.text,
      handle: ({ name }, { greeting }: { greeting: string }) => `${greeting} ${name}`,
    });

    expect(made.handle({ name: "Ada" } as never, { greeting: "hello" })).toBe("hello Ada");
  });
});

describe("results that are already JSON", () => {
  it("are marked as bytes or as a stream", () => {
    const bytes = Uint8Array.of(0x31);
    const chunks = (async function* () {
      yield "1";
    })();

    expect(raw(bytes)).toEqual(new RawResult(bytes));
    expect(stream(chunks)).toEqual(new StreamResult(chunks));
  });
});
