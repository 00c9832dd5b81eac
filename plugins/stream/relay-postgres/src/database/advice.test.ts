import { describe, expect, it } from "vitest";
import { findAdvice } from "./advice.js";

describe("the advice for an error", () => {
  it.each([
    ["ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:1", "is PostgreSQL running"],
    ["28P01", "password authentication failed", "--relay-postgres-password-file"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "self-signed certificate", "sslrootcert"],
    [undefined, "The server does not support SSL connections", "sslmode=disable"],
    [undefined, "SASL: SCRAM: client password must be a string", "PGPASSWORD"],
  ])("%s names what to do", (code, message, advice) => {
    expect(findAdvice(Object.assign(new Error(message), { code }))).toContain(advice);
  });

  it.each([[new Error("something else")], ["text"], [undefined]])("%s has none", (error) => {
    expect(findAdvice(error)).toBeUndefined();
  });
});
