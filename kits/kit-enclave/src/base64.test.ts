import { describe, expect, it } from "vitest";
import { fromBase64, toBase64 } from "./base64.js";
import { EnclaveError } from "./errors.js";

/** The largest payload of a manager, as its node receives it: in base64 twice. */
const LONG_BYTES = 14 * 2 ** 20;

describe("base64", () => {
  it.each(["", "AQ==", "AQI=", "AQID", "+/+/"])("reads %j", (text) => {
    expect(toBase64(fromBase64(text, "key"))).toBe(text);
  });

  it.each(["A", "AQ", "AQ=", "AR==", "AQ==AQ==", "A-_B", "AQ ID", " AQID", "AQID\n", "é", "===="])(
    "refuses %j",
    (text) => {
      expect(() => fromBase64(text, "key")).toThrow(EnclaveError);
    },
  );

  it("is decoded however long it is", () => {
    const bytes = new Uint8Array(LONG_BYTES).fill(0xa5);

    expect(Buffer.compare(fromBase64(toBase64(bytes), "payload"), bytes)).toBe(0);
  });
});
