import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readUsers } from "./users-file.js";

const HASH = "$2a$10$l3GA7K8g6rJ/Yv.YFSygCuI9byngpEzxgWS9qEg5emYDZomQW7fGC";

describe("a file of users", () => {
  it("lists them by name, with their permissions", async () => {
    const users = await read(`
      [Users."a.b c"]
      password = "${HASH}"
      permissions = ["eth:*"]
      privacyPublicKey = "key"
      [Users.plain]
      password = "${HASH}"`);

    expect([...users.values()]).toEqual([
      { name: "a.b c", password: HASH, permissions: ["eth:*"], privacyPublicKey: "key" },
      { name: "plain", password: HASH, permissions: [], privacyPublicKey: undefined },
    ]);
  });

  it.each([
    ["nothing", "", "it has no users"],
    ["no users", "[Groups.admin]\nroles = []", "it has no users"],
    ["a list of users", 'Users = ["a"]', "it has no users"],
    ["a user that is not a table", "Users.a = 5", "RPC user specified without password."],
    [
      "a password that is not a hash",
      '[Users.a]\npassword = "secret"',
      "Users.a is not a bcrypt hash",
    ],
    [
      "a hash that takes hours",
      `[Users.a]\npassword = "${HASH.replace("10", "31")}"`,
      "has the cost 31; expected 4 to 15",
    ],
    [
      "a permission that is not a text",
      `[Users.a]\npassword = "${HASH}"\npermissions = [5]`,
      "contains invalid values. (permissions of Users.a: expected a list of texts)",
    ],
    [
      "an empty list of permissions",
      `[Users.a]\npassword = "${HASH}"\npermissions = []`,
      "contains invalid values.",
    ],
  ])("with %s is rejected, and no password is shown", async (_, text, problem) => {
    const reading = read(text);

    await expect(reading).rejects.toMatchObject({
      code: "CREDENTIALS_INVALID",
      message: expect.stringContaining(problem),
    });
    await expect(reading).rejects.not.toMatchObject({
      message: expect.stringMatching(/secret|l3GA7K8/),
    });
  });

  it("that does not exist is rejected", async () => {
    await expect(readUsers("/nowhere/users.toml")).rejects.toMatchObject({
      message: "/nowhere/users.toml: the file does not exist",
    });
  });
});

async function read(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-users-"));
  try {
    const path = join(folder, "users.toml");
    writeFileSync(path, text);
    return await readUsers(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
