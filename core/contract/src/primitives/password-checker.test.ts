import { describe, expect, it } from "vitest";
import { hashPassword } from "./bcrypt.js";
import { PasswordChecker } from "./password-checker.js";

describe("a checker of passwords", () => {
  it("accepts only the right one, and does not block the caller's thread", async () => {
    await using checker = closing(new PasswordChecker());
    const hash = await hashPassword("right", 10);
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 1);

    const answers = await Promise.all(
      ["right", "wrong", "Right", "right"].map((password) => checker.check(password, hash)),
    );
    clearInterval(counting);

    expect(answers).toEqual([true, false, false, true]);
    expect(turns).toBeGreaterThan(10);
  });

  it("reads the hashes of other programs", async () => {
    await using checker = closing(new PasswordChecker());
    const hash = "$2a$10$l3GA7K8g6rJ/Yv.YFSygCuI9byngpEzxgWS9qEg5emYDZomQW7fGC";

    expect(await checker.check("pegasys", hash)).toBe(true);
    expect(await checker.check("pegasys", hash.replace("2a", "2b"))).toBe(true);
    expect(await checker.check("pegasys", hash.replace("2a", "2y"))).toBe(true);
  });

  it("allows 32 concurrent checks", () => {
    const checker = new PasswordChecker();
    const places = Array.from({ length: 32 }, () => checker.reserve());

    expect(places).not.toContain(undefined);
    expect(checker.reserve()).toBeUndefined();
    places[0]?.[Symbol.dispose]();
    expect(checker.reserve()).toBeDefined();
  });

  it("reports a hash that cannot be checked", async () => {
    await using checker = closing(new PasswordChecker());

    await expect(checker.check("x", "no hash")).rejects.toThrow(
      "the thread that checks passwords failed: ",
    );
  });
});

function closing(checker: PasswordChecker): PasswordChecker & AsyncDisposable {
  return Object.assign(checker, { [Symbol.asyncDispose]: () => checker.close() });
}
