import { PasswordChecker } from "@plinth/core/primitives";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import cmdPassword from "./index.js";
import { passwordHash } from "./password-hash.js";

describe("password hash", () => {
  it("prints a bcrypt hash of cost 10, different each time", async () => {
    await using node = await createTestNode({ plugins: [cmdPassword] });

    const first = await node.command("password hash", { flags: { password: "secret" } });
    const second = await node.command("password hash", { flags: { password: "secret" } });

    expect(first.stdout).toMatch(/^\$2[aby]\$10\$[./A-Za-z0-9]{53}\n$/);
    expect(second.stdout).not.toBe(first.stdout);
  });

  it.each([
    ["from standard input", {}, { input: "secret\n" }],
    [
      "from a file",
      { passwordFile: "/password.txt" },
      { files: { "/password.txt": "secret\r\n" } },
    ],
  ])("reads the password %s, without its line break", async (_, flags, given) => {
    await using node = await createTestNode({ plugins: [cmdPassword] });

    const { stdout } = await node.command("password hash", { flags, ...given });

    expect(await verifyPassword("secret", stdout.trim())).toBe(true);
  });

  it("prompts for it twice on a terminal", async () => {
    const asked: string[] = [];
    const written: string[] = [];
    const answers = ["secret", "secret", "secret", "sceret"];
    const io = {
      askSecret: async (question: string) => {
        asked.push(question);
        return answers.shift() ?? "";
      },
      write: async (text: string) => void written.push(text),
    };
    const context = { flags: { password: undefined, passwordFile: undefined }, io } as never;

    await passwordHash.run(context);
    await expect(passwordHash.run(context)).rejects.toThrow("the passwords differ");

    expect(asked).toEqual(["Password: ", "Again: ", "Password: ", "Again: "]);
    expect(written).toHaveLength(1);
    expect(await verifyPassword("secret", written[0] ?? "")).toBe(true);
  });

  it.each([
    ["none at all", {}, "OPTION_INVALID"],
    ["two of them", { password: "a", passwordFile: "b" }, "OPTION_INVALID"],
    ["an empty one", { password: "" }, "OPTION_INVALID"],
    ["one of more than 72 bytes", { password: "ä".repeat(37) }, "OPTION_INVALID"],
  ])("rejects %s", async (_, flags, code) => {
    await using node = await createTestNode({ plugins: [cmdPassword] });

    await expect(node.command("password hash", { flags })).rejects.toMatchObject({ code });
  });
});

/** Whether a hash matches a password. */
async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const checker = new PasswordChecker();
  try {
    return await checker.check(password, hash);
  } finally {
    await checker.close();
  }
}
