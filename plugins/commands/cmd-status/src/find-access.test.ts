import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { findAccess } from "./find-access.js";

const url = "https://node.example:8545/";

describe("the access to a node", () => {
  it("is rejected for a URL with a password, which every output would show", async () => {
    const given = "https://operator:pa55word@node.example:8545/";

    const refusal = await findAccess({ url: given }, "data").catch((error: Error) => error.message);

    expect(refusal).toContain("'--url': it has a user name or a password");
    expect(refusal).not.toContain("pa55word");
  });

  it.each([
    ["an empty file", ""],
    ["two lines", "one\ntwo\n"],
  ])("is rejected with %s instead of a token", async (_, text) => {
    await using folder = await createTempFolder();
    const tokenFile = join(folder.path, "token");
    writeFileSync(tokenFile, text);

    await expect(findAccess({ url, tokenFile }, "data")).rejects.toThrow(
      `'--token-file': ${tokenFile} has no token`,
    );
  });

  it("does not use the authorities of the system if --ca names a file without certificates", async () => {
    await using folder = await createTempFolder();
    const ca = join(folder.path, "ca.pem");
    writeFileSync(ca, "");

    await expect(findAccess({ url, ca }, "data")).rejects.toThrow(
      `'--ca': ${ca} has no certificate`,
    );
  });

  it("uses the token of a file and a certificate", async () => {
    await using folder = await createTempFolder();
    const [tokenFile, ca] = [join(folder.path, "token"), join(folder.path, "ca.pem")];
    writeFileSync(tokenFile, "a.b-c_d\n");
    const pem = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
    writeFileSync(ca, pem);

    expect(await findAccess({ url, tokenFile, ca }, "data")).toEqual({
      ...{ url, token: "a.b-c_d" },
      tls: { trusted: pem, isOwn: false },
    });
  });
});
