import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeHome, undoKilled } from "./plugin-home-changes.js";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "plinth-home-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const write = (path: string, content: string) => {
  mkdirSync(join(home, path, ".."), { recursive: true });
  writeFileSync(join(home, path), content);
};
const read = (path: string) => readFileSync(join(home, path), "utf8");

/** A process that has ended. */
const ENDED = 2 ** 22 - 1;

describe("a change of the installed plugins", () => {
  beforeEach(() => {
    write("package.json", "old");
    write("node_modules/a/index.js", "old");
  });

  it("stays when it is complete", async () => {
    await changeHome(home, async () => write("node_modules/b/index.js", "new"));

    expect(read("node_modules/b/index.js")).toBe("new");
    expect(readdirSync(home).sort()).toEqual(["node_modules", "package.json"]);
  });

  it("is undone when it fails", async () => {
    const failed = changeHome(home, async () => {
      write("package.json", "new");
      write("package-lock.json", "new");
      write("node_modules/b/index.js", "new");
      throw new Error("no");
    });

    await expect(failed).rejects.toThrow("no");
    expect(readdirSync(home).sort()).toEqual(["node_modules", "package.json"]);
    expect(read("package.json")).toBe("old");
    expect(readdirSync(join(home, "node_modules"))).toEqual(["a"]);
  });

  it.each([
    ["before anything was put back", []],
    ["while it was put back", ["package.json"]],
  ])("is undone at the next start if it was killed, and %s", (_, putBack) => {
    write(
      ".before/change.json",
      JSON.stringify({ process: ENDED, kept: ["package.json", "node_modules"] }),
    );
    if (putBack.length === 0) write(".before/package.json", "old");
    write(".before/node_modules/a/index.js", "old");
    write("package.json", putBack.length === 0 ? "new" : "old");
    write("package-lock.json", "new");
    write("node_modules/b/index.js", "new");

    undoKilled(home);

    expect(readdirSync(home).sort()).toEqual(["node_modules", "package.json"]);
    expect(read("package.json")).toBe("old");
    expect(readdirSync(join(home, "node_modules"))).toEqual(["a"]);
  });

  it.runIf(process.platform === "linux")("is not undone while its npm is running", async () => {
    write(".before/change.json", JSON.stringify({ process: ENDED, kept: ["package.json"] }));
    write(".before/package.json", "older");
    const npm = spawn("sh", ["-c", "read line # npm"], {
      cwd: home,
      stdio: ["pipe", "pipe", "ignore"],
    });
    await once(npm, "spawn");

    undoKilled(home);
    expect(read("package.json")).toBe("old");

    npm.stdin.end();
    await once(npm, "close");
    undoKilled(home);
    expect(read("package.json")).toBe("older");
  });

  it("made by another process is left alone, and no other starts", async () => {
    write(".before/change.json", JSON.stringify({ process: process.ppid, kept: [] }));

    undoKilled(home);

    expect(read("package.json")).toBe("old");
    await expect(changeHome(home, async () => {})).rejects.toThrow(
      `another process is changing the plugins in ${home}: ${process.ppid}`,
    );
  });

  it("removes the leftovers of killed processes, but not of running ones", async () => {
    write(`.before-${ENDED}-part/package.json`, "half");
    write(`.before-${ENDED}-done/package.json`, "older");
    write(`.before-${process.ppid}-part/package.json`, "half");

    await changeHome(home, async () => {});

    expect(readdirSync(home).sort()).toEqual([
      `.before-${process.ppid}-part`,
      "node_modules",
      "package.json",
    ]);
  });

  it("started by another process meanwhile is not started again", async () => {
    write("node_modules/a/index.js", "old".repeat(1_000_000));
    const changed = changeHome(home, async () => write("package.json", "new"));
    write(".before/change.json", JSON.stringify({ process: process.ppid, kept: [] }));

    await expect(changed).rejects.toMatchObject({ code: "PLUGINS_BUSY" });
    expect(read("package.json")).toBe("old");
    expect(readdirSync(home).sort()).toEqual([".before", "node_modules", "package.json"]);
  });
});
