import { describe, expect, it } from "vitest";
import { answerTo, respondWith, respondWithError, sizeOf } from "./answer.js";
import { RpcError } from "./errors.js";

describe("answerTo", () => {
  it("keeps the callback for when it is sent", () => {
    const [sent, release] = [() => {}, () => {}];

    expect(answerTo({ ...respondWith("1", "1"), sent, release })).toEqual({
      outcome: "answered",
      parts: ['{"jsonrpc":"2.0","id":1,"result":1}'],
      sent,
      release,
    });
  });
});

describe("sizeOf", () => {
  it("counts strings and bytes, but not pending chunks", () => {
    const pieces = (async function* () {
      yield "123";
    })();

    expect(sizeOf(["12", Buffer.from("345"), pieces])).toBe(5);
  });
});

describe("respondWithError", () => {
  it.each([
    ["omits missing data", undefined, '{"code":3,"message":"no"}'],
    ["keeps data that is null", null, '{"code":3,"message":"no","data":null}'],
    ["keeps data that is a string", "0x1", '{"code":3,"message":"no","data":"0x1"}'],
  ])("%s", (_, data, error) => {
    expect(respondWithError("1", new RpcError(3, "no", data)).parts).toEqual([
      `{"jsonrpc":"2.0","id":1,"error":${error}}`,
    ]);
  });
});
