import { describe, expect, it } from "vitest";
import { readCiphers, toOpenSsl } from "./cipher-names.js";

describe("the names of cipher suites", () => {
  it.each([
    ["TLS_AES_256_GCM_SHA384", "TLS_AES_256_GCM_SHA384"],
    ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256"],
    ["TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"],
    ["TLS_RSA_WITH_AES_128_CBC_SHA", "AES128-SHA"],
    ["TLS_DHE_RSA_WITH_AES_256_CBC_SHA256", "DHE-RSA-AES256-SHA256"],
    ["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256"],
  ])("%s is %s", (name, expected) => {
    expect(toOpenSsl(name)).toBe(expected);
    expect(readCiphers("ciphers", [name])).toBe(expected);
  });

  it("are those of Node.js by default", () => {
    expect(readCiphers("ciphers", [])).toBeUndefined();
  });
});
