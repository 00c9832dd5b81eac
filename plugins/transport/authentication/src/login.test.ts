import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashPassword, PasswordChecker } from "@plinth/core/primitives";
import { DenialLog } from "@plinth/kit-http";
import { FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it, vi } from "vitest";
import { UserLogin } from "./login.js";
import { TokenIssuer } from "./token-issuer.js";

const RIGHT = JSON.stringify({ username: "alice", password: "right" });

describe("the login of a listener", () => {
  it("compares the password of an unknown user with a hash of the highest cost", async () => {
    await using place = await open({ alice: 4, bob: 6 });
    const check = vi.spyOn(place.checker, "check");

    const body = JSON.stringify({ username: "stranger", password: "right" });
    const { status } = await place.login.answer({ body, client: "127.0.0.1" });

    expect(status).toBe(401);
    expect(check).toHaveBeenCalledWith("right", expect.stringMatching(/^\$2a\$06\$.{53}$/));
  });

  it("has at most 32 attempts in progress, and rejects the others", async () => {
    await using place = await open({ alice: 4 });

    const replies = await Promise.all(
      Array.from({ length: 70 }, (_, index) =>
        place.login.answer({ body: RIGHT, client: `127.0.0.${index + 1}` }),
      ),
    );

    expect(replies.filter(({ status }) => status === 200)).toHaveLength(32);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(38);
  });

  it("does not count attempts that it could not process", async () => {
    await using place = await open({ alice: 4 });
    const attempt = () => place.login.answer({ body: RIGHT, client: "127.0.0.1" });
    const places = Array.from({ length: 32 }, () => place.checker.reserve());

    const busy = await Promise.all(Array.from({ length: 20 }, attempt));
    for (const taken of places) taken?.[Symbol.dispose]();

    expect(new Set(busy.map(({ body }) => body))).toEqual(
      new Set(["Authentication failed: too many attempts are in progress; try again in 5 s."]),
    );
    expect((await attempt()).status).toBe(200);
  });
});

/** A login whose users all have one password, with hashes of these costs. */
async function open(costs: Readonly<Record<string, number>>) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-login-"));
  const file = join(folder, "users.toml");
  const tables = await Promise.all(
    Object.entries(costs).map(
      async ([name, cost]) =>
        `[Users.${name}]\npassword = "${await hashPassword("right", cost)}"\n`,
    ),
  );
  writeFileSync(file, tables.join(""));
  const clock = new FakeClock(Date.now());
  const log = recordLogs().for("test");
  const checker = new PasswordChecker();
  const login = new UserLogin({
    ...{ endpoint: "json-rpc", file, clock, log, checker },
    issuer: new TokenIssuer(clock),
    denials: new DenialLog(log, () => clock),
  });
  return {
    login,
    checker,
    async [Symbol.asyncDispose]() {
      await checker.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
