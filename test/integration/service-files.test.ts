import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
  it.skipIf(isAnalyzerMissing)("has no problems that systemd reports", () => {
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", UNIT], { encoding: "utf8" });

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("starts a node with the guide's configuration, and stops it cleanly", async () => {
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
    // The check of the container finds it by its data folder.
    const [, check = "[]"] = /^HEALTHCHECK .*\\\n\s+CMD (.*)$/m.exec(DOCKERFILE) ?? [];
    const [shell = "", ...rest] = (JSON.parse(check) as string[]).map((word) =>
      word.replaceAll("/opt/plinth", ROOT),
    );
    const status = spawnSync(shell, rest, {
      env: { PATH: process.env.PATH, PLINTH_DATA_PATH: folder.file("data") },
      cwd: folder.path,
      encoding: "utf8",
    });
    const { code } = await node.stop("SIGTERM");

    expect(status).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("No problems."),
    });
    expect(code).toBe(0);
  });
});

describe("the documentation of the unit", () => {
  const unit = readFileSync(UNIT, "utf8");
  const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";
  const config = /--config-file=(\S+)/.exec(settingOf("ExecStart"))?.[1] ?? "";
  const home = `/var/lib/${settingOf("StateDirectory")}`;

  it("is correct in the guide: user, folders, program and files", () => {
    const program = /(\S+)\/cli\/bin\/plinth\.js/.exec(settingOf("ExecStart"))?.[1];

    expect(settingOf("WorkingDirectory")).toBe(home);
    expect(GUIDE).toContain(`useradd --system --home-dir ${home} ${settingOf("User")}\n`);
    expect(GUIDE).toContain(`git clone REPOSITORY ${program} && cd ${program} && npm ci\n`);
    expect(GUIDE).toContain(`cp docs/operators/plinth.service /etc/systemd/system/\n`);
    expect(GUIDE).toContain(`data-path = "${home}"\n`);
    expect(GUIDE.replaceAll(/\s+/g, " ")).toContain(
      `It expects the program in \`${program}\` and this file as \`${config}\``,
    );
  });

  it("is correct in the README of a network for several machines", async () => {
    using folder = temporaryFolder();
    const words = ["--to=network", "--nodes=2", "--hosts=10.0.0.1,10.0.0.2", `--home=${home}`];
    await runProgram(["genesis", "create", ...words], { folder: folder.path });

    const readme = readFileSync(folder.file("network", "README.md"), "utf8");
    const toml = readFileSync(folder.file("network", "node2", "plinth.toml"), "utf8");

    expect(readme).toContain(`scp -r node2/. 10.0.0.2:${home}\n`);
    expect(readme).toContain(
      `ssh 10.0.0.2 'chown -R ${settingOf("User")}: ${home} && install -D -m 644 ${home}/plinth.toml ${config} && systemctl enable --now plinth'`,
    );
    // The unit allows writing nowhere else.
    expect(toml).toContain(`data-path = "${home}/data"\n`);
    expect(toml).not.toContain("logging-file");
  });
});

describe("the Dockerfile", () => {
  it("copies existing files, and exposes the default ports of every listener and of peers", async () => {
    using folder = temporaryFolder();
    const config = await runProgram(["config", "--json"], { folder: folder.path });
    const options: Record<string, { value: unknown }> = JSON.parse(config.stdout);
    const portOf = (name: string) => String(options[name]?.value);
    const [, exposed = ""] = /^EXPOSE (.*)$/m.exec(DOCKERFILE) ?? [];
    const copied = [...DOCKERFILE.matchAll(/^COPY (?!--from)(\S+) /gm)].map(([, source]) => source);
    const images = [...DOCKERFILE.matchAll(/^FROM node:(\d+)-/gm)].map(([, version]) => version);

    expect(copied).not.toEqual([]);
    for (const source of copied) expect(existsSync(join(ROOT, source ?? ""))).toBe(true);
    const listeners = ["rpc-http-port", "rpc-ws-port", "graphql-http-port", "metrics-port"];
    const peers = portOf("p2p-port");
    expect(exposed.split(" ")).toEqual([
      ...listeners.map(portOf),
      ...[`${peers}/tcp`, `${peers}/udp`],
    ]);
    // Even versions have long-term support; that of 20 ended in April 2026.
    expect(new Set(images)).toEqual(new Set(["22"]));
  });

  it.runIf(process.env.PLINTH_NETWORK)(
    "is built by commands that work in a clean clone",
    {
      timeout: 600_000,
    },
    () => {
      using folder = temporaryFolder();
      const [, commands = ""] = /^RUN (npm .*)$/m.exec(DOCKERFILE) ?? [];
      const copy = `git -C ${ROOT} archive HEAD | tar -x && ${commands}`;

      const built = spawnSync("/bin/sh", ["-c", copy], { cwd: folder.path, encoding: "utf8" });
      const help = spawnSync(process.execPath, ["cli/bin/plinth.js", "--help"], {
        cwd: folder.path,
      });

      expect({ status: built.status, stderr: built.stderr }).toMatchObject({ status: 0 });
      expect(help.status).toBe(0);
    },
  );

  it("has no problems that its linter reports", () => {
    expect(validate(DOCKERFILE)).toEqual([]);
    expect(validate("FORM node:20")).not.toEqual([]);
  });

  it("refers to an existing program, check and data folder", async () => {
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
