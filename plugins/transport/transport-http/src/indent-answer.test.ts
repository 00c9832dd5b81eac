import { describe, expect, it } from "vitest";
import { indentAnswer } from "./indent-answer.js";

const INDENTED = '{\n  "result" : "ä"\n}';

describe("indentAnswer", () => {
  it("indents text at once", () => {
    expect(indentAnswer(['{"result":', '"ä"}'])).toEqual([INDENTED]);
  });

  it("indents pieces as they arrive, split within a character", async () => {
    const bytes = Buffer.from('"ä"}');
    async function* pieces() {
      yield bytes.subarray(0, 2);
      yield bytes.subarray(2);
    }

    const [stream] = indentAnswer(['{"result":', pieces()]);

    let text = "";
    for await (const piece of stream as AsyncIterable<string>) text += piece;
    expect(text).toBe(INDENTED);
  });
});
