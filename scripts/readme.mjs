// `npm run long -- readme [--to=FILE]`: runs the commands of README.md in order and as printed,
// in a clean clone, and writes what two terminals showed. Commands that run until they are stopped
// use the first terminal, everything else the second.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { ROOT } from "./package-folders.mjs";

const { values } = parseArgs({ options: { to: { type: "string" } } });
const STAYS = /^(npm ci && npm start|npx plinth (up --|--(?!.* status$)))/;
/** They take minutes, and CI runs them. */
const SKIPPED = ["npm ci && npm test"];
const READY = /main loop is up|^block [1-9]/m;
const LONGEST_START_MS = 300_000;

const home = mkdtempSync(join(tmpdir(), "plinth-readme-"));
const clone = join(home, "plinth");
const environment = {
  ...process.env,
  HOME: home,
  npm_config_prefix: join(home, "global"),
  NO_COLOR: "1",
};
const recording = [];
let running;

try {
  execFileSync("git", ["clone", "--quiet", ROOT, clone]);
  for (const block of readBlocks(readFileSync(join(clone, "README.md"), "utf8"))) {
    if (block.file === undefined) for (const command of block.commands) await run(command);
    else {
      mkdirSync(join(clone, "hello"), { recursive: true });
      writeFileSync(join(clone, "hello", block.file), block.text);
    }
  }
  await stop();
  if (values.to !== undefined) writeFileSync(values.to, recording.join(""));
} finally {
  // With the program that its shell runs.
  if (running?.process.exitCode === null) process.kill(-running.process.pid, "SIGKILL");
  rmSync(home, { recursive: true, force: true });
}

async function run({ words, expected }) {
  if (SKIPPED.includes(words)) return;
  if (STAYS.test(words)) {
    await stop();
    await start(words);
    return;
  }
  const { status, stdout, stderr } = spawnSync("sh", ["-c", words], {
    cwd: clone,
    env: environment,
    encoding: "utf8",
  });
  record(`$ ${words}\n${stdout}${stderr}`);
  if (status !== 0) throw new Error(`${words}: exit code ${status}`);
  if (expected.length > 0 && stdout.trim() !== expected.join("\n")) {
    throw new Error(`${words}: the README shows ${expected.join("\n")}`);
  }
}

async function start(words) {
  record(`[1]$ ${words}\n`);
  const process_ = spawn("sh", ["-c", words], { cwd: clone, env: environment, detached: true });
  running = { process: process_, words, output: "" };
  const note = (text) => {
    running.output += stripVTControlCharacters(String(text));
  };
  process_.stdout.on("data", note);
  process_.stderr.on("data", note);
  const end = Date.now() + LONGEST_START_MS;
  while (!READY.test(running.output)) {
    if (process_.exitCode !== null || Date.now() > end)
      throw new Error(`${words}\n${running.output}`);
    await sleep(100);
  }
}

/** Ctrl-C in the first terminal. */
async function stop() {
  if (running === undefined) return;
  const { process: process_, words } = running;
  const ended = new Promise((resolve) => process_.once("exit", resolve));
  process.kill(-process_.pid, "SIGINT");
  await ended;
  record(`[1] ${words}\n${running.output}^C\n`);
  running = undefined;
}

function record(text) {
  recording.push(text);
  process.stdout.write(text);
}

/** Commands with their output, and files, in order. */
function readBlocks(text) {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, language, body]) => {
    const file = /^(?:\/\/|#) (\S+\.\w+)\n([\s\S]*)$/.exec(body);
    if (file !== null) return [{ file: file[1], text: file[2] }];
    if (language !== "console") return [];
    const hasPrompts = body.startsWith("$ ");
    const commands = [];
    for (const line of body.trimEnd().split("\n")) {
      if (hasPrompts && !line.startsWith("$ ")) commands.at(-1).expected.push(line);
      else commands.push({ words: line.replace(/^\$ /, "").replace(/ +# .*$/, ""), expected: [] });
    }
    return [{ commands }];
  });
}
