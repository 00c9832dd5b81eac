import { describe, expect, it } from "vitest";
import { formatLocation, parseLocation } from "./location.js";

describe("--relay-postgres-url", () => {
  it.each([
    ["postgres://app@db.example/chain", "db.example", 5432, "verify-full"],
    ["postgresql://app@db.example:5433/chain?sslmode=require", "db.example", 5433, "require"],
    ["postgres://app@localhost/chain", "localhost", 5432, "disable"],
    ["postgres://app@127.0.0.1/chain", "127.0.0.1", 5432, "disable"],
    ["postgres://app@[::1]:6000/chain", "::1", 6000, "disable"],
    ["postgres://app@localhost/chain?host=/run/postgresql", "/run/postgresql", 5432, "disable"],
    ["postgres://app@localhost/chain?sslmode=verify-ca", "localhost", 5432, "verify-ca"],
  ])("%s names a server, and TLS is verified beyond this machine", (url, host, port, sslMode) => {
    expect(parseLocation(url)).toEqual({
      ...{ kind: "server", user: "app", database: "chain", host, port, sslMode },
      rootCertificate: undefined,
    });
  });

  it("names a file of authorities, and decodes names", () => {
    expect(parseLocation("postgres://a%40b@db/my%20chain?sslrootcert=/etc/ca.pem")).toMatchObject({
      user: "a@b",
      database: "my chain",
      rootCertificate: "/etc/ca.pem",
    });
  });

  it("names a folder", () => {
    expect(parseLocation("pglite:/var/lib/relay")).toEqual({
      kind: "folder",
      folder: "/var/lib/relay",
    });
  });

  it.each([
    ["", "expected postgres://USER@HOST:PORT/DATABASE"],
    ["pglite:", "expected postgres://USER@HOST:PORT/DATABASE"],
    ["mysql://app@db/chain", "expected postgres://USER@HOST:PORT/DATABASE"],
    ["postgres://db/chain", "expected postgres://USER@HOST:PORT/DATABASE"],
    ["postgres://app@db", "expected postgres://USER@HOST:PORT/DATABASE"],
    ["postgres://app@db:x/chain", "expected postgres://USER@HOST:PORT/DATABASE"],
    ["postgres://app@db/chain?sslmode=prefer", "sslmode: expected one of disable, require"],
    ["postgres://app@db/chain?sslkey=a", "the parameter sslkey: expected each of host, sslmode"],
    ["postgres://app@db/chain?host=a&host=b", "the parameter host: expected each of"],
    ["postgres://%zz@db/chain", "a % is not followed by two hex digits"],
  ])("%s is rejected", (url, problem) => {
    expect(() => parseLocation(url)).toThrow(
      `Invalid value for option '--relay-postgres-url': ${problem}`,
    );
  });

  it("with a password is rejected, and the error does not contain it", () => {
    const parse = () => parseLocation("postgres://app:s3cret@db/chain");

    expect(parse).toThrow("use --relay-postgres-password-file or the variable PGPASSWORD");
    expect(parse).not.toThrow("s3cret");
  });

  it("is shown without the user", () => {
    expect(formatLocation(parseLocation("postgres://app@db.example/chain"))).toBe(
      "db.example:5432/chain",
    );
    expect(formatLocation(parseLocation("pglite:/var/lib/relay"))).toBe("pglite:/var/lib/relay");
  });
});
