import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { GENESIS, ROOT, runProgram, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const UNIT = join(ROOT, "docs/operators/plinth.service");
const DOCKERFILE = readFileSync(join(ROOT, "Dockerfile"), "utf8");
const GUIDE = readFileSync(join(ROOT, "docs/operators/running.md"), "utf8");
const isAnalyzerMissing = spawnSync("systemd-analyze", ["--version"]).error !== undefined;
if (isAnalyzerMissing) process.stderr.write("systemd-analyze is not installed\n");

describe("the unit of systemd", () => {
  it.skipIf(isAnalyzerMissing)("has no faults that systemd finds", () => {
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", UNIT], { encoding: "utf8" });

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("starts a node with the guide's configuration, and stops it well", async () => {
    using folder = temporaryFolder();
    const local = (text: string) =>
      text.replaceAll("/etc/plinth", folder.file("etc")).replaceAll("/var/lib/plinth", "data");
    const [, content = ""] = /^```toml\n# node\.toml\n([\s\S]*?)^```$/m.exec(GUIDE) ?? [];
    mkdirSync(folder.file("etc"));
    writeFileSync(folder.file("etc", "node.toml"), local(content));
    copyFileSync(GENESIS, folder.file("etc", "genesis.json"));
    const [, words = ""] =
      /^ExecStart=\/usr\/bin\/node \S+ \S+\/plinth\.js (.*)$/m.exec(readFileSync(UNIT, "utf8")) ??
      [];

    const node = await startNode(local(words).split(" "), {
      folder: folder.path,
      environment: { PLINTH_METRICS_PORT: "0" },
    });
    const status = await runProgram(["--data-path=data", "status"], { folder: folder.path });
    const { code } = await node.stop("SIGTERM");

    expect(status.stdout).toContain("Nothing is wrong.");
    expect(code).toBe(0);
  });
});

describe("the Dockerfile", () => {
  it("has no faults that its linter finds", () => {
    expect(validate(DOCKERFILE)).toEqual([]);
    expect(validate("FORM node:20")).not.toEqual([]);
  });

  it("names a program, a check and a data folder that there are", async () => {
    using folder = temporaryFolder();
    const [, entry = ""] = /^ENTRYPOINT (.*)$/m.exec(DOCKERFILE) ?? [];
    const [node, , program = ""] = JSON.parse(entry) as string[];
    const check = /node (\S+) (\w+) \|\| exit 1/.exec(DOCKERFILE);
    const help = await runProgram([check?.[2] ?? "", "--help"], { folder: folder.path });

    expect(node).toBe("node");
    expect(program).toBe("/opt/plinth/cli/bin/plinth.js");
    expect(check?.[1]).toBe(program);
    expect({ code: help.code, stdout: help.stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("$ plinth status"),
    });
    expect(DOCKERFILE).toMatch(/^ENV PLINTH_DATA_PATH=\/var\/lib\/plinth$/m);
  });
});
