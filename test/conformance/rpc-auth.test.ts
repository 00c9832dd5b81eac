import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONFORMANCE, isConformanceMissing } from "../support/conformance.js";
import { post, startGuardedNode } from "../support/guarded-node.js";

const FOLDER = join(CONFORMANCE, "rpc-auth");
/** The problem of each file that no node can start with. */
const PROBLEMS: Readonly<Record<string, string>> = {
  "auth_duplicate_user.toml": "Invalid TOML document",
  "auth_invalid.toml": "Invalid TOML document",
  "auth_invalid_groups_value.toml":
    "RPC authentication configuration file contains invalid values.",
  "auth_invalid_permissions_value.toml":
    "RPC authentication configuration file contains invalid values.",
  "auth_invalid_privacy_public_key_value.toml":
    "RPC authentication configuration file contains invalid values.",
  "auth_no_password.toml": "RPC user specified without password.",
};
const VALID = "auth_correct.toml";

const startWith = (file: string) =>
  startGuardedNode({
    rpcHttpAuthenticationEnabled: true,
    rpcHttpAuthenticationCredentialsFile: join(FOLDER, file),
    rpcHttpApi: ["ETH", "NET", "WEB3"],
    rpcCompatibility: "besu",
  });

describe.skipIf(isConformanceMissing)("the files of users of Besu", () => {
  it("are all covered here", () => {
    expect(readdirSync(FOLDER).sort()).toEqual([VALID, ...Object.keys(PROBLEMS)].sort());
  });

  it.each(Object.entries(PROBLEMS))("are rejected if one is damaged: %s", async (file, problem) => {
    const starting = startWith(file);

    await expect(starting).rejects.toMatchObject({
      code: "CREDENTIALS_INVALID",
      message: expect.stringContaining(`${join(FOLDER, file)}: ${problem}`),
    });
    await expect(starting).rejects.not.toMatchObject({
      message: expect.stringContaining("$2a$"),
    });
  });

  it("admit their users, with their permissions", async () => {
    await using node = await startWith(VALID);
    const login = { username: "userA", password: "pegasys" };
    const { json } = await post(node.http, login, { path: "/login" });
    const { token } = json as { token: string };
    const call = async (method: string) =>
      (await post(node.http, { id: 1, method, params: [] }, { token })).status;

    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

    expect(claims).toMatchObject({
      permissions: ["eth:*", "perm:*"],
      username: "userA",
      privacyPublicKey: "A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo=",
    });
    // Groups and roles are read and have no effect, as in Besu.
    expect([await call("eth_chainId"), await call("net_version")]).toEqual([200, 401]);
  });
});
