import { describe, expect, it } from "vitest";
import { answerToBatch, respondWith, respondWithError } from "./answer.js";
import { RpcError } from "./errors.js";

describe("answerToBatch", () => {
  it("is one text when there are neither bytes nor streams", () => {
    const responses = [respondWith("1", '"a"'), respondWithError("2", RpcError.internal())];

    expect(answerToBatch(responses).parts).toEqual([
      '[{"jsonrpc":"2.0","id":1,"result":"a"},{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Internal error"}}]',
    ]);
  });

  it("keeps bytes apart and joins the texts around them", () => {
    const bytes = Buffer.from("{}");

    expect(answerToBatch([respondWith("1", "1"), respondWith("2", bytes)]).parts).toEqual([
      '[{"jsonrpc":"2.0","id":1,"result":1},{"jsonrpc":"2.0","id":2,"result":',
      bytes,
      "}]",
    ]);
  });

  it("is an empty list without responses", () => {
    expect(answerToBatch([])).toEqual({ outcome: "answered", parts: ["[]"] });
  });
});

describe("respondWithError", () => {
  it.each([
    ["leaves out data that is not there", undefined, '{"code":3,"message":"no"}'],
    ["keeps data that is null", null, '{"code":3,"message":"no","data":null}'],
    ["keeps data that is text", "0x1", '{"code":3,"message":"no","data":"0x1"}'],
  ])("%s", (_, data, error) => {
    expect(respondWithError("1", new RpcError(3, "no", data)).parts).toEqual([
      `{"jsonrpc":"2.0","id":1,"error":${error}}`,
    ]);
  });
});
