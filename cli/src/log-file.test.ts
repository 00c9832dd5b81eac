import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "@plinth/testing";
import { describe, expect, it, vi } from "vitest";
import { LogFile, verifyLogFile } from "./log-file.js";

const HALF = "x".repeat(2 ** 19);

describe("a log file", () => {
  it("is limited to this many files of this many bytes, with the newest lines in the first", async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "node.log");
    const file = new LogFile(path, { mebibytes: 1, kept: 3 });

    for (let line = 0; line < 20; line++) file.write(`${line} ${HALF}\n`);
    file.write("last\n");

    expect(readdirSync(folder.path).sort()).toEqual(["node.log", "node.log.1", "node.log.2"]);
    expect(readFileSync(path, "utf8")).toBe("last\n");
    expect(readFileSync(`${path}.1`, "utf8")).toMatch(/^18 x+\n19 x+\n$/);
    expect(readFileSync(`${path}.2`, "utf8")).toMatch(/^16 x+\n17 x+\n$/);
  });

  it("continues after existing lines, and after lines that others append", async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "node.log");
    appendFileSync(path, `${HALF}${HALF}\n`);
    const file = new LogFile(path, { mebibytes: 1, kept: 1 });

    file.write("one\n");
    appendFileSync(path, "of another\n");
    file.write("two\n");

    expect(readFileSync(path, "utf8")).toBe("one\nof another\ntwo\n");
    expect(readdirSync(folder.path)).toEqual(["node.log"]);
  });

  it("keeps its limit, its newest lines and its older files if it cannot be copied", async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "node.log");
    const file = new LogFile(path, { mebibytes: 1, kept: 2 });
    const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    try {
      file.write(`${HALF}${HALF}\n`);
      mkdirSync(`${path}.1`);
      for (const line of ["new\n", "newer\n"]) file.write(line);

      expect(stderr).toHaveBeenCalledOnce();
      expect(stderr).toHaveBeenCalledWith(expect.stringContaining("older lines are lost: "));
      expect(readFileSync(path, "utf8")).toBe("new\nnewer\n");
    } finally {
      stderr.mockRestore();
    }
  });

  it("reports once that lines are lost, until they are written again", async () => {
    await using folder = await createTempFolder();
    const home = join(folder.path, "logs");
    mkdirSync(home);
    const path = join(home, "node.log");
    const file = new LogFile(path, { mebibytes: 1, kept: 2 });
    const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    try {
      rmSync(home, { recursive: true });
      for (const line of ["lost\n", "lost as well\n"]) file.write(line);

      expect(stderr).toHaveBeenCalledOnce();
      expect(stderr).toHaveBeenCalledWith(expect.stringContaining("lines are lost: "));
      mkdirSync(home);
      file.write("found\n");
      expect(readFileSync(path, "utf8")).toBe("found\n");
    } finally {
      stderr.mockRestore();
    }
  });

  it("continues in a file of its name if others move, remove or truncate it", async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "node.log");
    const file = new LogFile(path, { mebibytes: 1, kept: 2 });

    file.write("one\n");
    renameSync(path, `${path}.moved`);
    file.write("two\n");
    expect(readFileSync(`${path}.moved`, "utf8")).toBe("one\n");
    expect(readFileSync(path, "utf8")).toBe("two\n");
    rmSync(path);
    file.write(`${HALF}${HALF}\n`);
    truncateSync(path);
    file.write("three\n");
    expect(readFileSync(path, "utf8")).toBe("three\n");
    expect(readdirSync(folder.path)).toEqual(["node.log", "node.log.moved"]);
  });

  it("is rotated once if two nodes share it", async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "node.log");
    const [one, other] = [1, 2].map(() => new LogFile(path, { mebibytes: 1, kept: 2 }));
    for (const file of [one, other]) file?.write(`${HALF}\n`);

    one?.write("one\n");
    other?.write("other\n");

    expect(readFileSync(path, "utf8")).toBe("one\nother\n");
  });

  it.runIf(process.platform !== "win32")("is not a pipe, which would block", async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "pipe");
    execFileSync("mkfifo", [path]);

    expect(() => verifyLogFile(path)).toThrow(`'--logging-file': ${path} cannot be written`);
    expect(() => new LogFile(path, { mebibytes: 1, kept: 1 })).toThrow(
      `'--logging-file': ${path} cannot be written`,
    );
  });

  it("is rejected by its name if it cannot be written", async () => {
    await using folder = await createTempFolder();

    expect(() => new LogFile(folder.path, { mebibytes: 1, kept: 1 })).toThrow(
      `'--logging-file': ${folder.path} cannot be written`,
    );
    expect(statSync(folder.path).isDirectory()).toBe(true);
  });
});
